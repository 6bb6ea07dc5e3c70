/**
 * `npm run screenshots`: the pictures of docs/view.md, into docs/view, from the journals of the demo in a folder of its own. Its
 * replies are scripts and its seeds are fixed: ids, times of day and how long programs took is all that differs.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { chromiumPath } from '../test/support/chromium.ts';
import { withPalette } from './palette.ts';

type Told = {
  readonly id: string;
  readonly runs: readonly { readonly id: string; readonly agent: string }[];
};

const root = join(import.meta.dirname, '..');
const main = join(root, 'src', 'main.ts');
const pictures = join(root, 'docs', 'view');
const mostBytes = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'polya-screenshots-'));
try {
  await take();
} finally {
  rmSync(folder, { recursive: true });
}

async function take(): Promise<void> {
  const { runs } = polya(['demo', '--json']);
  const byAgent = (name: string): string => runs.find(({ agent }) => agent === name)?.id ?? '';
  const [aoc, ensemble] = [byAgent('tool-loop'), byAgent('ensemble')];
  const fork = polya([
    'runs',
    'fork',
    ensemble,
    '--at',
    '9',
    '--hint',
    'Mind the leading digit.',
    '--json',
  ]).id;
  const set = polya(['run-set', 'run', comparedSet(), '--json']).id;
  const words = ['ask', 'Which of these two proofs is easier to read?', '--model', 'manual:answers'];
  const asking = spawn(process.execPath, [main, ...words], { cwd: folder, stdio: 'ignore' });
  const server = spawn(process.execPath, [main, 'view', '--no-open', '--json'], { cwd: folder });
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const address = await addressOf(server.stdout);
    mkdirSync(pictures, { recursive: true });
    const wide = { viewport: { width: 1280, height: 800 } };
    const narrow = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
    const page = await browser.newPage(wide);
    await page.goto(address);
    await picture(page, 'runs', '', 'a.line');
    await picture(page, 'run', `#/runs/${aoc}/12`, '.inspector .fold');
    await picture(page, 'compare', `#/compare/${ensemble}/${fork}`, '.parting');
    await picture(page, 'forks', `#/forks/${ensemble}`, '.tree tbody tr:nth-child(2)');
    await picture(page, 'cost', '#/cost', 'a.line.total');
    await picture(page, 'set', `#/sets/${set}`, '.matrix .cell');
    await picture(page, 'questions', '#/questions', '.question');
    const phone = await browser.newPage(narrow);
    await phone.goto(address);
    await picture(phone, 'phone', `#/runs/${aoc}/12`, '.inspector .fold');
  } finally {
    await browser.close();
    server.kill('SIGINT');
    asking.kill('SIGINT');
  }
}

/** Two scripts, each with its own answers to six questions. */
function comparedSet(): string {
  const sums = [12, 15, 18, 21, 24, 27].map((sum) => ({
    name: `${sum - 5} and 5`,
    problem: { question: `How much is ${sum - 5} and 5?`, answer: String(sum) },
  }));
  const models = [18, 24].map((said) => {
    const script = join(folder, `says-${said}.yaml`);
    const roles = { solver: { '': [{ text: `The answer is ${said}.` }] } };
    writeFileSync(script, JSON.stringify({ roles }));
    return { default: `scripted:says-${said}.yaml` };
  });
  const file = join(folder, 'set.yaml');
  const defaults = { family: 'qa', agent: 'single-call' };
  writeFileSync(file, JSON.stringify({ name: 'Two scripts', defaults, rows: sums, matrix: { models } }));
  return file;
}

function polya(words: readonly string[]): Told {
  const called = spawnSync(process.execPath, [main, ...words], { cwd: folder, encoding: 'utf8' });
  // Of the set, some rows are wrong.
  if (called.status !== 0 && called.status !== 1)
    throw new Error(`polya ${words.join(' ')} has failed: ${called.stderr}`);
  return JSON.parse(called.stdout);
}

function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let told = '';
  return new Promise((resolve) => {
    output.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      const [, address] = /"address": "(.*)"/.exec(told) ?? [];
      if (address) resolve(address);
    });
  });
}

async function picture(page: Page, name: string, hash: string, shown: string): Promise<void> {
  await page.goto(page.url().replace(/#.*/, '') + (hash || '#/'));
  await page.locator(shown).first().waitFor();
  // What is still added up says so.
  await page.locator('.number', { hasText: /^…$/ }).first().waitFor({ state: 'detached' });
  const { width, height, data } = PNG.sync.read(await page.screenshot({ animations: 'disabled' }));
  const packed = withPalette({ width, height, data });
  if (packed.length > mostBytes) throw new Error(`${name}.png has ${packed.length} bytes: too many.`);
  writeFileSync(join(pictures, `${name}.png`), packed);
  console.log(`docs/view/${name}.png: ${Math.round(packed.length / 1000)} KB`);
}
