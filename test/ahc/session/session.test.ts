/** Sessions in real processes: stopped, killed, gone on with, two at once; and what is then on disk. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sessionFiles } from '../../../src/apps/ahc/session/files.ts';
import { refuseTakenName, sessionNamed } from '../../../src/apps/ahc/session/sessions.ts';
import { openWorkspace } from '../../../src/open/families/ahc/workspace.ts';
import { polya } from '../../cli/shell.ts';
import { coded } from '../../support/coded.ts';
import {
  type Begun,
  type Bench,
  begin,
  bench,
  ended,
  goOn,
  isGone,
  lines,
  seen,
  started,
  status,
  until,
} from './sessions.ts';

const generations = 'evolution.max_generations';
/** More than come to an end while a test goes on, on whatever machine. */
const endless = 1_000_000;
const candidatesOf = ({ candidates }: { candidates: Record<string, number> }): number =>
  Object.values(candidates).reduce((sum, each) => sum + each, 0);

/** Everything that the journal says stands in the folder, byte for byte. */
async function expectProjected(here: Bench, { name, folder }: Begun): Promise<void> {
  const { state, facts } = await seen(here, name);
  const expected = sessionFiles(state, facts, { isAlive: false });
  expect(Object.keys(expected)).toContain('best_solution.cpp');
  for (const [path, text] of Object.entries(expected))
    expect([path, readFileSync(join(folder, path), 'utf8')]).toEqual([path, text]);
}

// They wait for processes, each for its own.
describe.concurrent('a session', () => {
  test('lives on without its terminal, is stopped at any moment, and goes on with other settings', async () => {
    const here = bench();
    const begun = await begin(here, 'night', { [generations]: endless });
    process.kill(begun.pid, 'SIGHUP');
    const running = await until(here, 'night', (now) => candidatesOf(now) >= 6);
    expect(running).toMatchObject({
      status: 'running',
      pid: begun.pid,
      max_generations: endless,
      labels: [expect.stringContaining('script')],
    });
    expect(running.machine.memory_bytes).toBeGreaterThan(1e6);
    // A session of its own: a terminal's signals do not reach it.
    expect(readFileSync(`/proc/${begun.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3]).toBe(
      String(begun.pid),
    );
    await expect(goOn(here, begun, {})).rejects.toThrow(coded('session-running'));

    const stopped = await polya(here, ['ahc', 'stop']);
    expect(stopped.code).toBe(0);
    expect(stopped.out).toMatch(
      /^The session night is stopped\.\nKept: \d+ candidates in .*; best_solution\.cpp is gen/,
    );
    expect(await status(here, 'night')).toMatchObject({ status: 'stopped', pid: null });
    expect(JSON.parse(readFileSync(join(here.workspace, 'night/session.json'), 'utf8')).status).toBe(
      'stopped',
    );
    await expectProjected(here, begun);
    expect(await polya(here, ['ahc', 'stop', 'night'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not run: it is stopped'),
    });

    const { current_generation: generation } = await status(here, 'night');
    const again = await goOn(here, begun, { [generations]: generation + 2 });
    expect(again).toMatchObject({
      how: 'resume',
      changes: [`maxGenerations ${endless} → ${generation + 2}`],
    });
    const done = await ended(here, again);
    expect(done).toMatchObject({
      status: 'completed',
      current_generation: generation + 2,
      runs: ['night-1'],
    });
    expect(done.over).toContain('generations are begun');
    await expectProjected(here, begun);
    // A stop breaks off what is in flight, which is asked again; nothing else is.
    const calls = lines(join(here.workspace, 'calls.log'));
    expect(calls.length - new Set(calls).size).toBeLessThanOrEqual(2);

    await expect(goOn(here, begun, {})).rejects.toThrow(coded('session-over'));
    const longer = await goOn(here, begun, { [generations]: generation + 4 });
    expect(longer.how).toBe('fork');
    const last = await ended(here, longer);
    expect(last).toMatchObject({
      status: 'completed',
      current_generation: generation + 4,
      runs: ['night-1', 'night-2'],
    });
    expect(candidatesOf(last)).toBe(candidatesOf(done) + 8);
    await expectProjected(here, begun);
    expect(lines(join(here.workspace, 'calls.log'))).toHaveLength(calls.length + 8);
    // The folder of any run, made of its journal alone.
    const exported = await polya(here, ['ahc', 'export', 'night-2', '--out', '../copy']);
    expect([exported.code, exported.err]).toEqual([0, expect.stringContaining('outputs of')]);
    const { state, facts } = await seen(here, 'night');
    for (const path of Object.keys(sessionFiles(state, facts, { isAlive: false })))
      expect([path, readFileSync(join(here.workspace, '../copy', path), 'utf8')]).toEqual([
        path,
        readFileSync(join(begun.folder, path), 'utf8'),
      ]);
    expect(
      lines(join(here.workspace, 'results.csv')).filter((line) => line.startsWith('night,')),
    ).toHaveLength(1);
    // Its beginning, and what each of its lives came to.
    const tried = lines(join(here.workspace, 'experiments.log')).filter((line) => line.includes(' night '));
    const states = tried.map((line) => line.split(' ')[3]?.replace(':', ''));
    expect(states).toEqual(['running', 'stopped', 'completed', 'completed']);
  });

  test('that was killed is told from one that runs, and loses nothing', async () => {
    const here = bench();
    const begun = await begin(here, 'killed', { [generations]: endless });
    await until(here, 'killed', (now) => candidatesOf(now) >= 5);
    process.kill(begun.pid, 'SIGKILL');
    const crashed = await ended(here, begun);
    expect(crashed).toMatchObject({ status: 'crashed', pid: null });
    const filed = () => JSON.parse(readFileSync(join(here.workspace, 'killed/session.json'), 'utf8'));
    // It went on saying that it runs.
    expect(filed()).toMatchObject({
      status: 'crashed',
      end_time: expect.stringMatching(/^2/),
      error_message: expect.stringContaining('solve --session-id goes on with it'),
    });
    expect((await polya(here, ['ahc', 'status'])).out).toContain('solve --session-id killed');
    expect(await polya(here, ['ahc', 'stop'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing to stop'),
    });
    const last = crashed.current_generation + 2;
    const again = await goOn(here, begun, { [generations]: last });
    expect(again.how).toBe('resume');
    expect(await ended(here, again)).toMatchObject({
      status: 'completed',
      current_generation: last,
    });
    expect(filed()).toMatchObject({ status: 'completed', error_message: null });
    await expectProjected(here, begun);
    const calls = lines(join(here.workspace, 'calls.log'));
    expect(calls.length - new Set(calls).size).toBeLessThanOrEqual(2);
    const log = readFileSync(join(here.workspace, 'killed/logs/session.log'), 'utf8');
    const marks = [...log.matchAll(/^\S+Z [A-Z]+ (\d+\.\d+) /gm)].map(([, mark]) => mark);
    expect(new Set(marks).size).toBe(marks.length);
    expect(log).toContain('IDEA: try');
  });

  test('does not disturb another in the same workspace; changed by a fork where its model is another', async () => {
    const here = bench(
      'workspace:\n  keep_session_files: false\n  max_log_size_mb: 0.02\nlogging:\n  json: true\n  level: ERROR\n',
    );
    const [one, two] = await Promise.all([
      begin(here, 'one', { [generations]: endless, 'evolution.population_size': 3 }),
      begin(here, 'two', { [generations]: endless }),
    ]);
    expect(await polya(here, ['ahc', 'status'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('2 sessions run here: '),
    });
    expect(await polya(here, ['ahc', 'stop'])).toMatchObject({ code: 2 });
    for (const name of ['one', 'two'])
      await until(here, name, (now) => candidatesOf(now) >= 4 && now.best_score !== null);
    // Let go on twice at once: the late one sent its settings before it was refused.
    const messages = [JSON.stringify({ type: 'settings', settings: { maxGenerations: 1 } })];
    const late = { how: 'resume' as const, run: 'two-1', messages };
    await expect(started(here.workspace, here.env, 'two', late)).rejects.toThrow(coded('run-owned'));
    expect((await status(here, 'two')).max_generations).toBe(endless);
    expect((await polya(here, ['ahc', 'stop', 'two'])).code).toBe(0);
    expect((await ended(here, two)).status).toBe('stopped');
    expect(existsSync(join(here.workspace, 'two/best_solution.cpp'))).toBe(true);
    expect(existsSync(join(here.workspace, 'two/solutions'))).toBe(false);
    expect(readdirSync(join(here.workspace, 'one/solutions')).length).toBeGreaterThan(0);
    expect((await polya(here, ['ahc', 'stop', 'one', '--json'])).code).toBe(0);
    const changed = await goOn(here, one, { [generations]: 2 }, { models: { default: 'scripted/other' } });
    expect(changed).toMatchObject({ how: 'fork' });
    expect(await ended(here, changed)).toMatchObject({
      status: 'completed',
      runs: ['one-1', 'one-2'],
      // Whose words its beginning holds is told too: a script was not, once a model had followed it.
      models: [
        { role: 'default', model: 'scripted/other', kind: 'script' },
        { role: 'before the fork', kind: 'script' },
      ],
      // Options of its beginning were forgotten in what is told of a session that went on.
      configuration_snapshot: {
        'evolution.max_generations': 2,
        'evolution.population_size': 3,
        options: { models: { default: 'scripted/other' }, islands: 2, heldOutCases: 0 },
      },
    });
    const table = await polya(here, ['ahc', 'status', '--all']);
    expect(table.out).toMatch(/^one +completed.*free \(script\)$/m);
    // One whose session.json cannot be read was left out without a word.
    mkdirSync(join(here.workspace, 'broken'));
    writeFileSync(join(here.workspace, 'broken/session.json'), '{"version": 9}');
    const left = await polya(here, ['ahc', 'status', 'one', '--json']);
    expect(left.err).toMatch(/^Left out: broken, whose session\.json cannot be read/);
    expect(JSON.parse(left.out).operators).toMatchObject([
      { operator: 'template', made: 1, improvements: 0 },
      { operator: 'initial' },
      { operator: 'rewrite' },
    ]);
    rmSync(join(here.workspace, 'broken'), { recursive: true });
    expect(JSON.parse((await polya(here, ['ahc', 'status', '--all', '--json'])).out)).toHaveLength(2);
    const names = lines(join(here.workspace, 'results.csv')).map((line) => line.split(',')[0]);
    expect(names.toSorted()).toEqual(['one', 'session', 'two']);
    for (const line of lines(join(here.workspace, 'one/logs/session.log')))
      expect(JSON.parse(line).mark).toMatch(/^\d+\.\d+$/);
    expect(isGone(two.pid)).toBe(true);
    expect(readdirSync(join(here.workspace, 'one/logs')).join()).toMatch(/session\.log\.\d{8}T/);
    expect(existsSync(join(here.env.HOME ?? '', '.ahc_agent/ahc_agent.log'))).toBe(false);
  });
});

test.concurrent('that has come to its budget goes on with a larger one, and is shown while it does', async () => {
  const here = bench();
  const poor = await begin(here, 'poor', { [generations]: 3 }, { limits: { modelCalls: 9 } });
  const watched = await polya(here, ['ahc', 'status', '--watch']);
  expect(watched.code).toBe(0);
  // It may have come to its end before it was looked at.
  expect(watched.out).toMatch(/Session poor, polya002 \(maximise, absolute\): completed/);
  const broke = await ended(here, poor);
  expect(broke).toMatchObject({ status: 'completed', over: expect.stringContaining('modelCalls') });
  const calls = lines(join(here.workspace, 'calls.log'));
  const rich = await goOn(here, poor, {}, { limits: { modelCalls: 1_000 } });
  expect(rich).toMatchObject({ how: 'fork', changes: ['modelCalls → 1000'] });
  expect(await ended(here, rich)).toMatchObject({
    status: 'completed',
    over: expect.stringContaining('generations are begun'),
  });
  await expectProjected(here, rich);
  // What was refused is asked for now; what was paid is not asked again.
  const all = lines(join(here.workspace, 'calls.log'));
  expect(all.slice(0, calls.length)).toEqual(calls);
  expect(new Set(all).size).toBe(all.length);
});

test.concurrent('whose model refuses its key has failed, says why, and has written the key nowhere', async () => {
  const heard: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    heard.push(headers.authorization);
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `no such key: ${headers.authorization}` } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const key = 'sk-very-secret-of-mine';
  const here = bench(`llm: {provider: openai-compatible, model: m, api_key: '\${TOY_KEY}'}\n`);
  const env = { ...here.env, TOY_KEY: key, OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1` };
  const begun = await begin({ ...here, env }, 'refused', {}, { models: {} });
  const failed = await ended({ ...here, env }, begun);
  server.close();
  expect(heard[0]).toBe(`Bearer ${key}`);
  expect(failed).toMatchObject({ status: 'failed', error_message: expect.stringContaining('auth') });
  expect(JSON.parse(readFileSync(join(here.workspace, 'refused/session.json'), 'utf8'))).toMatchObject({
    status: 'failed',
  });
  // The end of a long reason was cut off, and with it what to do.
  const told = (await polya({ ...here, env }, ['ahc', 'status', 'refused'])).out.replaceAll(/\s+/g, ' ');
  expect(told).toContain(String(failed.error_message).replaceAll(/\s+/g, ' '));
  for (const entry of readdirSync(here.workspace, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      expect(readFileSync(join(entry.parentPath, entry.name)).includes(key), entry.name).toBe(false);
  }
  // Older ones first: a day may have begun meanwhile.
  const logs = join(here.env.HOME ?? '', '.ahc_agent');
  const names = readdirSync(logs).toSorted().toReversed();
  expect(names.map((name) => readFileSync(join(logs, name), 'utf8')).join('')).toMatch(
    / INFO \[\d+\] refused: run refused-1 begins\n[\s\S]* ERROR \[\d+\] refused: failed: error/,
  );
});

test('what cannot go on is said before anything is changed', async () => {
  const here = bench();
  const workspace = openWorkspace({ folder: here.workspace, env: here.env });
  for (const name of ['problem', '.hidden', 'a/b', ''])
    await expect(refuseTakenName(workspace, name)).rejects.toThrow(coded('session-name-invalid'));
  await expect(refuseTakenName(workspace, 'ahc_config.yaml')).rejects.toThrow(
    'something called ahc_config.yaml',
  );
  expect(() => sessionNamed([], 'x')).toThrow(coded('session-ambiguous'));
});
