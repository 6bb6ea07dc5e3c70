/** `polya ahc solve` as its user calls it: real processes, the real family and search, a script that is in no hurry. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { practiceWorkspace } from '../ahc/practice-workspace.ts';
import { endsWithTests } from '../support/session-worker.ts';
import { until } from '../support/until.ts';
import { call, start } from './process.ts';
import { begunShape, sessionShape, stoppedShape } from './schemas.ts';
import { newPlace, type Place, polya } from './shell.ts';

function solvable(): Place {
  const { folder, env } = newPlace();
  const workspace = practiceWorkspace(folder, { inputs: 3 });
  writeFileSync(join(workspace, 'problem/problem.md'), 'Deliver parcels.\n');
  // It thinks for longer than any test lasts: a session ends because it is stopped.
  const reply = { text: 'Let me think.', delayMs: 3_600_000 };
  writeFileSync(join(workspace, 'slow.json'), JSON.stringify({ roles: { analyst: { '*': [reply] } } }));
  return { folder: workspace, env };
}

const slow = ['ahc', 'solve', '--model', 'scripted:slow.json'];
const statusOf = async (place: Place, name: string) =>
  sessionShape.parse(JSON.parse((await polya(place, ['ahc', 'status', name, '--json'])).out));

test('the session lives on when whoever began it is killed, and is stopped by another', async () => {
  const place = solvable();
  const { child, ended } = start(place, [...slow, '--session-name', 'orphan']);
  const document = join(place.folder, 'orphan/session.json');
  await until(() => existsSync(document), 20);
  child.kill('SIGKILL');
  await ended;
  const seen = await until(async () => {
    const now = await statusOf(place, 'orphan');
    return now.status === 'running' ? now : null;
  }, 100);
  const pid = Number(seen.pid);
  endsWithTests(pid);
  process.kill(pid, 'SIGHUP');
  expect(seen).toMatchObject({
    competition_id: 'polya002',
    labels: [expect.stringContaining('script')],
  });
  const watched = await polya(place, ['ahc', 'status', 'orphan', '--watch'], {
    isTerminal: true,
    onWrite: (_text, interrupt) => interrupt(),
  });
  expect([watched.code, watched.out]).toEqual([130, expect.stringContaining('Session \x1b[1morphan')]);
  const stopped = await call(place, ['ahc', 'stop', '--json']);
  expect(stopped.code).toBe(0);
  expect(stoppedShape.parse(JSON.parse(stopped.out))).toMatchObject({
    session: 'orphan',
    status: 'stopped',
    best: null,
  });
});

test('a second one of the same name is refused; JSON tells what was begun; SIGTERM stops it as well', async () => {
  const place = solvable();
  const answer = await call(place, [...slow, '--session-name', 'one', '--json']);
  const decided =
    /^Estimate: free \(script\); (3 islands for the best of 16 beginnings, 2 candidates of each at once: its generations have room for 300 candidates, .*)$/m;
  expect([answer.code, answer.err]).toEqual([0, expect.stringMatching(decided)]);
  const begun = begunShape.parse(JSON.parse(answer.out));
  endsWithTests(begun.pid);
  expect(begun).toMatchObject({ session: 'one', folder: join(place.folder, 'one'), label: 'free (script)' });
  expect(await polya(place, [...slow, '--session-name', 'one'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('something called one'),
  });
  expect(await polya(place, [...slow, '--session-id'])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`in process ${begun.pid}`),
  });
  process.kill(begun.pid, 'SIGTERM');
  await until(async () => (await statusOf(place, 'one')).status !== 'running', 100);
  expect(await statusOf(place, 'one')).toMatchObject({
    status: 'stopped',
    outcome: 'cancelled',
    islands_because: decided.exec(answer.err)?.[1],
  });
  // As a full disk would have left it.
  const file = join(place.folder, 'one/session.json');
  await until(() => /"status": "stopped"/.test(readFileSync(file, 'utf8')), 50);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"status": "stopped"', '"status": "running"'));
  expect(await statusOf(place, 'one')).toMatchObject({ status: 'stopped', files_behind: false });
  expect(readFileSync(file, 'utf8')).toContain('"status": "stopped"');
  const dry = await polya(place, [
    'ahc',
    'solve',
    '--session-id',
    'on',
    '--dry-run',
    '--max-generations',
    '40',
  ]);
  expect([dry.code, dry.err]).toEqual([0, expect.stringContaining('maxGenerations 30 → 40')]);
  expect(dry.out).toContain('Dry run: nothing was called');
  expect(await polya(place, ['ahc', 'solve', '--session-id', 'one', '--islands', '2'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--islands cannot change'),
  });
});

test('a session in its own process has the models of polya.config.ts', async () => {
  const place = solvable();
  const config = `
    import { scriptedModel } from 'polya';
    const script = () => ({ text: 'Let me think.', delayMs: 3_600_000 });
    export default { models: { slow: scriptedModel({ id: 'slow', script }) }, model: 'slow' };
  `;
  writeFileSync(join(place.folder, 'polya.config.ts'), config);
  const answer = await call(place, ['ahc', 'solve', '--session-name', 'own', '--json']);
  expect(answer, answer.err).toMatchObject({ code: 0 });
  const { pid, run } = begunShape.parse(JSON.parse(answer.out));
  endsWithTests(pid);
  const shown = await call(place, ['runs', 'show', run, '--json']);
  expect(JSON.parse(shown.out)).toMatchObject({ code: [{ file: 'polya.config.ts', brings: ['model'] }] });
  expect(await call(place, ['ahc', 'stop', '--json'])).toMatchObject({ code: 0 });
});
