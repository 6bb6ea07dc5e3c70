/** The options of `polya exec`, and the limits they come to. Numbers are checked as they are read. */
import { type Command, Option } from 'commander';
import type { ExecLimits, SandboxInfo } from '../../core/sandbox.ts';
import { backendOption, positive, wholeNumber } from '../options.ts';

export type ExecOptions = {
  readonly lang?: string;
  readonly toolchain?: string;
  readonly stdin?: string;
  readonly cases?: string;
  readonly file?: readonly string[];
  readonly tester?: string;
  readonly testerLang?: string;
  readonly talks: 'stdio' | 'relay';
  readonly args?: readonly string[];
  readonly workers?: number;
  readonly backend?: string;
  readonly check?: boolean;
  readonly json?: boolean;
  readonly time?: number;
  readonly cpu?: number;
  readonly memory?: number;
  readonly processes?: number;
  readonly disk?: number;
  readonly output?: number;
  readonly files?: number;
  readonly compileTime?: number;
};

const [kibibyte, mebibyte] = [1024, 1024 * 1024];

export function execOptions(command: Command): Command {
  const many = (value: string, before: readonly string[] = []) => [...before, value];
  command
    .argument('<file>', 'the program; - reads it from standard input, and needs --lang')
    .argument('[args...]', 'arguments of the program, behind `--`')
    .option('--lang <language>', 'its language (default: by the end of its name)')
    .option(
      '--toolchain <name>',
      'one of those that `polya doctor` lists (default: the first of its language)',
    )
    .option('--stdin <file>', 'what it reads on standard input; - passes on your own (default: nothing)')
    .option('--cases <folder>', 'run it over each NAME.in (or, without any, NAME.txt) of this folder')
    .addOption(
      new Option(
        '--file <[name=]path>',
        'one more file for its working folder; may be given again',
      ).argParser(many),
    )
    .option('--tester <file>', 'a program that it talks to, over pipes')
    .option('--tester-lang <language>', 'the language of the tester (default: by the end of its name)')
    .addOption(
      new Option(
        '--talks <how>',
        'stdio: the tester talks on its own stdin and stdout; relay: it starts the program, as AtCoder’s testers do',
      )
        .choices(['stdio', 'relay'])
        .default('stdio'),
    )
    .option('--args <text...>', 'arguments of the program, where none begins with a dash');
  limitOptions(command);
  return backendOption(command)
    .option('--workers <number>', 'how many cases run at once (default: one a processor)', wholeNumber(1))
    .option('--check', 'look at the syntax only; run nothing')
    .option('--json', 'print the result as JSON');
}

function limitOptions(command: Command): void {
  command
    .option('--time <seconds>', 'at most this long by the clock', positive)
    .option('--cpu <seconds>', 'at most this much CPU time (default: as --time)', positive)
    .option('--memory <MiB>', 'at most this much memory', positive)
    .option('--processes <number>', 'at most so many processes and threads at once', wholeNumber(1))
    .option('--disk <MiB>', 'at most this much written to files', positive)
    .option('--output <KiB>', 'keep this much of stdout, and of stderr; end it at 16 times as much', positive)
    .option('--files <number>', 'at most so many open files a process', wholeNumber(1))
    .option('--compile-time <seconds>', 'at most this long for the compiler', positive);
}

/** Whoever names one of two times means both: the other would end the program first. */
export function limitsOf(options: ExecOptions, { limits }: Pick<SandboxInfo, 'limits'>): Partial<ExecLimits> {
  const { time, cpu, memory, processes, disk, output, files } = options;
  return given({
    wallMs: seconds(time) ?? atLeast(limits.wallMs, seconds(cpu)),
    cpuMs: seconds(cpu) ?? seconds(time),
    memoryBytes: times(memory, mebibyte),
    processes,
    openFiles: files,
    diskBytes: times(disk, mebibyte),
    // One file may fill the disk that was asked for.
    fileBytes: times(disk, mebibyte),
    outputBytes: times(output, kibibyte),
  });
}

export function compileLimitsOf({ compileTime }: ExecOptions): Partial<ExecLimits> {
  return given({ wallMs: seconds(compileTime), cpuMs: seconds(compileTime) });
}

function seconds(value: number | undefined): number | undefined {
  return times(value, 1000);
}

function times(value: number | undefined, unit: number): number | undefined {
  return value === undefined ? undefined : value * unit;
}

function atLeast(usual: number, other: number | undefined): number | undefined {
  return other === undefined ? undefined : Math.max(usual, other);
}

function given(limits: { [name in keyof ExecLimits]?: number | undefined }): Partial<ExecLimits> {
  const named = Object.entries(limits).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as Partial<ExecLimits>;
}
