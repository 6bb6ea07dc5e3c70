/** What a back-end brings: cells, in which the runner (runner/) is process 1. All that is done in them is shared. */
import { UnavailableError } from '../core/errors.ts';
import type { ExecLimits, Removed, SandboxInfo, StepResult } from '../core/sandbox.ts';

/** Something of the host that is seen inside, read-only. */
export type Mount = { readonly source: string; readonly target: string };

export type StagedFile = {
  /** Relative to the scratch folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
};

/** What all jobs of a cell have in common. */
export type CellSpec = {
  /** What the kernel enforces for the whole cell: no job may have wider ones. */
  readonly limits: ExecLimits;
  readonly mounts: readonly Mount[];
  /** Held by the runner and written anew before each job, so that no job can change it for the next. */
  readonly kept: readonly StagedFile[];
  /** Room on the disk, beside that of the limits, for what jobs bring: see `spaceFor` in protocol.ts. */
  readonly roomBytes: number;
};

/** Where a program's stdin or stdout leads when it is not the runner: a FIFO, by its path as seen inside. */
export type Pipes = {
  readonly stdin: string | null;
  readonly stdout: string | null;
  /** True: the program itself does not get them; the relay does, which it starts (runner/relay.c). */
  readonly forRelay: boolean;
};

export type Job = {
  /** An absolute path as seen inside, then arguments; these may name places inside as well. */
  readonly command: readonly string[];
  /** More arguments, as the program's user gave them: whatever they look like, they name no place. */
  readonly args?: readonly string[];
  readonly files?: readonly StagedFile[];
  /** Folders to be made, relative to the scratch folder, for what no file is in. */
  readonly folders?: readonly string[];
  readonly stdin?: Uint8Array | null;
  /** A file to hand back if the program succeeds. */
  readonly collectPath?: string | null;
  /** Hand back the working folder, if its archive is not larger than this. */
  readonly archiveBytes?: number;
  readonly pipes?: Pipes;
  /** Called when the pipes are open at this end. */
  readonly onPipesOpen?: () => void;
  readonly limits: ExecLimits;
};

export type Finished = {
  readonly step: StepResult;
  readonly collected: Buffer | null;
  readonly archive: Buffer | null;
  /** Null where no archive was asked for. */
  readonly archiveBytes: number | null;
};

/** A job was never begun, because the cell had to be ended for the one before it. It can be run in another. */
export class CellGoneError extends Error {}

/** A cell was ended from outside, by an unknown cause, with the jobs in it: they can be run in another. */
export class CellLostError extends UnavailableError {
  /** What it is when it happens to the same job in another cell. */
  again(): UnavailableError {
    const { why = '', ...explanation } = this.explanation;
    return new UnavailableError({
      ...explanation,
      why: `${why.replace(/\.$/, '')}, and so was the one that took its place.`,
    });
  }
}

export type Cell = {
  /**
   * Jobs run in the order of the calls, and may be queued. An abort cancels this job and those behind it.
   * Throws `UnavailableError` if the cell does not work, `CellLostError` if it was ended from outside, `CellGoneError` if an
   * earlier job took the cell with it.
   */
  run(job: Job, signal: AbortSignal): Promise<Finished>;
  /** Ends what is still going on. Resolves when nothing of the cell is left. */
  close(): Promise<void>;
};

export type Backend = {
  /** `bubblewrap`. */
  readonly name: string;
  readonly version: string;
  readonly isolation: SandboxInfo['isolation'];
  readonly enforcement: SandboxInfo['enforcement'];
  /** The host's staging folder: what lies in it can be mounted into cells. */
  readonly folder: string;
  /** False where cells see no files of this machine: then nothing can be made for them ahead. */
  readonly sharesFiles?: boolean;
  /** False where files that cells need were cleared away: the back-end is looked for again. */
  isIntact(): boolean;
  /** Changes whenever the program of this path, as seen inside, is replaced; null where there is none. */
  fileState(path: string): Promise<string | null>;
  openCell(spec: CellSpec): Promise<Cell>;
  clean(): Promise<readonly Removed[]>;
  /** Ends what is kept ready for the next cell, where anything is. Cells are opened afterwards as well. */
  close?(): Promise<void>;
};
