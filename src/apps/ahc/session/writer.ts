/**
 * Keeps the folder of a session as its journal says: every event goes through the pure projection, and the files that it
 * changes are written a moment later, by one writer, each whole or not at all. A full disk stops no run: it is reported
 * once, and the missing files are written as soon as there is room. Beside the projection it keeps the outputs of the best
 * and the newest candidates, copied within a bound of bytes from where the family keeps them, and the session's line in
 * `results.csv` and `experiments.log` of the workspace, where other lines stay as they are.
 */
import { appendFileSync, copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { csvCell, csvText } from '../../../core/csv.ts';
import { UserError } from '../../../core/errors.ts';
import type { Event } from '../../../core/event.ts';
import type { Folder } from '../../../core/io.ts';
import { jsonText } from '../../../core/json.ts';
import { isBetter } from '../../../core/program.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { sessionNews } from '../../../families/ahc/records/history.ts';
import { exclusively } from '../../../io/exclusive.ts';
import { makeFolder } from '../../../io/make-folder.ts';
import { codeOf, isMissing, readPlainFileSync } from '../../../io/plain-file.ts';
import { writeWholeSync } from '../../../io/write-whole.ts';
import { hashText } from '../../../run/hash.ts';
import { resultsHeader } from '../intake/workspace-files.ts';
import { type Counting, isMoreBetter } from './course.ts';
import { applySession, candidateOf, emptySession, type SessionState } from './fold.ts';
import { isAfter, lastMark, lineJson, lineText, logLine, type RotatingLog, rotatingLog } from './log.ts';
import { factsOf, type SessionFacts, type SessionPlace } from './manifest.ts';
import { files, folders } from './names.ts';
import {
  allTouched,
  areCandidatesTouched,
  filesOf,
  resultsRow,
  sessionDocument,
  type Touched,
  touchedBy,
} from './projection.ts';
import { bytesBelow } from './usage.ts';

export type WriterOptions = {
  readonly place: SessionPlace;
  readonly workspace: Folder;
  readonly now: () => number;
  mask(text: string): string;
  /** Called once for each reason for which something could not be written. */
  onTrouble(message: string): void;
};

/** Not synced to disk: after a power failure a resume writes it again. */
const isCheap = (name: string): boolean => name.startsWith('lineage') || name.endsWith('.score');

/** Changes within this time are written together. */
const gatherMs = 200;

export class SessionWriter {
  readonly #options: WriterOptions;
  readonly #facts: SessionFacts;
  readonly #log: RotatingLog;
  #state: SessionState = emptySession;
  #touched = new Set<string>();
  #lines: string[] = [];
  /** Events that came before the journal was read; null afterwards. */
  #early: Event[] | null = [];
  #lastMark: readonly [number, number] | null = null;
  #working: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #isTold = new Set<string>();

  constructor(options: WriterOptions) {
    const { place, workspace, now } = options;
    this.#options = options;
    this.#facts = factsOf(place.manifest, workspace);
    this.#log = rotatingLog(join(place.folder.path, files.log), place.manifest.maxLogBytes, now);
  }

  /** Writes what earlier lives left unwritten, then takes the events of this one. */
  async begin(journal: readonly Event[]): Promise<void> {
    this.#lastMark = this.#log.last(lastMark);
    for (const event of journal) this.#take(event);
    const early = this.#early ?? [];
    this.#early = null;
    for (const event of early) this.onEvent(event);
    // Of the journal only what is missing; of events that arrive meanwhile everything.
    this.#touched = new Set();
    this.#touch(await this.#missing());
    await this.#write();
    await this.#result('beginning');
  }

  onEvent(event: Event): void {
    if (this.#early) {
      this.#early.push(event);
      return;
    }
    if (event.seq <= this.#state.run.lastSeq) return;
    this.#take(event);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#write();
    }, gatherMs);
  }

  /** Resolves when everything is on disk that can be written. */
  async settle(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#write();
    if (this.#state.run.end && !this.#options.place.manifest.keepsFiles)
      await this.#guarded(() => this.#tidy());
    await this.#result('end');
  }

  /** For a run that could not write its end into the journal. */
  async fail(message: string): Promise<void> {
    await this.settle();
    const { mask, place } = this.#options;
    const text = mask(jsonText(sessionDocument(this.#state, this.#facts, message)));
    await this.#guarded(() => place.folder.write(files.session, text));
  }

  #take(event: Event): void {
    const before = this.#state;
    this.#state = applySession(before, event);
    this.#touch(touchedBy(event));
    const line = logLine(before, this.#state, event);
    if (!isAfter(line.mark, this.#lastMark)) return;
    const { mask, place } = this.#options;
    this.#lines.push(mask(place.manifest.logsAreJson ? lineJson(line) : lineText(line)));
  }

  #touch(more: Touched): void {
    for (const each of more) this.#touched.add(each);
  }

  /** One write after the other: of two at once, the older might come last. */
  #write(): Promise<void> {
    this.#working = this.#working.then(() => this.#writeNow());
    return this.#working;
  }

  async #writeNow(): Promise<void> {
    const { place, workspace, mask } = this.#options;
    const { folder: session } = place;
    const touched = this.#touched;
    const lines = this.#lines;
    const state = this.#state;
    this.#touched = new Set();
    this.#lines = [];
    const isLogged = await this.#guarded(() => {
      if (lines.length > 0) this.#log.append(lines.join(''));
    });
    if (!isLogged) this.#lines = [...lines, ...this.#lines];
    const isWritten = await this.#guarded(async () => {
      for (const [name, text] of Object.entries(filesOf(state, this.#facts, touched))) {
        // Documents contain prompts and hints of the user's, in which a key may stand.
        const masked = name.endsWith('.json') ? mask(text) : text;
        await session.write(name, masked, { isLasting: !isCheap(name) });
      }
      if (areCandidatesTouched(touched)) keepWanted({ workspace, session }, state, this.#facts);
    });
    if (!isWritten) this.#touch(touched);
  }

  /** All documents, which are cheap, and the candidates without a record. */
  async #missing(): Promise<Touched> {
    const there = new Set(await this.#options.place.folder.files(folders.candidates).catch(() => []));
    const { candidates } = this.#state;
    // Cases may have been added to the newest candidates after their records were written.
    const recent = new Set(candidates.slice(-20));
    return allTouched({
      candidates: candidates.filter((each) => recent.has(each) || !there.has(`${each.note.id}.json`)),
    });
  }

  /** Removes everything but the best program and the session's own records. */
  async #tidy(): Promise<void> {
    const { folder: session } = this.#options.place;
    for (const name of [folders.solutions, folders.outputs, folders.scores, folders.candidates])
      await session.remove(name);
    for (const name of await session.files(folders.logs))
      if (name.startsWith('compile_')) await session.remove(`${folders.logs}/${name}`);
  }

  async #result(at: 'beginning' | 'end'): Promise<void> {
    await this.#guarded(() =>
      recordResult(this.#options.workspace, resultsRow(this.#state, this.#facts), at),
    );
  }

  async #guarded(work: () => void | Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!this.#isTold.has(message)) this.#options.onTrouble(message);
      this.#isTold.add(message);
      return false;
    }
  }
}

const keptBest = 10;
const keptNewest = 10;
const mostOutputBytes = 256 * 1024 * 1024;

/** Copies the wanted outputs that are missing, and removes all others. */
export function keepWanted(
  { workspace, session }: { readonly workspace: Folder; readonly session: Folder },
  state: SessionState,
  counting: Counting,
  most = mostOutputBytes,
): void {
  const root = join(session.path, folders.outputs);
  const originOf = (id: string): string | null => {
    const source = candidateOf(state, id)?.note.source;
    return source ? join(workspace.path, layout.sessionOutputs, hashText(source)) : null;
  };
  const bytesOf = (id: string): number =>
    Math.max(bytesBelow(join(root, id)), bytesBelow(originOf(id) ?? ''));
  // Decided before anything is copied, or what does not fit would be copied and removed each time.
  const kept = withinBound(wantedOutputs(state, counting), bytesOf, most);
  for (const id of kept) copyMissing(originOf(id) ?? '', join(root, id));
  for (const id of namesIn(root)) if (!kept.has(id)) rmSync(join(root, id), { recursive: true, force: true });
}

/** More cases may have been run since the last time. */
function copyMissing(from: string, to: string): void {
  const there = new Set(namesIn(to));
  for (const name of namesIn(from).filter((each) => each.endsWith('.out') && !there.has(each))) {
    makeFolder(to);
    try {
      copyFileSync(join(from, name), join(to, name));
    } catch (error) {
      rmSync(join(to, name), { force: true });
      // Another process may have deleted it meanwhile.
      if (!isMissing(error)) throw error;
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Ids in the order in which they are worth keeping: the best now, the best, the newest. */
export function wantedOutputs({ candidates, bestId }: SessionState, counting: Counting): readonly string[] {
  const way = isMoreBetter(counting) ? 'maximise' : 'minimise';
  const best = candidates
    .flatMap(({ note: { id, score } }) => (score === null ? [] : [{ id, score }]))
    .toSorted((a, b) => (a.score === b.score ? 0 : isBetter(a.score, b.score, way) ? -1 : 1))
    .slice(0, keptBest);
  const newest = candidates
    .filter(({ note }) => note.evaluation !== null)
    .slice(-keptNewest)
    .map(({ note }) => note.id)
    .reverse();
  return [...new Set([...(bestId === null ? [] : [bestId]), ...best.map(({ id }) => id), ...newest])];
}

/** The wanted ids that fit; one that is too large is skipped, and those behind it are tried. */
export function withinBound(
  wanted: readonly string[],
  bytesOf: (id: string) => number,
  most: number,
): ReadonlySet<string> {
  const kept = new Set<string>();
  let bytes = 0;
  for (const id of wanted) {
    const more = bytesOf(id);
    if (bytes + more > most) continue;
    bytes += more;
    kept.add(id);
  }
  return kept;
}

/** Replaces the session's line. The log gets a line when the session first begins, and at each end. */
export function recordResult(
  { path }: Pick<Folder, 'path'>,
  row: readonly string[],
  at: 'beginning' | 'end',
): Promise<void> {
  const record = (): void => {
    const file = join(path, layout.results);
    const before = readText(file);
    const after = withResult(before, row);
    if (after !== before) writeWholeSync(file, after);
    const log = join(path, layout.experiments);
    const news = sessionNews(readText(log), row, at);
    if (news !== null) appendFileSync(log, `${new Date().toISOString()} ${news}\n`);
  };
  return exclusively(join(path, layout.records, 'results.lock'), record, path);
}

function readText(file: string): string {
  try {
    return readPlainFileSync(file).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    const what = `${file} cannot be read (${codeOf(error) || String(error)}).`;
    throw new UserError({ code: 'file-unreadable', what, fix: 'Move it away: it is made anew.' });
  }
}

/** With the session's line in the place of its older one, or at the end. Name and beginning identify a session. */
export function withResult(text: string, row: readonly string[]): string {
  const line = row.map(csvCell).join(',');
  const records = recordsOf(text.trim() === '' ? `${resultsHeader}\n` : text);
  const known = records.findIndex(
    ({ record: [name = '', begun] }) => csvText(name) === csvText(row[0] ?? '') && begun === row[1],
  );
  const lines = records.map(({ raw }) => raw);
  return `${(known < 0 ? [...lines, line] : lines.with(known, line)).join('\n')}\n`;
}

type CsvRecord = { readonly record: readonly string[]; readonly raw: string };

/** The lines of a file that is not valid CSV have no cells and stay as they are. */
function recordsOf(text: string): readonly CsvRecord[] {
  try {
    const found: unknown = parse(text, { raw: true, relax_column_count: true, skip_empty_lines: true });
    const records = found as readonly CsvRecord[];
    return records.map(({ record, raw }) => ({ record, raw: raw.replace(/^\uFEFF|\r?\n$/g, '') }));
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((raw) => ({ record: [], raw }));
  }
}
