/** `polya exec`: a program in the sandbox, without model or journal. All input is checked before anything is executed. */
import { exitCodes } from '../../core/errors.ts';
import type { StepResult } from '../../core/sandbox.ts';
import { grouped } from '../../text/format.ts';
import { type CommandFile, print, printDocument } from '../contract.ts';
import { compileLimitsOf, type ExecOptions, execOptions, limitsOf } from '../exec/options.ts';
import { readGiven, refuseMissing } from '../exec/program.ts';
import { resultJson, type Setting, tellCompile, verdictLine } from '../exec/words.ts';
import { interruptibly } from '../interruption.ts';
import { withPolya } from '../journals.ts';

export const exec: CommandFile = {
  define: (command) => void execOptions(command),
  async run(shell, command) {
    const [file = '', ...args] = command.args;
    const options = command.opts<ExecOptions>();
    const given = await readGiven(shell, file, options);
    return withPolya(
      shell,
      async ({ world: { io } }) => {
        const info = await io.sandbox.info();
        refuseMissing(info, given.program);
        const program = { ...given.program, compileLimits: compileLimitsOf(options) };
        const setting = { shell, sandbox: io.sandbox, info, isJson: Boolean(options.json), program };
        return interruptibly(shell, (signal) => {
          const limits = limitsOf(options, info);
          return runOnce({ ...setting, request: { ...program, stdin: given.stdin, args, limits } }, signal);
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
    if (compile) tellCompile(setting, compile);
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
