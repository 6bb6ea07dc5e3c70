/** `polya ahc test`: a program over the cases of a contest, judged by the official tools, against what is known. */
import type { Command } from 'commander';
import type { CommandFile } from '../../../cli/contract.ts';
import { interruptibly } from '../../../cli/drive.ts';
import { parseInteger } from '../../../cli/options.ts';
import { unsafeLabel } from '../../../core/sandbox.ts';
import { type IncludeOption, includeOption, openContext, runningOptions } from '../evaluation-context.ts';
import { programOf, type TestOptions, testOnce } from '../testing/run.ts';
import { type WorkspaceOptions, warn, withHelp, workspaceOptions } from '../workspace.ts';

type Options = WorkspaceOptions & IncludeOption & TestOptions;

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
      .option('--out <folder>', 'write what the program wrote there, a file a case');
    withHelp(workspaceOptions(includeOption(runningOptions(command))), 'test');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const [file]: [string?] = command.processedArgs as [string?];
    const context = openContext(shell, command);
    const job = { shell, context, file, options };
    // Reports faults of the file before it looks for a sandbox.
    programOf(job);
    const info = await context.sandbox.info();
    const label = unsafeLabel(info);
    if (label) warn(shell, `Programs ${label.replace('ran', 'run')}.`);
    return interruptibly(shell, (signal) => testOnce({ ...job, info }, signal));
  },
};
