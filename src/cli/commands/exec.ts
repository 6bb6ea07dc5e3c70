/** `polya exec`: a program in the sandbox, without model or journal. All input is checked before anything is executed. */
import { exitCodes, UserError } from '../../core/errors.ts';
import type { StepResult } from '../../core/sandbox.ts';
import { grouped, harmless } from '../../text/format.ts';
import { type CommandFile, exactly, print } from '../contract.ts';
import { batchOf, runBatch } from '../exec/batch.ts';
import { compileLimitsOf, type ExecOptions, execOptions, limitsOf } from '../exec/options.ts';
import { readGiven, refuseContradictions, refuseMissing } from '../exec/program.ts';
import {
  measuresText,
  resultJson,
  type Setting,
  sandboxText,
  tellCompile,
  verdictLine,
} from '../exec/words.ts';
import { interruptibly } from '../interruption.ts';
import { withPolya } from '../journals.ts';

export const exec: CommandFile = {
  define: (command) => void execOptions(command),
  async run(shell, command) {
    const [file = '', ...operands] = command.args;
    const options = command.opts<ExecOptions>();
    const args = [...(options.args ?? []), ...operands];
    refuseContradictions(file, options, args.length > 0);
    const given = await readGiven(shell, file, options);
    return withPolya(
      shell,
      async ({ world: { io } }) => {
        const info = await io.sandbox.info();
        refuseMissing(info, given.program);
        const program = { ...given.program, compileLimits: compileLimitsOf(options) };
        const setting = { shell, sandbox: io.sandbox, info, isJson: Boolean(options.json), program };
        return interruptibly(shell, (signal) => {
          if (options.check) return checkSyntax(setting, signal);
          if (given.cases || given.tester) return runBatch(batchOf(setting, given, options, args), signal);
          const limits = limitsOf(options, info);
          return runOnce({ ...setting, request: { ...program, stdin: given.stdin, args, limits } }, signal);
        });
      },
      { backend: options.backend },
    );
  },
};

/** The compiler's word on the syntax, without running anything. */
async function checkSyntax(setting: Setting, signal: AbortSignal): Promise<number> {
  const { sandbox, isJson, shell, info, program } = setting;
  const { check } = await sandbox.check(program, signal);
  if (check === null) {
    throw new UserError({
      code: 'no-syntax-check',
      what: `The syntax of ${program.language} cannot be checked alone.`,
      fix: 'Leave out --check: the program is compiled before it runs.',
    });
  }
  const isGood = check.verdict === 'ok';
  if (isJson) print(shell.out, resultJson(setting, { compile: check, run: null }));
  else tellCompile(setting, check, 'syntax error');
  if (isGood && !isJson) {
    const verdict = shell.err.paint('good', 'no complaint');
    shell.err.write(`${verdict}; ${measuresText(check)}; ${sandboxText(info)}\n`);
  }
  return isGood ? exitCodes.ok : exitCodes.unsolved;
}

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
  exactly(out).write(out.isTerminal ? ended(harmless(stdout.text)) : stdout.text);
  err.write(ended(err.isTerminal ? harmless(stderr.text) : stderr.text));
  for (const [name, { cut, bytes }] of Object.entries({ stdout, stderr })) {
    const note = `${name}: ${grouped(bytes)} bytes, the middle is left out; --output keeps more`;
    if (cut) err.write(`${err.paint('warn', note)}\n`);
  }
  err.write(verdictLine(err, run, info));
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
