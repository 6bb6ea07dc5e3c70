/**
 * Do the tests notice when the code is wrong? Mutants drawn by seed, as many from each room, each run against the fast
 * tests that its file is related to (`npm run mutate -- [COUNT [SEED]]`). It works in a copy of the last commit, and
 * knows nothing of types: a mutant that `tsc` would refuse counts as any other. `--only 3,7` runs some of them again.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseAst } from 'vite';
import { seededChance } from '../src/core/seeded-chance.ts';

const root = join(import.meta.dirname, '..');

type Mutant = { readonly path: string; readonly start: number; readonly end: number; readonly text: string };
type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>;

const swaps: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string', default: '120' }, only: { type: 'string' }, at: { type: 'string' } },
});
const [count = '30', seed = '1'] = positionals;
const chance = seededChance(seed);
const only = options.only?.split(',').map(Number);

const copy = mkdtempSync(join(tmpdir(), 'polya-mutants-'));
git('worktree', 'add', '--quiet', '--detach', copy, options.at ?? 'HEAD');
try {
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const mutants = draw(Number(count));
  const verdicts: string[] = [];
  for (const [at, mutant] of mutants.entries()) {
    if (only?.includes(at + 1) ?? true) verdicts.push(await verdictOn(mutant, at + 1));
  }
  for (const [verdict, { length }] of Map.groupBy(verdicts, (each) => each))
    console.log(`${verdict}: ${length}`);
} finally {
  git('worktree', 'remove', '--force', copy);
  rmSync(copy, { recursive: true, force: true });
}

/** One after the other from each room, in each of a file that has not been drawn. */
function draw(wanted: number): readonly Mutant[] {
  const rooms = Map.groupBy(sources(), (path) => path.split('/').slice(0, -1).slice(0, 2).join('/'));
  const mutants: Mutant[] = [];
  while (mutants.length < wanted && rooms.size > 0) {
    for (const [room, paths] of rooms) {
      const [path] = paths.splice(Math.floor(chance.next() * paths.length), 1);
      if (path === undefined) rooms.delete(room);
      const found = path === undefined ? [] : mutantsOf(path);
      const mutant = found[Math.floor(chance.next() * found.length)];
      if (mutant && mutants.length < wanted) mutants.push(mutant);
    }
  }
  return mutants;
}

function sources(): readonly string[] {
  const paths = execFileSync('git', ['ls-files', 'src'], { cwd: copy, encoding: 'utf8' }).split('\n');
  return paths.filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path)).sort();
}

function mutantsOf(path: string): readonly Mutant[] {
  const text = readFileSync(join(copy, path), 'utf8');
  const lang = path.endsWith('x') ? 'tsx' : 'ts';
  const mutants: Mutant[] = [];
  visit(parseAst(text, { lang, astType: 'ts' }) as unknown as Node, (node) => {
    const { type, start, end } = node;
    const replace = (from: number, to: number, by: string) =>
      mutants.push({ path, start: from, end: to, text: by });
    if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      const { end: left } = node.left as Node;
      const operator = String(node.operator);
      const at = text.indexOf(operator, left);
      const swapped = swaps[operator];
      if (swapped !== undefined) replace(at, at + operator.length, swapped);
    }
    if (type === 'UnaryExpression' && node.operator === '!') replace(start, start + 1, '');
    if (type === 'IfStatement' || type === 'ConditionalExpression') {
      const { start: from, end: to } = node.test as Node;
      replace(from, to, `!(${text.slice(from, to)})`);
    }
    if (type === 'Literal' && typeof node.value === 'boolean') replace(start, end, String(!node.value));
    if (type === 'Literal' && typeof node.value === 'number') replace(start, end, String(node.value + 1));
  });
  return mutants;
}

/** Types are passed by: nothing runs of them. */
function visit(node: Node, see: (node: Node) => void): void {
  if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return;
  see(node);
  for (const child of Object.values(node).flat()) {
    if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node, see);
  }
}

async function verdictOn(mutant: Mutant, number: number): Promise<string> {
  const path = join(copy, mutant.path);
  const text = readFileSync(path, 'utf8');
  const before = text.slice(0, mutant.start);
  writeFileSync(path, before + mutant.text + text.slice(mutant.end));
  const began = performance.now();
  const verdict = await testRelated(mutant.path);
  writeFileSync(path, text);
  const line = before.split('\n').length;
  const change = `${text.slice(mutant.start, mutant.end)} → ${mutant.text}`.replace(/\s+/g, ' ');
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${number}  ${verdict}  ${mutant.path}:${line}  ${change}  ${seconds} s`);
  return verdict;
}

/** In a group of its own: a mutant that loops without end is killed with the workers it runs in. */
async function testRelated(path: string): Promise<string> {
  const args = ['related', path, '--run', '--project', 'fast', '--bail', '1', '--passWithNoTests'];
  const vitest = spawn(join(root, 'node_modules/.bin/vitest'), args, {
    cwd: copy,
    detached: true,
    stdio: 'ignore',
  });
  const timer = setTimeout(() => process.kill(-Number(vitest.pid), 'SIGKILL'), Number(options.limit) * 1000);
  const [code] = await once(vitest, 'exit');
  clearTimeout(timer);
  if (code === null) return 'out of time';
  return code === 0 ? 'survived' : 'noticed';
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: root, stdio: 'ignore' });
}
