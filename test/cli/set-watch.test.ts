/** `polya run-set watch`, and the score of a set of questions that was gone on with. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { newPlace, type Place, polya } from './shell.ts';

const script = (place: Place, slow: boolean) => {
  const file = join(place.folder, 'r.json');
  const stall = slow ? { delayMs: 3_600_000 } : {};
  const say = (text: string, more = {}) => [{ text, repeat: true, ...more }];
  const roles = { solver: { '': say('It is \\boxed{2}', stall) } };
  writeFileSync(file, JSON.stringify({ roles }));
  return `scripted:${file}`;
};

function questions(place: Place): string {
  const rows = [
    { id: 'a', question: '1+1?', answer: '2' },
    { id: 'b', question: '1+2?', answer: '3' },
    { id: 'c', question: '1+1?', answer: '2' },
  ];
  writeFileSync(join(place.folder, 'q.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  return 'q.jsonl';
}

test('a set at work is followed until its process is gone, and its score is told when it was gone on with', async () => {
  const place = newPlace();
  const argv = ['qa', 'run', questions(place), '--agent', 'single-call', '--model', script(place, true)];
  let stop: (() => void) | null = null;
  const running = polya(place, argv, {
    onWrite: (_text, interrupt) => {
      stop = interrupt;
    },
  });
  const set = await until(async () => {
    const { out } = await polya(place, ['run-set', 'list', '--json']);
    const [found]: { id: string; state: string }[] = JSON.parse(out).sets;
    return found?.state === 'running' ? found.id : null;
  });
  let seen = '';
  const watching = polya(place, ['run-set', 'watch', set, '--json'], {
    onWrite: (text) => {
      seen += text;
    },
  });
  await until(() => seen.includes('"running":3'));
  await until(() => stop !== null);
  const call: unknown = stop;
  if (typeof call === 'function') call();
  expect(await running).toMatchObject({ code: 130 });
  expect(await watching).toMatchObject({ code: 1, err: expect.stringContaining('run-set resume') });

  // Its rows were `interrupted`, and a run alone was stopped, by the same Ctrl-C.
  const stopped = await polya(place, ['run-set', 'show', set]);
  expect(stopped.out).toContain('3 stopped with its run-set');
  expect(stopped.out).not.toContain('interrupted');
  expect((await polya(place, ['runs', 'list'])).out).not.toContain('interrupted');

  script(place, false);
  const resumed = await polya(place, ['run-set', 'resume', set]);
  expect(resumed.out).toMatch(/single-call +2 +3 +2 +50\.0%/);
  expect(resumed.err).toContain(`qa score ${set}`);
  const json = await polya(place, ['run-set', 'resume', set, '--json']);
  expect(json.code).toBe(2);

  const watched = await polya(place, ['run-set', 'watch', set]);
  expect(watched.out).toContain('3 of 3 rows');
  expect(watched.out).toContain('2 of 3 right: 66.7 %');
  expect(watched.out).toMatch(/single-call +2 +3/);
  const terminal = await polya(place, ['run-set', 'watch', set], { isTerminal: true });
  expect(terminal.out).toMatch(/single-call +2 +3/);
});

test('`qa score` says why questions are fewer than runs, what is wrong, and why', async () => {
  const place = newPlace();
  const argv = ['qa', 'run', questions(place), '--agent', 'single-call', '--model', script(place, false)];
  const { out } = await polya(place, argv);
  expect(out).toContain('2 questions in 3 runs: 1 row asks word for word what another one asks');
  const wrong = await polya(place, ['qa', 'score', 'last', '--wrong']);
  expect(wrong.out).toMatch(
    /1 wrong run\n\S*b {2}wrong .*\n {2}single-call, scripted:.*\n {2}1\+2\?\n {2}answered 2; right is 3\n/,
  );
  const json = JSON.parse((await polya(place, ['qa', 'score', 'last', '--wrong', '--json'])).out);
  expect(json.runs).toHaveLength(1);
  expect(json.systems[0]).toMatchObject({ runs: 3, twins: 1 });
  const csv = await polya(place, ['qa', 'score', 'last', '--wrong', '--csv']);
  expect(csv.out.trim().split('\n')).toHaveLength(2);
});

test('`qa score` said 0.0 % and never that all was malformed', async () => {
  const place = newPlace();
  const file = join(place.folder, 'r.json');
  writeFileSync(file, JSON.stringify({ roles: { solver: { '': [{ text: '', repeat: true }] } } }));
  const argv = ['qa', 'run', questions(place), '--agent', 'single-call', '--model', `scripted:${file}`];
  await polya(place, argv);
  const { out } = await polya(place, ['qa', 'score', 'last']);
  expect(out).toMatch(/^3 (malformed|gave-up|error): \S/m);
});
