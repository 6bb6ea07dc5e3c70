/** A page of a store in a real browser, and whatever it does there that no page of ours does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { apps } from '../../src/apps/all.ts';
import { panelsFor } from '../../src/cli/contract.ts';
import type { Agent } from '../../src/core/agent.ts';
import { cacheFolder } from '../../src/io/home.ts';
import { openJournals } from '../../src/open/journals.ts';
import { startRun } from '../../src/run/start.ts';
import type { PanelsOf } from '../../src/server/routes.ts';
import { pageFolder, servePage } from '../../src/server/server.ts';
import { type Place, polya } from '../cli/shell.ts';
import { chromiumPath } from '../support/chromium.ts';
import { runFolderVariable } from '../support/temporary-folder.ts';
import { typed } from '../support/typed.ts';

/** One for all files that a process takes: to start one costs as much as most tests do. It ends with the process. */
let browser: Promise<Browser> | null = null;
/** The first file of the suite that shows the page builds it for all. */
export const pageCache = { XDG_CACHE_HOME: process.env[runFolderVariable] ?? '' };
export const pageFiles = pageFolder(cacheFolder(pageCache));

type Options = Parameters<Browser['newContext']>[0] & {
  readonly isReadOnly?: boolean;
  readonly hash?: string;
  readonly panels?: PanelsOf['panels'];
};

/** `wrong`: a script that is refused, a request elsewhere, an error. */
export async function look(
  place: Place,
  { isReadOnly = false, hash = '', panels, ...options }: Options = {},
) {
  const journals = openJournals({ folder: place.folder, env: place.env, create: true });
  const server = await servePage({
    polya: journals,
    page: pageFiles,
    isReadOnly,
    apps: { ...panelsFor({ apps }), ...(panels ? { panels } : {}) },
  });
  onTestFinished(async () => {
    await server.close();
    await journals.close();
  });
  const { page, wrong, close } = await pageAt(server.createLink() + hash, {
    ...options,
    allowed: server.url,
  });
  return { page, wrong, close, server, journals };
}

/** Debian's. Its own sandbox does not start as root. */
export function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: chromiumPath(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  return browser;
}

/** A window of its own, which goes with the test at the latest. */
export async function pageAt(
  address: string,
  { allowed, ...options }: Parameters<Browser['newContext']>[0] & { readonly allowed: string },
) {
  const context = await (await theBrowser()).newContext({
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  onTestFinished(() => context.close());
  // The machine may be busy: only what never comes is given up.
  context.setDefaultTimeout(120_000);
  const page: Page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', ({ message }) => wrong.push(message));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(allowed) && !request.url().startsWith('data:')) wrong.push(request.url());
  });
  await page.goto(address);
  return { page, wrong, close: () => context.close() };
}

/** For people: `POLYA_SHOTS=FOLDER` keeps pictures of what the tests saw. */
export async function shoot(page: Page, name: string): Promise<void> {
  const shots = process.env.POLYA_SHOTS;
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** Whether the page is wider than its window. */
export function isSideways(page: Page): Promise<boolean> {
  return page.locator('body').evaluate((body) => body.scrollWidth > body.clientWidth);
}

/** A script of one role that always says the same. */
export function saying(place: Place, name: string, reply: string): string {
  const script = join(place.folder, `${name}.yaml`);
  writeFileSync(script, JSON.stringify({ roles: { solver: { '': [{ text: reply }] } } }));
  return `scripted:${script}`;
}

/** A run of one call whose question and reply are given. */
export async function asked(place: Place, question: string, reply: string): Promise<string> {
  const { out, err } = await polya(
    place,
    typed`ask ${question} --model ${saying(place, 'script', reply)} --json`,
  );
  const { id } = JSON.parse(out);
  if (typeof id !== 'string') throw new Error(out + err);
  return id;
}

/** Questions, each put to a model that always says 8 and to one that always says 4. Resolves to the set's id. */
export async function comparedSet(
  place: Place,
  answers: readonly ('8' | '4')[],
  more: object = {},
): Promise<string> {
  const models = ['8', '4'].map((word) => ({
    default: saying(place, `says-${word}`, `The answer is ${word}.`),
  }));
  const file = join(place.folder, 'set.yaml');
  const rows = answers.map((answer, at) => ({
    name: `question ${at + 1}`,
    problem: { question: `Which number is number ${at + 1}?`, answer },
  }));
  const defaults = { family: 'qa', agent: 'single-call' };
  writeFileSync(file, JSON.stringify({ name: 'Two models', defaults, rows, matrix: { models }, ...more }));
  const { out, err } = await polya(place, ['run-set', 'run', file, '--json']);
  const { id } = JSON.parse(out || '{}');
  if (typeof id !== 'string') throw new Error(out + err);
  return id;
}

const asking: Agent = {
  name: 'asking',
  settings: z.object({}),
  needs: [],
  roles: [],
  prompts: {},
  solve: async (_problem, run) => {
    const answer = await run.ask('Which way? (left/right)');
    return { end: 'answered', answer: { type: 'text', text: answer } };
  },
};

/** A run of an agent that asks one question and waits. */
export async function asks(place: Place, id: string) {
  const own = openJournals({ ...place, create: true, agents: [asking] });
  const models = { default: 'manual:http' };
  const spec = { id, family: 'qa', problem: { question: `Of ${id}?` }, agent: 'asking', models };
  const run = await startRun(own.world, { ...spec, settings: {}, limits: {} });
  return { run, own };
}
