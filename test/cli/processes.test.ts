/** Runs and several processes: kills, interrupts, owners, and somebody who watches. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import { call, hasCalled, lastJournal, launcher, start, until } from './process.ts';
import { eventShape } from './schemas.ts';
import { day1, newPlace, type Place, solvingScript, stallingScript } from './shell.ts';

/** A look at its mailbox every second, and no end. */
function endlessly(place: Place): string[] {
  const reading = {
    toolCalls: [{ name: 'DownloadProblemStatement', args: { year: 2000, day: 1, part: 1 } }],
  };
  const file = join(place.folder, 'endless.json');
  const replies = [{ ...reading, repeat: true }];
  writeFileSync(file, JSON.stringify({ delayMs: 1_000, roles: { solver: { '': replies } } }));
  return [...day1, '--model', `scripted:${file}`, '--max-tool-calls', '1000000'];
}

/** What the site itself has written down. */
function siteSays(place: Place): { stars: number; wrong: number } {
  const database = new DatabaseSync(join(place.folder, '.polya', 'practice', 'practice.sqlite'));
  const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  const found = { stars: count('stars'), wrong: count('wrong_answers') };
  database.close();
  return found;
}

async function submissions(place: Place): Promise<unknown[]> {
  const events = (await lastJournal(place))?.events ?? [];
  return events.flatMap(({ kind, body }) =>
    kind === 'tool-call' && 'name' in body && body.name === 'SubmitAnswer' ? [body.args] : [],
  );
}

describe.concurrent('a run in a process', () => {
  test('is killed, and resumed to its end, with nothing handed in twice', async ({ expect }) => {
    const place = newPlace();
    const script = stallingScript(place, 2);
    const run = start(place, [...day1, '--model', script.model]);
    await until(place, hasCalled('RunGeneratedCode'));
    run.child.kill('SIGKILL');
    expect(await run.ended).toMatchObject({ signal: 'SIGKILL' });

    const listed = await call(place, ['runs', 'list']);
    expect(listed.out).toContain('interrupted');
    const watched = await call(place, ['runs', 'watch', 'last']);
    expect(watched).toMatchObject({ code: 1, err: expect.stringMatching(/Go on with it: .*runs resume/) });

    script.goesOn();
    const resumed = await call(place, ['runs', 'resume', 'last']);
    expect(resumed).toMatchObject({
      code: 0,
      out: expect.stringMatching(/part1 +solved[\s\S]+part2 +solved/),
    });
    expect(await submissions(place)).toHaveLength(2);
    expect(siteSays(place)).toEqual({ stars: 2, wrong: 0 });
    const folded = foldRun((await lastJournal(place))?.events ?? []);
    expect(folded).toMatchObject({ lives: 2, totals: { toolCalls: { SubmitAnswer: 2 } } });
    expect(await call(place, ['runs', 'replay', 'last'])).toMatchObject({ code: 0 });
  });

  test('is refused to others while it lives, is watched by them, and stopped', async ({ expect }) => {
    const place = newPlace();
    const run = start(place, endlessly(place));
    const { id } = await until(place, hasCalled('DownloadProblemStatement'));
    const watching = start(place, ['runs', 'watch', id, '--json']);
    const [resumed, deleted, told, answered] = await Promise.all([
      call(place, ['runs', 'resume', id]),
      call(place, ['runs', 'delete', id, '--yes']),
      call(place, ['runs', 'tell', id, 'Mind the edges.']),
      call(place, ['runs', 'answer', id, 'Yes']),
    ]);
    const pid = (await lastJournal(place))?.row.owner?.pid;
    for (const refused of [resumed, deleted]) {
      expect(refused).toMatchObject({
        code: 4,
        out: '',
        err: expect.stringContaining(`alive in process ${pid}`),
      });
    }
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining('at its next look') });
    expect(answered).toMatchObject({ code: 2, err: expect.stringContaining('asks nothing') });

    await until(place, (events) =>
      events.some(({ kind, body }) => kind === 'inbox' && JSON.stringify(body).includes('Mind')),
    );
    const stopped = await call(place, ['runs', 'stop', id]);
    expect(stopped).toMatchObject({ code: 0, out: expect.stringContaining('is stopped') });
    expect(await run.ended).toMatchObject({ code: 130 });
    const watched = await watching.ended;
    expect(watched.code).toBe(130);
    const lines = watched.out
      .trimEnd()
      .split('\n')
      .map((line) => eventShape.parse(JSON.parse(line)));
    expect(lines.at(-1)).toMatchObject({ kind: 'run-end', body: { outcome: 'cancelled' } });
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  });

  test.for(['SIGINT', 'SIGTERM'] as const)(
    'ends cleanly at %s, and can be resumed',
    async (signal, { expect }) => {
      const place = newPlace();
      const script = stallingScript(place, 1);
      const run = start(place, [...day1, '--model', script.model]);
      await until(place, hasCalled('DownloadProblemStatement'));
      run.child.kill(signal);
      const ended = await run.ended;
      expect(ended).toMatchObject({ code: 130, out: expect.stringContaining('stopped by its user') });
      expect(ended.err).toMatch(/Stopping …[\s\S]*Go on with it: \S+ runs resume/);
      expect((await lastJournal(place))?.row).toMatchObject({ ended: true, owner: null });
      if (signal === 'SIGTERM') return;
      script.goesOn();
      expect(await call(place, ['runs', 'resume', 'last'])).toMatchObject({ code: 0 });
      expect(siteSays(place)).toEqual({ stars: 2, wrong: 0 });
    },
  );

  test('exits at once at the second Ctrl-C', async ({ expect }) => {
    const place = newPlace();
    const run = start(place, [...day1, '--model', stallingScript(place, 1).model]);
    await until(place, hasCalled('DownloadProblemStatement'));
    run.child.kill('SIGINT');
    run.child.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 130 });
  });

  test('has failed where its result cannot be written', async ({ expect }) => {
    const place = newPlace();
    const unwritten = (argv: readonly string[]) =>
      call(place, ['-c', `'${launcher}' '${argv.join("' '")}' > /dev/full`], '/bin/sh');
    const line = /^polya: The result cannot be written to standard output: ENOSPC.*$/gm;
    const run = await unwritten([...day1, '--model', solvingScript(place)]);
    expect(run.code).toBe(3);
    expect(run.err.match(line)).toHaveLength(1);
    expect(siteSays(place)).toEqual({ stars: 2, wrong: 0 });
    for (const argv of [
      ['replay', 'last'],
      ['show', 'last'],
      ['list', '--json'],
      ['watch', 'last'],
    ]) {
      const { code, err } = await unwritten(['runs', ...argv]);
      expect([code, err.trim().match(line)?.length]).toEqual([3, 1]);
    }
    expect(await unwritten(['runs', 'show', 'abc', '--json'])).toMatchObject({ code: 2 });
    // By the name that it was called by.
    const other = join(dirname(launcher), 'ahc-agent');
    const contests = await call(place, ['-c', `'${other}' config > /dev/full`], '/bin/sh');
    expect(contests).toMatchObject({ code: 3, err: expect.stringMatching(/^ahc-agent: The result cannot/m) });
  });

  test('is not troubled by a reader who goes away', async ({ expect }) => {
    const place = newPlace();
    const argv = [...day1, '--model', solvingScript(place)].join("' '");
    const run = `'${launcher}' '${argv}' 2>&1 >/dev/null | head -n 1`;
    const piped = await call(place, ['-c', run], '/bin/sh');
    expect(piped).toMatchObject({ code: 0, out: 'Estimate: free (script)\n', err: '' });
    await until(place, (events) => events.at(-1)?.kind === 'run-end');
    expect(siteSays(place)).toEqual({ stars: 2, wrong: 0 });
    const shown = await call(place, ['-c', `'${launcher}' runs show last | head -n 1`], '/bin/sh');
    expect(shown).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Run .*: solved\n$/) });
  });
});
