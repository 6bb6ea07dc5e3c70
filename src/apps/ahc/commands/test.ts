/** `polya ahc test`: a program over the cases of a contest, judged by the official tools, against what is known. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { interruptibly } from '../../../cli/drive.ts';
import { printFailure } from '../../../cli/failure.ts';
import { parseInteger } from '../../../cli/options.ts';
import { exitCodes } from '../../../core/errors.ts';
import { unsafeLabel } from '../../../core/sandbox.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { type IncludeOption, includeOption, openContext, runningOptions } from '../evaluation-context.ts';
import { programOf, type TestJob, type TestOptions, testOnce } from '../testing/run.ts';
import { conflict, type WorkspaceOptions, warn, withHelp, workspaceOptions } from '../workspace.ts';

type Options = WorkspaceOptions & IncludeOption & TestOptions & { readonly watch?: boolean };

export const ahcTest: CommandFile = {
  define(command: Command) {
    command
      .argument(
        '[file]',
        "the program, in C++, Rust or Python (default: the workspace's main.cpp, main.rs, src/main.rs or main.py)",
      )
      .option('-c, --cases <list>', 'only these, as in 0-99,120 (default: all)')
      .option(
        '--rows',
        'a row for every case; without this, where there are more than 20, only those that fail',
      )
      .option(
        '--worst <number>',
        'how many of the cases that are furthest from the best known (default: 5)',
        parseInteger(1),
      )
      .option('-m, --message <text>', 'what is new in this version: `history` shows it')
      .option('--tag <name>', 'a name for this version, which --vs takes as well')
      .option(
        '--vs <version-or-file>',
        'compare with a version of the history (v3, last, a tag), or with another program',
      )
      .option(
        '-g, --group <name>',
        'groups by a number that inputs begin with: its name in the statement (N), or its place (1)',
      )
      .option('--out <folder>', 'write what the program wrote there, a file a case')
      .option('--watch', 'run it again whenever the program is saved, until Ctrl-C');
    withHelp(workspaceOptions(includeOption(runningOptions(command))), 'test');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const [file]: [string?] = command.processedArgs as [string?];
    if (options.watch && options.json) throw conflict('--watch prints no JSON.');
    const context = openContext(shell, command);
    const job = { shell, context, file, options };
    // Reports faults of the file before it looks for a sandbox.
    programOf(job);
    const info = await context.sandbox.info();
    const label = unsafeLabel(info);
    if (label) warn(shell, `Programs ${label.replace('ran', 'run')}.`);
    if (options.watch) return watched({ ...job, info });
    return interruptibly(shell, (signal) => testOnce({ ...job, info }, signal));
  },
};

/** What goes wrong once may be right after the next save. */
function watched(job: TestJob): Promise<number> {
  const { shell, context, file } = job;
  const path = resolve(shell.folder, file ?? join(context.workspace.folder.path, layout.solution));
  // What a program includes may change with it.
  const filesOf = (): readonly string[] => {
    try {
      const found = programOf(job);
      return [found.path, ...found.included];
    } catch {
      return [path];
    }
  };
  return onEverySave(shell, filesOf, async (signal) => {
    try {
      await testOnce(job, signal);
    } catch (error) {
      if (!signal.aborted && printFailure(shell, error, false) === exitCodes.bug) throw error;
    }
  });
}

const lookEveryMs = 300;

/** Does `work` at once, and again after each change of its files; a change while it works breaks it off. */
async function onEverySave(
  shell: Shell,
  filesOf: () => readonly string[],
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<number> {
  const departure = new AbortController();
  const release = shell.onInterrupt(() => departure.abort());
  try {
    while (!departure.signal.aborted) {
      const changed = new AbortController();
      const either = AbortSignal.any([departure.signal, changed.signal]);
      const watching = untilChanged(filesOf(), either).then(() => changed.abort());
      await work(either);
      if (!either.aborted) shell.err.write('Waiting for the next save; Ctrl-C ends it.\n');
      await watching;
    }
    return exitCodes.ok;
  } finally {
    release();
  }
}

async function untilChanged(files: readonly string[], signal: AbortSignal): Promise<void> {
  const before = stateOf(files);
  while (!signal.aborted && stateOf(files) === before) {
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

function stateOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(contentOf(file));
  return hash.digest('hex');
}

/** Between the old file and the new one there may be none for a moment; and a pipe would be waited for. */
function contentOf(file: string): Uint8Array {
  try {
    return statSync(file).isFile() ? readFileSync(file) : new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}
