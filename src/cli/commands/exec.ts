/** `polya exec`: a program in the sandbox, without model or journal. All input is checked before anything is executed. */
import type { Command } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import type { ExecLimits, SandboxInfo, StepResult } from '../../core/sandbox.ts';
import { grouped } from '../../text/format.ts';
import { type CommandFile, print, printDocument } from '../contract.ts';
import { interruptibly } from '../drive.ts';
import { assertToolchain, type ExecOptions, readGiven } from '../exec/program.ts';
import { printCompile, resultJson, type Setting, verdictLine } from '../exec/words.ts';
import { withPolya } from '../journals.ts';
import { backendOption, collectRepeated, named, parseInteger, positive } from '../options.ts';

export const exec: CommandFile = {
  define: (command) => void execOptions(command),
  async run(shell, command) {
    const [file = '', ...args] = command.args;
    const options = command.opts<ExecOptions>();
    const programWithInput = await readGiven(shell, file, options);
    return withPolya(
      shell,
      async ({ world: { io } }) => {
        const info = await io.sandbox.info();
        assertToolchain(info, programWithInput.program);
        const program = { ...programWithInput.program, compileLimits: compileLimitsOf(options) };
        const setting = { shell, sandbox: io.sandbox, info, isJson: Boolean(options.json), program };
        return interruptibly(shell, (signal) => {
          const limits = limitsOf(options, info);
          return runOnce(
            { ...setting, request: { ...program, stdin: programWithInput.stdin, args, limits } },
            signal,
          );
        });
      },
      { backend: options.backend },
    );
  },
};

/** One program with one input: its output goes where it would have gone, how it ended to standard error. */
async function runOnce(
  { request, ...setting }: Setting & { readonly request: Parameters<Setting['sandbox']['exec']>[0] },
  signal: AbortSignal,
): Promise<number> {
  const { compile, run } = await setting.sandbox.exec(request, signal);
  if (setting.isJson) print(setting.shell.out, resultJson(setting, { compile, run }));
  else {
    if (compile) printCompile(setting, compile);
    if (run) tellRun(setting, run);
  }
  return run?.verdict === 'ok' ? exitCodes.ok : exitCodes.unsolved;
}

/** To a terminal nothing goes that could steer it; a file or a pipe gets the program's own bytes. */
function tellRun({ shell: { out, err }, info }: Setting, run: StepResult): void {
  const { stdout, stderr } = run;
  printDocument(out, out.isTerminal ? ended(stdout.text) : stdout.text);
  err.write(ended(stderr.text));
  for (const [name, { cut, bytes }] of Object.entries({ stdout, stderr })) {
    const note = `${name}: ${grouped(bytes)} bytes, the middle is left out; --output keeps more`;
    if (cut) err.write(`${err.paint('warn', note)}\n`);
  }
  err.write(verdictLine(err, run, info));
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function execOptions(command: Command): Command {
  command
    .argument('<file>', 'the program; - reads it from standard input, and needs --lang')
    .argument('[args...]', 'arguments of the program, behind `--`')
    .option('--lang <language>', 'its language (default: by the end of its name)')
    .option(
      '--toolchain <name>',
      'one of those that `polya doctor` lists (default: the first of its language)',
    )
    .option('--stdin <file>', 'what it reads on standard input; - passes on your own (default: nothing)')
    .option(
      '--file <[name=]path>',
      'one more file for its working folder; may be given again',
      collectRepeated,
    )
    .option('--time <seconds>', 'at most this long by the clock', positive)
    .option('--cpu <seconds>', 'at most this much CPU time (default: as --time)', positive)
    .option('--memory <MiB>', 'at most this much memory', positive)
    .option('--processes <number>', 'at most so many processes and threads at once', parseInteger(1))
    .option('--disk <MiB>', 'at most this much written to files', positive)
    .option('--output <KiB>', 'keep this much of stdout, and of stderr; end it at 16 times as much', positive)
    .option('--files <number>', 'at most so many open files a process', parseInteger(1))
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
