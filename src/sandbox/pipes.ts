/**
 * The two pipes of an interactive pair: FIFOs in a folder of their own, which both cells see read-only. Their names
 * cannot be guessed and the folder cannot be listed, not even by its owner: an ordinary user's programs run as that
 * user. We hold both pipes open until both sides have them, so that neither waits for the other.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { UnavailableError } from '../core/errors.ts';
import type { Mount } from './backend.ts';
import { ownerName } from './owner.ts';

export type PipesFolder = {
  readonly mount: Mount;
  make(): Promise<PairPipes>;
  remove(): Promise<void>;
};

export type PairPipes = {
  /** By their paths as seen inside. */
  readonly toProgram: string;
  readonly fromProgram: string;
  /** Once for each side that has them. */
  opened(): void;
  remove(): Promise<void>;
};

const run = promisify(execFile);
export const pipesInside = '/run/polya/pipes';

/** Below the staging folder, with its owner's name, so that a later Polya can tell whether it is still in use. */
export const pipesFolderName = 'pipes';

export async function makePipesFolder(staging: string): Promise<PipesFolder> {
  const parent = join(staging, pipesFolderName);
  const source = join(parent, `${ownerName()}-${randomUUID()}`);
  await mkdir(source, { recursive: true });
  await chmod(parent, 0o711);
  await chmod(source, 0o311);
  return {
    mount: { source, target: pipesInside },
    make: () => makePipes(source),
    remove: async () => removePipesFolder(source),
  };
}

/** Only a folder that can be listed can be removed with all that is in it. */
export function removePipesFolder(folder: string): void {
  if (!existsSync(folder)) return;
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
}

async function makePipes(folder: string): Promise<PairPipes> {
  const [toProgram, fromProgram] = [randomUUID(), randomUUID()];
  const paths = [toProgram, fromProgram].map((name) => join(folder, name));
  await makeFifos(paths);
  const held = paths.map((path) => openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
  const letGo = () => {
    for (const fd of held.splice(0)) closeSync(fd);
  };
  let sides = 0;
  return {
    toProgram: posix.join(pipesInside, toProgram),
    fromProgram: posix.join(pipesInside, fromProgram),
    opened() {
      sides++;
      if (sides === 2) letGo();
    },
    async remove() {
      letGo();
      await Promise.all(paths.map((path) => rm(path, { force: true })));
    },
  };
}

/** Node cannot make them. Programs run as other users than we do, so everybody may use what he can name. */
async function makeFifos(paths: readonly string[]): Promise<void> {
  try {
    await run('mkfifo', ['-m', '666', ...paths]);
  } catch (error) {
    throw new UnavailableError({
      code: 'pipes-unavailable',
      what: 'The pipes between a program and its tester cannot be made.',
      why: error instanceof Error ? error.message : String(error),
      fix: 'They are made by `mkfifo` of coreutils, in the temporary folder: see that both can be used.',
    });
  }
}
