/**
 * Writes what a run over ARC tasks leaves in its folder: the log and the pictures task by task, as each ends, the
 * submission at the end. All of it is read from the journals, so what a kill took is written again by a resume.
 */
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Output } from '../../cli/contract.ts';
import { asFileName, writeFiles } from '../../cli/safe-write.ts';
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { Event } from '../../core/event.ts';
import type { TaskFile } from '../../families/arc/task-file.ts';
import { makeFolder } from '../../io/write-whole.ts';
import { describeInductionNote } from '../../notes/induction.ts';
import type { Journals } from '../../open/options.ts';
import { readJournal } from '../../run/load.ts';
import type { SetObserver } from '../../studies/run-set/execute.ts';
import { type RunSet, runIdOf } from '../../studies/run-set/plan.ts';
import { type RowResult, readRow } from '../../studies/run-set/rows.ts';
import { escapeControls } from '../../text/format.ts';
import { systemReason } from '../../text/system-reason.ts';
import { type TaskOutcome, tallyOf, taskOutcome, withoutGrids } from './outcomes.ts';
import { type PictureChoice, selectPictures } from './pictures.ts';
import { headText, taskReport, type WrittenFiles } from './report.ts';
import { countAnsweredInputs, submissionFile } from './submission.ts';

type RecorderOptions = {
  readonly polya: Journals;
  readonly set: RunSet;
  readonly file: TaskFile;
  readonly leftOut: readonly string[];
  /** The folder; absolute. */
  readonly out: string;
  readonly pictures: PictureChoice;
  /** Is told step by step what comes of the tasks, unless it is a terminal. */
  readonly err: Output;
};

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #outcomes = new Map<number, TaskOutcome>();
  #work: Promise<void> = Promise.resolve();
  #isBegun = false;
  #pictures = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get log(): string {
    return join(this.#options.out, `run_${asFileName(this.#options.set.id)}.log`);
  }

  get head() {
    const { set, file, leftOut } = this.#options;
    return { set, taskFile: file.path, solutions: file.solutions?.path ?? null, leftOut };
  }

  /**
   * Before the first row begins: a folder that cannot be written is found before anything is paid. A log that is there
   * stays as it is: another process may be at work on the run, which then goes on alone.
   */
  async prepare(): Promise<void> {
    const { out } = this.#options;
    try {
      makeFolder(out);
      await (await open(this.log, 'a')).close();
    } catch (error) {
      throw unwritableError(out, error, 'Name another one with --out. Nothing was asked yet.');
    }
  }

  readonly observer: SetObserver = {
    observerOf: (index) => ({ onEvent: (event) => this.#reportStep(index, event) }),
    onBegin: () => this.#enqueue(async () => undefined),
    onEnd: (index) => this.#enqueue(async () => this.#record(await this.#row(index))),
  };

  /** On a terminal the table of rows shows that they are at work. */
  #reportStep(index: number, event: Event): void {
    const { err, set } = this.#options;
    const line = err.isTerminal ? null : describeInductionNote(event);
    if (line && !line.isQuiet)
      err.write(`${set.plan.rows[index]?.name}, ${event.branch || 'run'}: ${line.text}\n`);
  }

  /** One after the other, below the tasks that ended before. `finish` throws what goes wrong. */
  #enqueue(work: () => Promise<void>): void {
    const before = this.#isBegun ? async () => undefined : () => this.#begin();
    this.#isBegun = true;
    this.#work = this.#work.then(before).then(work);
    this.#work.catch(() => undefined);
  }

  /** The run is this process's now: its log is written anew, with what ended in others. */
  async #begin(): Promise<void> {
    await writeFile(this.log, escapeControls(headText(this.head)));
    for (const index of this.#options.set.plan.rows.keys()) {
      const row = await this.#row(index);
      if (row.state === 'ended') await this.#record(row);
    }
  }

  /** All tasks in the order of the set, and what was written. Rows that have not ended are in it as they are. */
  async finish(): Promise<{ readonly outcomes: readonly TaskOutcome[]; readonly written: WrittenFiles }> {
    this.#enqueue(async () => undefined);
    try {
      await this.#work;
    } catch (error) {
      const { out, set } = this.#options;
      const fix = `Make room, or name another one: \`polya arc run --resume ${set.id} --out FOLDER\` writes all of it from the journals.`;
      throw unwritableError(out, error, fix);
    }
    const outcomes: TaskOutcome[] = [];
    for (const index of this.#options.set.plan.rows.keys()) {
      outcomes.push(this.#outcomes.get(index) ?? (await this.#outcome(await this.#row(index))));
    }
    // The report has the details of this task alone.
    const last = outcomes.findLastIndex(({ view }) => view !== null);
    if (last >= 0) outcomes[last] = await this.#outcome(await this.#row(last));
    const submission = this.head.solutions === null ? this.#submit(outcomes) : null;
    return { outcomes, written: { log: this.log, pictures: this.#pictures, submission } };
  }

  async close(summary: string): Promise<void> {
    await appendFile(this.log, `\n${escapeControls(summary)}`);
  }

  async #record(row: RowResult): Promise<void> {
    const { set } = this.#options;
    const outcome = await this.#outcome(row);
    if (!outcome.isEnded || this.#outcomes.has(outcome.index)) return;
    // Grids of all steps of hundreds of tasks are more than a process should hold.
    this.#outcomes.set(outcome.index, withoutGrids(outcome));
    const tally = tallyOf([...this.#outcomes.values()], this.head.solutions !== null);
    await appendFile(this.log, `\n${escapeControls(taskReport(outcome, set.plan.rows.length, tally))}`);
    await this.#writePictures(outcome);
  }

  async #writePictures(outcome: TaskOutcome): Promise<void> {
    const { file, pictures: choice, out, set } = this.#options;
    const task = file.tasks.find(({ id }) => id === outcome.task);
    if (!task) return;
    const solutions = file.solutions?.byTask.get(task.id) ?? null;
    for (const { name, collage } of selectPictures(outcome, { task, solutions, choice })) {
      const path = join(out, `${asFileName(set.id)}_${fileName(task.id, outcome.index)}_${name}.png`);
      this.#pictures += 1;
      if (existsSync(path)) continue;
      // Loaded here because a run without pictures needs no encoder.
      const { drawCollage } = await import('../../grids/collage.ts');
      const { renderPng: drawingPng } = await import('../../grids/png.ts');
      await writePictureFile(path, drawingPng(drawCollage(collage)));
    }
  }

  async #row(index: number): Promise<RowResult> {
    const { polya, set } = this.#options;
    return readRow(polya.world.store, set, index);
  }

  async #outcome(row: RowResult): Promise<TaskOutcome> {
    const { polya, set } = this.#options;
    const { store } = polya.world;
    const events = row.view ? (await readJournal(store, runIdOf(set, row.index))).events : [];
    return taskOutcome(row, events);
  }

  /** An existing submission stays if it answers more than this one. */
  #submit(outcomes: readonly TaskOutcome[]): WrittenFiles['submission'] {
    const { file, out, set } = this.#options;
    const path = join(out, `submission_${asFileName(set.id)}.json`);
    const created = submissionFile(file, outcomes);
    const before = existsSync(path) ? countAnsweredInputs(file, readFileSync(path, 'utf8')) : 0;
    const isKept = before > created.answered;
    if (!isKept) writeFiles([{ path, text: created.text }], { force: true });
    return { path, placeholders: created.placeholders, isKept };
  }
}

/** It can be drawn again from the journal: a crash may take it, but leaves no half of one under its name. */
async function writePictureFile(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.tmp`;
  try {
    await writeFile(draft, bytes);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** An id is its file's word: no part of a path may come of it. */
function fileName(task: string, index: number): string {
  return /^[\w-]{1,64}$/.test(task) ? task : `task-${index + 1}`;
}

function unwritableError(out: string, error: unknown, fix: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const explanation = {
    code: 'folder-unwritable',
    what: `The folder ${out} cannot be written.`,
    why: systemReason(error),
    fix,
  };
  // A path is its user's mistake; a full disk is not.
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  return isFull ? new UnavailableError(explanation) : new UserError(explanation);
}
