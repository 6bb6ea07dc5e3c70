/** The commands over runs, in process, over runs of the practice site. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { typed } from '../support/typed.ts';
import { eventShape, listShape, replayShape, runShape, shownShape } from './schemas.ts';
import { day1, newPlace, type Place, polya, solvingScript } from './shell.ts';

async function solved(place: Place, ...more: string[]) {
  const { out } = await polya(place, [...day1, '--model', solvingScript(place), '--json', ...more]);
  return runShape.parse(JSON.parse(out));
}

function change(place: Place, sql: string): void {
  const database = new DatabaseSync(join(place.folder, '.polya', 'polya.db'));
  database.exec(sql);
  database.close();
}

describe('runs list and show', () => {
  test('without any runs', async () => {
    const place = newPlace();
    expect(await polya(place, ['runs', 'list'])).toMatchObject({
      code: 0,
      out: 'No runs yet. Start with `./polya demo`.\n',
    });
    expect(JSON.parse((await polya(place, ['runs', 'list', '--json'])).out)).toEqual({
      runs: [],
      more: false,
    });
  });

  test('list them, newest first, labelled', async () => {
    const place = newPlace();
    const first = await solved(place);
    const second = await solved(place, '--max-tool-calls', '1');
    const listed = await polya(place, ['runs', 'list']);
    expect(listed.out).toMatch(
      new RegExp(`run .*\\n${second.id} .*\\(script\\) +limit .*\\n${first.id} .*solved`),
    );
    const { runs, more } = listShape.parse(
      JSON.parse((await polya(place, ['runs', 'list', '--json', '--limit', '1'])).out),
    );
    expect(more).toBe(true);
    expect(runs).toMatchObject([{ id: second.id, state: 'ended', outcome: 'limit', modelKinds: ['script'] }]);
    expect((await polya(place, ['runs', 'list', '--limit', '1'])).err).toContain('--limit shows more');
  });

  test('show one, by id, beginning, end, and as the last', async () => {
    const place = newPlace();
    const { id } = await solved(place);
    for (const name of [id, id.slice(0, -1), id.slice(-4), 'last']) {
      const shown = await polya(place, ['runs', 'show', name]);
      expect(shown.out).toMatch(new RegExp(`^Run ${id}: solved\n`));
      expect(shown.out).toMatch(/\n {3}1 +\+0\.0 {2}run-start +Ticket Stubs/);
      expect(shown.out).toMatch(/tool-call +main#3 +→ DownloadProblemStatement/);
    }
    const shown = shownShape.parse(JSON.parse((await polya(place, ['runs', 'show', 'last', '--json'])).out));
    expect(shown.journal).toHaveLength(shown.events);
    const request = shown.journal.find(({ kind }) => kind === 'model-request')?.seq ?? 0;
    const event = await polya(place, ['runs', 'show', 'last', '--event', String(request)]);
    expect(event.out).toMatch(/^event \d+: model-request at main#2, \d{4}-.*\n\n(.*\n)*role: solver\n/);
    expect(event.out).toMatch(/content: \|-\n +\S/);
    const whole = eventShape.parse(
      JSON.parse((await polya(place, ['runs', 'show', 'last', '--event', String(request), '--json'])).out),
    );
    expect(whole.body.messages).toHaveLength(2);
    expect(await polya(place, ['runs', 'show', 'last', '--event', '999'])).toMatchObject({
      code: 2,
      out: '',
    });
    expect((await polya(place, ['runs', 'show', 'last', '--full'])).out).toMatch(
      /event 1: run-start[\s\S]+event 2: /,
    );
  });

  test('an ambiguous name', async () => {
    const place = newPlace();
    const { id } = await solved(place, '--max-tool-calls', '1');
    await solved(place, '--max-tool-calls', '1');
    // The century alone: midnight may lie between them.
    expect(await polya(place, ['runs', 'show', id.slice(0, 2)])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/2 runs begin or end with \d\d\..*Give more/s),
    });
  });

  test('a damaged journal, and one of a newer Polya, are shown as far as they go', async () => {
    const place = newPlace();
    await solved(place);
    change(place, 'DELETE FROM events WHERE seq = 9');
    const damaged = await polya(place, ['runs', 'show', 'last']);
    expect(damaged).toMatchObject({ code: 4, err: expect.stringContaining('damaged at event 9') });
    expect(damaged.out).toMatch(/\n {3}8 /);
    for (const command of ['resume', 'replay', 'watch']) {
      const refused = await polya(place, ['runs', command, 'last']);
      expect(refused, command).toMatchObject({ code: 4 });
      expect(refused.err).toContain('damaged at event 9');
    }
    change(place, `UPDATE events SET body = json_set(body, '$.version', 99) WHERE seq = 1`);
    const newer = await polya(place, ['runs', 'show', 'last', '--json']);
    expect(newer).toMatchObject({ code: 4, err: expect.stringContaining('version 99') });
    expect(shownShape.parse(JSON.parse(newer.out)).damage).toMatchObject({ seq: 9 });
  });
});

describe('runs replay and fork', () => {
  test('replays to the same end', async () => {
    const place = newPlace();
    const { id } = await solved(place);
    const told = await polya(place, ['runs', 'replay', 'last']);
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining('the same end: solved') });
    expect(told.out).toContain('script: replies written ahead');
    const replay = replayShape.parse(JSON.parse((await polya(place, ['runs', 'replay', id, '--json'])).out));
    expect(replay).toMatchObject({ id, complete: true, same: true, outcome: 'solved', journaled: 'solved' });
  });

  test('says when the replay comes to another end', async () => {
    const place = newPlace();
    await solved(place);
    change(place, `UPDATE events SET body = json_set(body, '$.outcome', 'wrong') WHERE kind = 'run-end'`);
    expect(await polya(place, ['runs', 'replay', 'last'])).toMatchObject({
      code: 4,
      out: expect.stringMatching(/ANOTHER END: solved, Both parts .*; the journal holds wrong, Both parts/),
    });
    change(
      place,
      `UPDATE events SET body = json_set(body, '$.codeVersion', '0.0.1') WHERE kind = 'run-start'`,
    );
    expect((await polya(place, ['runs', 'replay', 'last'])).out).toContain(
      'was written by Polya 0.0.1, this is',
    );
  });

  test('forks with a hint, from an event', async () => {
    const place = newPlace();
    const { id } = await solved(place);
    const forked = await polya(place, typed`runs fork ${id} --at 6 --hint ${'Mind the edges.'} --json`);
    const fork = runShape.parse(JSON.parse(forked.out));
    expect(fork).toMatchObject({
      outcome: 'solved',
      forkOf: { run: id, seq: 6 },
      inherited: { modelCalls: 1 },
    });
    const compared = await polya(place, ['runs', 'diff', id, fork.id]);
    expect(compared.out).toMatch(/How they were begun\n.*\nhints +– +Mind the edges\.\n/);
    expect(forked.err).toContain('told: Mind the edges.');
    const shown = await polya(place, ['runs', 'show', fork.id]);
    expect(shown.out).toMatch(/begun .* as a fork of .* after its event 6/);
    expect(shown.out).toMatch(/taken over +1 model call, /);
  });

  test('a hint that comes too late to be read is told before and after; another model has no estimate yet', async () => {
    const place = newPlace();
    const { id } = await solved(place);
    const { journal } = shownShape.parse(
      JSON.parse((await polya(place, ['runs', 'show', id, '--json'])).out),
    );
    const last = journal.findLast(({ kind }) => kind === 'inbox')?.seq ?? 0;
    const late = await polya(place, ['runs', 'fork', id, '--at', String(last), '--hint', 'Too late.']);
    expect(late.err).toContain(`looked for no notes: fork with --at ${last - 1} or earlier`);
    expect(late.err).toContain('did not read the hint');
    const parted = await polya(place, ['runs', 'diff', id, 'last']);
    expect(parted.out).toMatch(/\nhints +– +Too late\. \(not read\)\n/);
    const other = await polya(place, ['runs', 'fork', id, '--at', '6', '--model', solvingScript(place, 1)]);
    expect(other.err).toContain("Estimate: with another model than its parent's, which took 5 model calls");
    expect(other.err).not.toContain('hint');
    const dry = await polya(
      place,
      typed`runs fork ${id} --at ${String(last)} --hint ${'Too late.'} --dry-run`,
    );
    expect(dry.err).toContain(`looked for no notes: fork with --at ${last - 1} or earlier`);
    expect(dry.out).toContain('from its parent: ');
    // The script of the first fork, by another path.
    const link = join(place.folder, 'link.yaml');
    symlinkSync(solvingScript(place, 1).replace('scripted:', ''), link);
    for (const name of [solvingScript(place, 1), `scripted:${link}`]) {
      const same = await polya(place, ['runs', 'fork', 'last', '--at', '6', '--model', name, '--dry-run']);
      expect(same.out, same.err).not.toContain('another model');
    }
    const { out } = await polya(place, ['runs', 'show', id]);
    expect(out).not.toContain('nothing was told');
    expect(out).toMatch(/\n\d+ looks for notes found none; --full shows them\.\n$/);
  });

  test('a fork goes on where a limit ended its parent', async () => {
    const place = newPlace();
    const { id } = await solved(place, '--max-tool-calls', '2');
    const { code, out } = await polya(
      place,
      typed`runs fork ${id} --max-tool-calls 9 --set reminders=0 --json`,
    );
    expect(code).toBe(0);
    expect(runShape.parse(JSON.parse(out))).toMatchObject({
      outcome: 'solved',
      limits: { toolCalls: 9 },
      settings: { reminders: 0 },
    });
  });

  test('what cannot be forked', async () => {
    const place = newPlace();
    const { id } = await solved(place, '--max-tool-calls', '1');
    const fork = (...more: string[]) => polya(place, ['runs', 'fork', id, ...more]);
    expect(await fork('--at', '999')).toMatchObject({
      code: 2,
      err: expect.stringContaining('has no event 999'),
    });
    expect(await fork('--set', 'reminders=many')).toMatchObject({ code: 2 });
    expect(await fork('--model', 'foo/bar')).toMatchObject({ code: 2 });
    expect(await fork('--at', '0')).toMatchObject({ code: 2 });
    expect(await fork('--at', '5', '--set', 'foo=1')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/no setting foo[\s\S]*reminders, .*temperature/),
    });
    for (const hint of ['', ' ']) {
      expect(await fork('--hint', hint)).toMatchObject({
        code: 2,
        err: expect.stringContaining('hint is empty'),
      });
    }
    expect(
      listShape.parse(JSON.parse((await polya(place, ['runs', 'list', '--json'])).out)).runs,
    ).toHaveLength(1);
  });
});

describe('a fork tells', () => {
  test('why it begins before the event that was named', async () => {
    const place = newPlace();
    const { id, events } = await solved(place);
    const forked = await polya(place, ['runs', 'fork', id, '--at', String(events), '--json']);
    const { forkOf } = runShape.parse(JSON.parse(forked.out));
    expect(forkOf?.seq).toBeLessThan(events);
    expect(forked.err).toContain(
      `Event ${events} belongs to how the run was graded and ended, which a fork never shares: it goes on after event ${forkOf?.seq}.`,
    );
    const plain = await polya(place, ['runs', 'fork', id, '--at', '6']);
    expect(plain.err).not.toContain('never shares');
  });

  test('no negative times of its parent', async () => {
    const place = newPlace();
    await solved(place);
    await polya(place, ['runs', 'fork', 'last', '--at', '6']);
    const { out } = await polya(place, ['runs', 'show', 'last']);
    expect(out).toMatch(/\n {3}1 +\+0\.0 {2}run-start[\s\S]+run-fork/);
    expect(out).not.toContain('+-');
  });
});

describe('an ended run', () => {
  test('is neither resumed, stopped, told nor answered', async () => {
    const place = newPlace();
    await solved(place);
    const refused = async (...argv: string[]) => {
      const answer = await polya(place, ['runs', ...argv]);
      expect(answer).toMatchObject({ code: 2, out: '' });
      return answer.err;
    };
    expect(await refused('resume', 'last')).toMatch(/has ended: solved/);
    expect(await refused('stop', 'last')).toMatch(/is not running: it has ended/);
    expect(await refused('tell', 'last', 'Hello')).toMatch(/it reads nothing more/);
    expect(await refused('answer', 'last', 'Hello')).toMatch(/asks nothing/);
  });

  test('can be watched to its end', async () => {
    const place = newPlace();
    const { id, events } = await solved(place);
    const text = await polya(place, ['runs', 'watch', 'last']);
    expect(text.code).toBe(0);
    expect(text.out).toMatch(/✔ part2 is solved[\s\S]+Run .*: solved/);
    const lines = (await polya(place, ['runs', 'watch', id, '--json'])).out.trimEnd().split('\n');
    const shown = lines.map((line) => eventShape.parse(JSON.parse(line)));
    expect(shown.map(({ seq }) => seq)).toEqual(Array.from({ length: events }, (_, index) => index + 1));
    expect(shown.find(({ kind }) => kind === 'model-request')?.body).toMatchObject({ messageCount: 2 });
  });

  test('is deleted, when its user is sure', async () => {
    const place = newPlace();
    const { id } = await solved(place, '--max-tool-calls', '1');
    const refused = await polya(place, ['runs', 'delete', id]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Add --yes') });
    const asked = await polya(place, ['runs', 'delete', id], { isInteractive: true, confirms: false });
    expect(asked).toMatchObject({
      code: 130,
      err: expect.stringMatching(/Delete 1 run for good.*Nothing was deleted/s),
    });
    expect(await polya(place, ['runs', 'delete', id, 'nothing', '--yes'])).toMatchObject({
      code: 2,
      out: '',
    });
    const deleted = await polya(place, ['runs', 'delete', id, 'last'], {
      isInteractive: true,
      confirms: true,
    });
    expect(deleted).toMatchObject({ code: 0, out: `Deleted run ${id}.\n` });
    expect((await polya(place, ['runs', 'list'])).out).toContain('No runs yet');
    expect((await polya(place, ['runs', 'show', 'last'])).err).toContain('There is no run last');
  });
});

describe('a run that is stopped by its user', () => {
  test('closes its journal, and is resumed', async () => {
    const place = newPlace();
    const argv = [...day1, '--model', solvingScript(place, 300), '--json'];
    const stopped = await polya(place, argv, {
      onWrite: (text, interrupt) => {
        if (text.includes('→ RunGeneratedCode')) setTimeout(interrupt, 150);
      },
    });
    expect(stopped.code).toBe(130);
    expect(stopped.err).toMatch(
      /Stopping …[\s\S]*stopped by its user[\s\S]*Go on with it: .\/polya runs resume/,
    );
    expect(runShape.parse(JSON.parse(stopped.out))).toMatchObject({ outcome: 'cancelled', state: 'ended' });

    const told = await polya(place, ['runs', 'replay', 'last']);
    expect(told.code).toBe(0);
    const resumed = await polya(place, ['runs', 'resume', 'last', '--json']);
    expect(resumed.code, resumed.out + resumed.err).toBe(0);
    expect(runShape.parse(JSON.parse(resumed.out))).toMatchObject({ outcome: 'solved', lives: 2 });
    expect((await polya(place, ['runs', 'show', 'last'])).out).toMatch(/resumed +1 time/);
  });

  test('a stopped run can be forked', async () => {
    const place = newPlace();
    await polya(place, [...day1, '--model', solvingScript(place, 300)], {
      onWrite: (text, interrupt) => {
        if (text.includes('→ RunGeneratedCode')) setTimeout(interrupt, 150);
      },
    });
    const { code, out } = await polya(place, ['runs', 'fork', 'last', '--json']);
    expect({ code, run: JSON.parse(out).outcome }).toEqual({ code: 0, run: 'solved' });
  });
});
