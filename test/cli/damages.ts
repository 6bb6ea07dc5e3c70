/** A store with runs of several kinds, damages drawn from a seed, and what every command must make of them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { type Answer, newPlace, type Place, polya } from './shell.ts';

export type Damaged = { readonly bytes: Buffer; readonly log: Buffer | null };
export type WholeStore = Damaged & {
  readonly ids: readonly string[];
  /** By run, its events as they are shown. */
  readonly journals: ReadonlyMap<string, readonly unknown[]>;
};
type Chance = () => number;

/** Uniform in [0, 1). */
function chanceFrom(seed: number): Chance {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const script = `
roles:
  solver:
    - text: "WORDS"
      repeat: true
`;

/** Runs that ended, one that was stopped, and a fork; with `log`, the last of it lies in SQLite's log alone. */
export async function wholeStore(): Promise<WholeStore> {
  const place = newPlace();
  const chance = chanceFrom(7);
  for (let run = 0; run < 6; run += 1) {
    const words = Array.from({ length: 900 }, () => chance().toString(36).slice(2)).join(' ');
    writeFileSync(join(place.folder, 's.yaml'), script.replace('WORDS', words));
    await polya(place, ['ask', `Question ${run}: ${words.slice(0, 3_000)}`, '--model', 'scripted:s.yaml']);
  }
  await polya(place, ['runs', 'fork', 'last', '--at', '1', '--model', 'scripted:s.yaml']);
  const slow = (delayMs: number): void => {
    const text = `roles:\n  solver:\n    - text: late\n      delayMs: ${delayMs}\n`;
    writeFileSync(join(place.folder, 'slow.yaml'), text);
  };
  slow(3_600_000);
  await polya(place, ['ask', 'Wait.', '--model', 'scripted:slow.yaml'], {
    onWrite: (text, interrupt) => text.includes('Wait.') && setImmediate(interrupt),
  });
  // A resume of it need not wait.
  slow(0);
  const file = databaseOf(place);
  const journals = new Map<string, readonly unknown[]>();
  for (const { id } of JSON.parse((await polya(place, ['runs', 'list', '--json'])).out).runs)
    journals.set(id, JSON.parse((await polya(place, shownWhole(id))).out).journal);
  const bytes = readFileSync(file);
  // As a process that dies leaves it: written to the log, and never brought into the file.
  using database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  const rows = database.prepare('SELECT id FROM runs ORDER BY key').all();
  for (const { id } of rows) database.prepare('UPDATE runs SET heartbeat_at = 5 WHERE id = ?').run(id ?? '');
  return { bytes, log: readFileSync(`${file}-wal`), ids: rows.map(({ id }) => String(id)), journals };
}

const pageBytes = 4096;

/** Page 1 is damaged as often as any other. */
export function damage({ bytes, log }: Damaged, seed: number): Damaged & { readonly what: string } {
  const chance = chanceFrom(seed);
  for (let skipped = 0; skipped < 8; skipped += 1) chance();
  const at = (most: number): number => Math.floor(chance() * most);
  const hurt = Buffer.from(bytes);
  const pages = hurt.length / pageBytes;
  switch (seed % 5) {
    case 0: {
      const page = at(pages);
      hurt.fill(0, page * pageBytes, (page + 1) * pageBytes);
      return { bytes: hurt, log: null, what: `page ${page + 1} of ${pages} zeroed` };
    }
    case 1: {
      const flips = Array.from({ length: 1 + at(20) }, () => at(hurt.length * 8));
      for (const flip of flips) hurt[flip >> 3] = (hurt[flip >> 3] ?? 0) ^ (1 << (flip & 7));
      return { bytes: hurt, log: null, what: `bits ${flips.join(', ')} flipped` };
    }
    case 2: {
      const length = at(hurt.length);
      return { bytes: hurt.subarray(0, length), log: null, what: `cut at ${length} of ${hurt.length}` };
    }
    case 3: {
      const [from, length] = [at(hurt.length), 1 + at(600)];
      for (let byte = from; byte < Math.min(hurt.length, from + length); byte += 1) hurt[byte] = at(256);
      return { bytes: hurt, log: null, what: `${length} bytes from ${from} on overwritten` };
    }
    default: {
      const length = at(log?.length ?? 0);
      return { bytes: hurt, log: Buffer.from(log?.subarray(0, length) ?? []), what: `log cut at ${length}` };
    }
  }
}

function shownWhole(id: string): readonly string[] {
  return ['runs', 'show', id, '--full', '--json'];
}

/** Never a defect: what can be read is shown, what cannot is named, and nothing is written. */
export async function expectToldOf(
  { ids, journals }: WholeStore,
  hurt: Damaged & { readonly what: string },
  seed: number,
): Promise<void> {
  // One that ended, the fork, and the one that was stopped, in turn.
  const id = ids[[1, 6, 7][seed % 3] ?? 1] ?? '';
  const place = placeWith(hurt);
  const isUntouched = (): boolean => hurt.log !== null || readFileSync(databaseOf(place)).equals(hurt.bytes);
  let shown = 0;
  const expectWhole = (told: string, { code, out, err }: Answer): void => {
    const whole = journals.get(id) ?? [];
    const journal: unknown[] = JSON.parse(out).journal ?? [];
    expect(journal.slice(0, whole.length), told).toEqual(whole.slice(0, journal.length));
    expect(journal.length >= whole.length || (code === 4 && err !== ''), told).toBe(true);
    expect(journal.length, told).toBeGreaterThanOrEqual(shown);
    shown = journal.length;
  };
  for (const argv of commandsOn(id)) {
    const answer = await polya(place, argv);
    const { code, out, err } = answer;
    const told = `${hurt.what}: ${argv.join(' ')} ended with ${code}: ${err}`;
    expect([0, 1, 2, 3, 4], told).toContain(code);
    if (argv.includes('--full')) expectWhole(told, answer);
    if (code !== 0) expect(out + err, told).not.toBe('');
    expect(isUntouched(), `${told} It wrote.`).toBe(true);
  }
  const { code, err } = await polya(place, ['runs', 'resume', id]);
  const told = `${hurt.what}: resume ended with ${code}: ${err}`;
  expect([0, 1, 2, 3, 4], told).toContain(code);
  // Damage of a page that only a write needs is found when the run goes on: it ends, and what was whole stays.
  if (code === 4 && !err.includes('resumed after')) expect(isUntouched(), `${told} It wrote.`).toBe(true);
  expectWhole(told, await polya(place, shownWhole(id)));
}

function commandsOn(id: string): readonly (readonly string[])[] {
  return [
    ['runs', 'list'],
    ['runs', 'show', id],
    shownWhole(id),
    ['runs', 'export', id, '--format', 'json'],
    ['runs', 'replay', id],
    ['cost'],
    ['store', 'check'],
  ];
}

export function placeWith({ bytes, log }: Damaged): Place {
  const place = newPlace();
  const file = databaseOf(place);
  mkdirSync(join(place.folder, '.polya'));
  writeFileSync(join(place.folder, '.polya', '.gitignore'), '*\n');
  writeFileSync(file, bytes);
  if (log) writeFileSync(`${file}-wal`, log);
  return place;
}

export function databaseOf(place: Place): string {
  return join(place.folder, '.polya', 'polya.db');
}
