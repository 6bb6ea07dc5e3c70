/** The options of `polya exec`, and the limits they come to. Numbers are checked as they are read. */
import type { Command } from 'commander';
import type { ExecLimits, SandboxInfo } from '../../core/sandbox.ts';
import { type BackendOption, backendOption, named, positive, repeated, wholeNumber } from '../options.ts';

type Amount = 'time' | 'cpu' | 'memory' | 'processes' | 'disk' | 'output' | 'files' | 'compileTime';

export type ExecOptions = BackendOption &
  Partial<Readonly<Record<'lang' | 'toolchain' | 'stdin', string>>> &
  Partial<Readonly<Record<Amount, number>>> & {
    readonly file?: readonly string[];
    readonly json?: boolean;
  };

export function execOptions(command: Command): Command {
  command
    .argument('<file>', 'the program; - reads it from standard input, and needs --lang')
    .argument('[args...]', 'arguments of the program, behind `--`')
    .option('--lang <language>', 'its language (default: by the end of its name)')
    .option(
      '--toolchain <name>',
      'one of those that `polya doctor` lists (default: the first of its language)',
    )
    .option('--stdin <file>', 'what it reads on standard input; - passes on your own (default: nothing)')
    .option('--file <[name=]path>', 'one more file for its working folder; may be given again', repeated)
    .option('--time <seconds>', 'at most this long by the clock', positive)
    .option('--cpu <seconds>', 'at most this much CPU time (default: as --time)', positive)
    .option('--memory <MiB>', 'at most this much memory', positive)
    .option('--processes <number>', 'at most so many processes and threads at once', wholeNumber(1))
    .option('--disk <MiB>', 'at most this much written to files', positive)
    .option('--output <KiB>', 'keep this much of stdout, and of stderr; end it at 16 times as much', positive)
    .option('--files <number>', 'at most so many open files a process', wholeNumber(1))
    .option('--compile-time <seconds>', 'at most this long for the compiler', positive);
  return backendOption(command).option('--json', 'print the result as JSON');
}

const mebibyte = 2 ** 20;

/** If only one of `--time` and `--cpu` is given, it applies to both. */
export function limitsOf(options: ExecOptions, { limits }: Pick<SandboxInfo, 'limits'>): Partial<ExecLimits> {
  const { time, cpu = time, memory, processes, disk, output, files } = options;
  return named({
    wallMs: time ? time * 1000 : cpu && Math.max(limits.wallMs, cpu * 3000),
    cpuMs: cpu && cpu * 1000,
    memoryBytes: memory && memory * mebibyte,
    processes,
    openFiles: files,
    diskBytes: disk && disk * mebibyte,
    // One file may fill the disk that was asked for.
    fileBytes: disk && disk * mebibyte,
    outputBytes: output && output * 1024,
  });
}

export function compileLimitsOf({ compileTime }: ExecOptions): Partial<ExecLimits> {
  const ms = compileTime && compileTime * 1000;
  return named({ wallMs: ms, cpuMs: ms });
}
