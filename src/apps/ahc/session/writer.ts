/**
 * Keeps the folder of a session as its journal says: every event goes through the pure projection, and the files that it
 * changes are written a moment later, by one writer, each whole or not at all. A full disk stops no run: it is reported
 * once, and the missing files are written as soon as there is room.
 */
import { join } from 'node:path';
import type { Event } from '../../../core/event.ts';
import type { Folder } from '../../../core/io.ts';
import { applySession, emptySession, type SessionState } from './fold.ts';
import { type RotatingLog, rotatingLog } from './log.ts';
import { isAfter, lastMark, lineJson, lineText, logLine } from './log-lines.ts';
import { factsOf, type SessionFacts, type SessionPlace } from './manifest.ts';
import { files, folders } from './names.ts';
import { keepWanted } from './outputs.ts';
import {
  allTouched,
  areCandidatesTouched,
  filesOf,
  resultsRow,
  sessionDocument,
  type Touched,
  touchedBy,
} from './projection.ts';
import { recordResult } from './results.ts';

export type WriterOptions = {
  readonly place: SessionPlace;
  readonly workspace: Folder;
  readonly now: () => number;
  mask(text: string): string;
  /** Called once for each reason for which something could not be written. */
  onTrouble(message: string): void;
};

/** Not synced to disk: after a power failure the next life writes it again. */
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
    this.#log = rotatingLog({
      file: join(place.folder.path, files.log),
      mostBytes: place.manifest.maxLogBytes,
      now,
    });
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
    const document = sessionDocument(this.#state, this.#facts, message);
    const text = mask(`${JSON.stringify(document, null, 2)}\n`);
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
