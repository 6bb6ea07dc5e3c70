/**
 * Brings the folder of a session up to date with its journal: `update` reads what is new there and writes what that changes,
 * each file whole or not at all. A full disk stops no run: it is reported once, and what is missing is written later. Beside
 * the files it keeps the outputs of the best and the newest candidates, copied within a bound of bytes from where the family
 * keeps them, the log, and the session's line in `results.csv` and `experiments.log` of the workspace.
 */
import { appendFileSync, copyFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { RunFiles } from '../../../cli/contract.ts';
import { csvCell, csvText } from '../../../core/csv.ts';
import { UserError } from '../../../core/errors.ts';
import type { Event } from '../../../core/event.ts';
import type { Folder } from '../../../core/io.ts';
import { isBetter } from '../../../core/program.ts';
import type { Store } from '../../../core/store.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { newSessionRows } from '../../../families/ahc/records/history.ts';
import { systemClock } from '../../../io/clock.ts';
import { withFileLock } from '../../../io/exclusive.ts';
import { codeOf, isMissing, readPlainFileSync } from '../../../io/plain-file.ts';
import { makeFolder, writeFileAtomicSync } from '../../../io/write-whole.ts';
import { evolutionNoteOf } from '../../../notes/evolution.ts';
import { hashText } from '../../../run/hash.ts';
import { followJournal } from '../../../run/load.ts';
import { resultsHeader } from '../intake/workspace-files.ts';
import { factsOf, type SessionContext, type SessionFacts } from './context.ts';
import { type Counting, isMoreBetter } from './course.ts';
import { isReduced, resultsRow, type SessionStatus, sessionFiles, statusOf } from './files.ts';
import { applySession, candidateOf, emptySession, type SessionCandidate, type SessionState } from './fold.ts';
import { isAfter, type LogLine, lastMark, lineJson, lineText, logLine, rotatingLog } from './log.ts';
import { files, folders } from './names.ts';
import { bytesBelow } from './usage.ts';

export type FolderOptions = {
  readonly store: Store;
  /** By name. */
  readonly storeName: string;
  /** The last run of the session. */
  readonly runId: string;
  readonly folder: Folder;
  readonly workspace: Folder;
  /** Of a session of an earlier version. */
  readonly context?: SessionContext | undefined;
  /** False: the workspace is not told of it. Default: true. */
  readonly isRecorded?: boolean;
  mask(text: string): string;
  /** Called once for each reason for which something could not be written. */
  onTrouble(message: string): void;
  /** The status that the folder has now; called when it changes. */
  onStatus?(status: SessionStatus, state: SessionState): void | Promise<void>;
};

/** Not synced to disk: after a power failure a resume writes it again. */
const isCheap = (name: string): boolean => name.endsWith('.score');

const [soonMs, laterMs] = [100, 2_000];

/** Cases may have been added to the newest candidates after their records were written. */
const mostRecent = 20;

export class SessionFolder implements RunFiles {
  readonly #options: FolderOptions;
  readonly #readNew: ReturnType<typeof followJournal>;
  #state: SessionState = emptySession;
  /** The candidates whose files are there, as they were written; null before the first update. */
  #written: Set<SessionCandidate> | null = null;
  #lines: LogLine[] = [];
  #status: SessionStatus | null = null;
  /** The status that the line in results.csv has. */
  #recorded: SessionStatus | null = null;
  #isBehind = false;
  #working: Promise<void> = Promise.resolve();
  #timer: { readonly atMs: number; readonly stop: () => void } | null = null;
  readonly #reported = new Set<string>();

  constructor(options: FolderOptions) {
    this.#options = options;
    this.#readNew = followJournal(options.store, options.runId);
  }

  /** A new best is written at once, all else within seconds. */
  onEvent(event: Event): void {
    const kind = evolutionNoteOf(event)?.kind;
    const waitMs = kind === 'best' || kind === 'final' ? soonMs : laterMs;
    const atMs = systemClock.now() + waitMs;
    if (this.#timer && this.#timer.atMs <= atMs) return;
    this.#timer?.stop();
    const timer = setTimeout(() => this.update(), waitMs);
    this.#timer = { atMs, stop: () => clearTimeout(timer) };
  }

  /** Resolves when everything is on disk that can be written. One after the other: of two at once, the older might come last. */
  update(): Promise<void> {
    this.#timer?.stop();
    this.#timer = null;
    this.#working = this.#working.then(() => this.#update());
    return this.#working;
  }

  async #update(): Promise<void> {
    const { store, runId, workspace, storeName, context } = this.#options;
    // Before the events: if nobody owns it, all of its events are there.
    const isAlive = Boolean((await store.get(runId))?.owner);
    const { events } = await this.#readNew();
    for (const event of events) this.#take(event);
    const state = this.#state;
    const status = statusOf(isAlive, state.run.end);
    if (events.length === 0 && status === this.#status && !this.#isBehind) return;
    const facts = factsOf(state, { workspace: workspace.path, store: storeName, context });
    const texts = this.#textsOf(facts, isAlive, await this.#writtenBefore());
    const steps = [
      () => this.#writeFiles(facts, texts),
      () => this.#appendLog(facts),
      () => this.#record(facts, status),
    ];
    this.#isBehind = false;
    for (const step of steps) if (!(await this.#guarded(step))) this.#isBehind = true;
    // Last, and only where nothing is missing: a session that is killed before this is completed when somebody looks at it.
    const document = texts[files.session] ?? '';
    if (!this.#isBehind) this.#isBehind = !(await this.#guarded(() => this.#write(files.session, document)));
    if (status !== this.#status) await this.#options.onStatus?.(status, state);
    this.#status = status;
  }

  #take(event: Event): void {
    const before = this.#state;
    this.#state = applySession(before, event);
    this.#lines.push(logLine(before, this.#state, event));
  }

  #textsOf(facts: SessionFacts, isAlive: boolean, outputs: ReadonlySet<SessionCandidate>) {
    const isWritten = (candidate: SessionCandidate) => outputs.has(candidate);
    return sessionFiles(this.#state, facts, { isAlive, isWritten });
  }

  async #writeFiles(facts: SessionFacts, texts: Readonly<Record<string, string>>): Promise<void> {
    const { folder, workspace } = this.#options;
    const state = this.#state;
    for (const [name, text] of Object.entries(texts))
      if (name !== files.session) await this.#write(name, text);
    if (isReduced(state, facts)) await this.#reduce();
    else if (!state.candidates.every((each) => this.#written?.has(each)))
      keepWanted({ workspace, session: folder }, state, facts);
    this.#written = new Set(state.candidates);
  }

  async #write(name: string, text: string): Promise<void> {
    const { folder, mask } = this.#options;
    // Documents contain prompts and hints of the user's, in which a key may stand.
    const masked = name.endsWith('.json') ? mask(text) : text;
    await folder.write(name, masked, { isLasting: !isCheap(name) });
  }

  /** What was written already; by an earlier process: where the record of a candidate is, its other files are. */
  async #writtenBefore(): Promise<ReadonlySet<SessionCandidate>> {
    if (this.#written) return this.#written;
    const records = new Set(await this.#options.folder.files(folders.candidates).catch(() => []));
    const { candidates } = this.#state;
    return new Set(candidates.slice(0, -mostRecent).filter(({ note }) => records.has(`${note.id}.json`)));
  }

  /** Removes everything but the best program and the session's own records. */
  async #reduce(): Promise<void> {
    const { folder } = this.#options;
    for (const name of [folders.solutions, folders.outputs, folders.scores, folders.candidates])
      await folder.remove(name);
    for (const name of await folder.files(folders.logs))
      if (name.startsWith('compile_')) await folder.remove(`${folders.logs}/${name}`);
  }

  /** Another process may have appended the same lines: the log itself says where it ends. */
  async #appendLog({ maxLogBytes, logsAreJson }: SessionFacts): Promise<void> {
    const { folder, mask, isRecorded = true } = this.#options;
    if (this.#lines.length === 0) return;
    const log = rotatingLog(join(folder.path, files.log), maxLogBytes, systemClock.now);
    const append = (): void => {
      const last = log.last(lastMark);
      const lines = this.#lines.filter(({ mark }) => isAfter(mark, last));
      if (lines.length > 0)
        log.append(lines.map((line) => mask(logsAreJson ? lineJson(line) : lineText(line))).join(''));
    };
    const preceding = dirname(folder.path);
    if (isRecorded) await withFileLock(join(preceding, layout.records, 'sessions.lock'), append, preceding);
    else append();
    this.#lines = [];
  }

  async #record(facts: SessionFacts, status: SessionStatus): Promise<void> {
    const { workspace, isRecorded = true } = this.#options;
    if (!isRecorded || status === this.#recorded) return;
    const row = resultsRow(this.#state, facts, status);
    await recordResult(workspace, row, status === 'running' ? 'beginning' : 'end');
    this.#recorded = status;
  }

  async #guarded(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!this.#reported.has(message)) this.#options.onTrouble(message);
      this.#reported.add(message);
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
  const existing = new Set(namesIn(to));
  for (const name of namesIn(from).filter((each) => each.endsWith('.out') && !existing.has(each))) {
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
  const path = isMoreBetter(counting) ? 'maximise' : 'minimise';
  const best = candidates
    .flatMap(({ note: { id, score } }) => (score === null ? [] : [{ id, score }]))
    .toSorted((a, b) => (a.score === b.score ? 0 : isBetter(a.score, b.score, path) ? -1 : 1))
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
  requested: readonly string[],
  bytesOf: (id: string) => number,
  most: number,
): ReadonlySet<string> {
  const kept = new Set<string>();
  let bytes = 0;
  for (const id of requested) {
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
    if (after !== before) writeFileAtomicSync(file, after);
    const log = join(path, layout.experiments);
    const updates = newSessionRows(readText(log), row, at);
    if (updates !== null) appendFileSync(log, `${new Date().toISOString()} ${updates}\n`);
  };
  return withFileLock(join(path, layout.records, 'results.lock'), record, path);
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
    ({ record: [name = '', startedAt] }) => csvText(name) === csvText(row[0] ?? '') && startedAt === row[1],
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
