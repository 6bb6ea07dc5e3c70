/** A person in a model's place, asked by the process of a session: where, told by `solve`, `status` and its log. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { polya } from '../../cli/shell.ts';
import { evolvingAnalysis } from '../../support/evolving.ts';
import { endsWithTests } from '../../support/session-worker.ts';
import { type Bench, bench, until } from './sessions.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The toy contest with a statement, which a person would read. */
function posed(): Bench {
  const here = bench();
  writeFileSync(join(here.workspace, 'problem/problem.md'), '# Toy\n\nPrint a number.\n');
  return here;
}

async function solved(here: Bench, model: string, ...more: string[]) {
  const asked = ['ahc', 'solve', '--model', model, '--session-name', 'night', '--json', ...more];
  const told = await polya(here, asked);
  expect([told.code, told.err]).toEqual([0, expect.any(String)]);
  const begun = JSON.parse(told.out);
  endsWithTests(begun.pid);
  return begun;
}

test.each(['with a port', 'without one'])('manual:http %s answers in the background', async (which) => {
  const here = posed();
  const model = which === 'with a port' ? `manual:http:${await freePort()}` : 'manual:http';
  const begun = await solved(here, model);
  expect(begun.answer_at).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
  if (which === 'with a port') expect(begun.answer_at).toContain(model.split(':')[2]);
  const { answer_at } = await until(here, 'night', (now) => now.doing !== undefined);
  expect(answer_at).toBe(begun.answer_at);
  expect((await fetch(begun.answer_at)).ok).toBe(true);
  const log = readFileSync(join(here.workspace, 'night/logs/worker.log'), 'utf8');
  expect(log).toContain(`Answer at ${begun.answer_at}`);
  const status = await polya(here, ['ahc', 'status', 'night']);
  expect(status.out).toContain(begun.answer_at);
  const stopped = await polya(here, ['ahc', 'stop', 'night']);
  expect(stopped.code).toBe(0);
});

test('--interactive with an analysis of its user’s asks for it to be confirmed, and does not hang', async () => {
  const here = posed();
  writeFileSync(join(here.workspace, 'problem/analysis.json'), JSON.stringify(evolvingAnalysis));
  const dry = await polya(here, ['ahc', 'solve', '--model', 'manual:http', '--interactive', '--dry-run']);
  expect([dry.code, dry.err]).toEqual([0, expect.any(String)]);
  const talk = await polya(
    here,
    ['ahc', 'solve', '--model', 'manual:http', '--interactive', '--session-name', 'night'],
    { input: '' },
  );
  expect(talk.code).toBe(0);
  const { asks, pid } = await until(here, 'night', (now) => now.asks);
  endsWithTests(pid);
  expect(asks).toBe(true);
  expect((await polya(here, ['ahc', 'stop', 'night'])).code).toBe(0);
});
