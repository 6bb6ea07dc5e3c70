/**
 * The upgrade from 0.1 to this version loses nothing: of each family, a store that 0.1 really wrote is listed, shown,
 * viewed, exported, replayed, forked and resumed, settings that did not exist then mean what was so then, and no row that
 * 0.1 wrote changes. The store of `first` is of the first schema, the others are of the third (test/fixtures/README.md).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { settingsInJournal } from '../../src/core/define.ts';
import { agentLoaders } from '../../src/open/agents.ts';
import { schemaVersion } from '../../src/store/schema.ts';
import { type State, unpacked } from '../before/fixture.ts';
import { polya } from '../cli/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** `at`: the event after which the run is forked. */
const stores = [
  { family: 'aoc', name: 'first', schema: 1, run: '20261123-113034-zesu', at: 20 },
  { family: 'qa', name: 'ensemble', schema: 3, run: 'run', at: 4 },
  { family: 'proof', name: 'verify-loop', schema: 3, run: 'run', at: 12 },
  { family: 'arc', name: 'induction-graph', schema: 3, run: 'run', at: 6 },
  { family: 'ahc', name: 'evolution', schema: 3, run: 'run', at: 8 },
] as const;

describe.each(stores)('a store of $family, schema $schema', ({ family, name, schema, run, at }) => {
  const whole = storeOf(name, 'whole');
  const cut = storeOf(name, 'cut');
  const before = { whole: whole.rows(), cut: cut.rows() };
  const header: Header = JSON.parse(before.whole.find(({ kind }) => kind === 'run-start')?.body ?? '');

  beforeAll(() => {
    expect([whole.version(), cut.version()]).toEqual([schema, schema]);
    expect(header).toMatchObject({ codeVersion: '0.1.0', problem: { family } });
  });

  test('is listed and shown', async () => {
    const listed: { runs: { id: string }[] } = JSON.parse(await whole.call('runs', 'list', '--json'));
    expect(listed.runs.map(({ id }) => id)).toContain(run);
    expect(JSON.parse(await whole.call('runs', 'show', run, '--json'))).toMatchObject({ id: run });
    expect(await whole.call('runs', 'show', run)).toContain(header.problem.title);
  });

  test('is viewed, as one file, and exported', async () => {
    await whole.call('view', run, '--export', 'run.html');
    const page = readFileSync(join(whole.folder, 'run.html'), 'utf8');
    expect([run, header.problem.id].map((part) => page.includes(part))).toEqual([true, true]);
    const exported = JSON.parse(await whole.call('runs', 'export', run));
    expect(JSON.stringify(exported)).toContain('0.1.0');
  });

  // The settings of searches of then have gone.
  if (family === 'ahc') {
    test('is refused for replay, resume and fork with a sentence', async () => {
      for (const what of ['resume', 'replay', 'fork'])
        await expect(cut.call('runs', what, run)).rejects.toThrow('begun by an earlier version');
    });
    return;
  }

  test('is replayed to the same end, and forked', async () => {
    expect(JSON.parse(await whole.call('runs', 'replay', run, '--json'))).toMatchObject({ same: true });
    const forked = JSON.parse(await whole.call('runs', 'fork', run, '--at', String(at), '--json'));
    expect(JSON.parse(await whole.call('runs', 'replay', 'last', '--json'))).toMatchObject({
      id: forked.id,
      same: true,
    });
  });

  test('goes on where its process was killed, and is replayed then', async () => {
    expect(cut.rows().some(({ kind }) => kind === 'run-end')).toBe(false);
    await cut.call('runs', 'resume', run);
    expect(JSON.parse(await cut.call('runs', 'replay', run, '--json'))).toMatchObject({ same: true });
  });

  test('keeps the settings of then: those that did not exist mean what was so, not what is the default today', async () => {
    const agent = await agentLoaders[header.agent.name]?.();
    if (!agent) throw new Error(`There is no agent ${header.agent.name}.`);
    const meant = agent.settings.parse(settingsInJournal(agent, header.agent.settings));
    const absent = Object.entries(agent.absentMeans ?? {}).filter(
      ([setting]) => !(setting in header.agent.settings),
    );
    expect(absent).not.toEqual([]);
    expect(meant).toMatchObject(Object.fromEntries(absent));
    const starts = [...whole.rows(), ...cut.rows()].filter(({ kind }) => kind === 'run-start');
    for (const { body } of starts) expect(JSON.parse(body).agent).toEqual(header.agent);
  });

  test('holds each row as 0.1 wrote it, in a store of today', () => {
    expect([whole.version(), cut.version()]).toEqual([schemaVersion, schemaVersion]);
    expect(whole.rows().slice(0, before.whole.length)).toEqual(before.whole);
    expect(cut.rows().slice(0, before.cut.length)).toEqual(before.cut);
  });
});

type Row = { readonly kind: string; readonly body: string };
type Header = {
  readonly problem: { readonly id: string; readonly title: string };
  readonly agent: { readonly name: string; readonly settings: Parameters<typeof settingsInJournal>[1] };
};

/** A store of an older version, and its user's commands. What does not work out is thrown. */
function storeOf(name: string, state: State) {
  const folder = unpacked(name, state);
  const env = { HOME: temporaryFolder('home'), PATH: process.env.PATH ?? '', POLYA_TRUST: '1' };
  const ask = (sql: string): object[] => {
    const database = new DatabaseSync(join(folder, '.polya/polya.db'), { readOnly: true });
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  };
  return {
    folder,
    async call(...argv: string[]): Promise<string> {
      const { code, out, err } = await polya({ folder, env }, argv);
      expect([0, 1], `${argv.join(' ')}: ${err}`).toContain(code);
      return out;
    },
    version: () => Number(Object.values(ask('PRAGMA user_version')[0] ?? {})[0]),
    rows: (): Row[] =>
      ask(
        'SELECT run_key, seq, at, branch, ordinal, attempt, kind, body FROM events ORDER BY run_key, seq',
      ).map((row) => ({ kind: '', body: '', ...row })),
  };
}
