import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttp } from '../../src/io/http.ts';
import { openLedger } from '../../src/practice/ledger.ts';
import { practiceYear } from '../../src/practice/puzzle.ts';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const http = createHttp({ identity: { tool: 'polya-test', version: '0' } });
const children: ChildProcess[] = [];
let stateFolder = '';
beforeEach(() => {
  stateFolder = temporaryFolder('practice');
});
afterEach(() => Promise.all(children.splice(0).map(kill)));

async function serve(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./serve.ts', import.meta.url)), stateFolder],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.push(child);
  for await (const line of child.stdout) return { url: String(line).trim(), child };
  throw new Error('The site did not start.');
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

function visit(url: string, session: string) {
  const headers = { cookie: `session=${session}` };
  const day = `${url}/${practiceYear}/day/1`;
  return {
    page: async () => (await http.request({ method: 'GET', url: day, headers })).body,
    input: async () => (await http.request({ method: 'GET', url: `${day}/input`, headers })).body,
    answer: async (answer: string, level: string) =>
      (await http.request({ method: 'POST', url: `${day}/answer`, headers, form: { level, answer } })).body,
  };
}

test('a star that was told is there after SIGKILL, and two processes lose none between them', async () => {
  const [first, second] = await Promise.all([serve(), serve()]);
  const ledger = openLedger(stateFolder);
  const sessions = Array.from({ length: 10 }, (_, index) => ledger.sessionFor(`user${index}`, ''));
  ledger.close();

  const replies = await Promise.all(
    sessions.map(async (session, index) => {
      const [one, two] = ticketStubs.solve(await visit(first.url, session).input());
      await visit(index % 2 ? first.url : second.url, session).answer(one, '1');
      return visit(index % 2 ? second.url : first.url, session).answer(two, '2');
    }),
  );
  for (const reply of replies) expect(reply).toContain("That's the right answer");
  await Promise.all([kill(first.child), kill(second.child)]);

  const third = await serve();
  for (const session of sessions) {
    expect(await visit(third.url, session).page()).toContain('Both parts of this puzzle are complete!');
  }
});

test('of the same right answer at once, one is right and the other too late', async () => {
  const [first, second] = await Promise.all([serve(), serve()]);
  const ledger = openLedger(stateFolder);
  const session = ledger.sessionFor('ada', '');
  ledger.close();
  const [one] = ticketStubs.solve(await visit(first.url, session).input());
  const replies = await Promise.all([
    visit(first.url, session).answer(one, '1'),
    visit(second.url, session).answer(one, '1'),
  ]);
  expect(replies.filter((reply) => reply.includes("That's the right answer"))).toHaveLength(1);
  expect(replies.filter((reply) => reply.includes('right level'))).toHaveLength(1);
});
