/** `polya ahc bundle`: the one file that the judge takes, with all that the program includes, compiled before it is handed out. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type CommandFile, printDocument } from '../../../cli/contract.ts';
import { interruptibly } from '../../../cli/drive.ts';
import { backendOption } from '../../../cli/options.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { EvaluationContext } from '../../../families/ahc/evaluation.ts';
import { buildWhole, solutionProgram } from '../../../families/ahc/judge/build.ts';
import { sourceLimitBytes } from '../../../families/ahc/workspace.ts';
import { count, grouped } from '../../../text/format.ts';
import { type IncludeOption, includeOption, openContext } from '../evaluation-context.ts';
import { type FoundProgram, findProgram, missingLibrary } from '../workspace/program.ts';
import { tellJson, type WorkspaceOptions, warn, workspaceOptions } from '../workspace.ts';

type BundleOptions = WorkspaceOptions & IncludeOption & { readonly out?: string; readonly force: boolean };

export const ahcBundle: CommandFile = {
  define(command: Command) {
    command
      .argument('[file]', "the program (default: the workspace's main.cpp, main.rs, src/main.rs or main.py)")
      .option('-o, --out <file>', 'where to write it (default: standard output)')
      .option('--force', 'replace a file that exists', false);
    workspaceOptions(includeOption(backendOption(command)));
  },
  async run(shell, command) {
    const options = command.opts<BundleOptions>();
    const [file]: [string?] = command.processedArgs as [string?];
    const context = openContext(shell, command, { anywhere: file !== undefined });
    const { include, out, force } = options;
    const found = findProgram(shell, { workspace: context.workspace, file, include });
    const { source, included } = found;
    const bytes = Buffer.byteLength(source);
    if (bytes > sourceLimitBytes) {
      throw new UserError({
        code: 'too-large',
        what: `The program is too large for the judge: ${grouped(bytes)} bytes, and ${grouped(sourceLimitBytes)} are taken.`,
        fix: 'Include less, or make tables at run time. Nothing was written.',
      });
    }
    return interruptibly(shell, async (signal) => {
      const error = await compileError(context, found, signal);
      if (error !== null) {
        const hint = missingLibrary(error);
        shell.err.write(`${error}\n`);
        if (hint) warn(shell, hint);
        shell.err.write(`${shell.err.paint('bad', 'It does not compile alone; nothing was written.')}\n`);
        if (options.json) tellJson(shell, { compiled: false, bytes, included, error, hint });
        return exitCodes.unsolved;
      }
      if (out !== undefined) writeFiles([{ path: resolve(shell.folder, out), text: source }], { force });
      const told = `${count(included.length, 'file')} put in, ${grouped(bytes)} of ${grouped(sourceLimitBytes)} bytes; it compiles alone.\n`;
      if (options.json) {
        const text = out === undefined ? { source } : { out };
        tellJson(shell, { compiled: true, bytes, included, ...text });
      } else if (out === undefined) printDocument(shell.out, source.endsWith('\n') ? source : `${source}\n`);
      shell.err.write(told);
      return exitCodes.ok;
    });
  },
};

/** Whether the program compiles as it would at the judge; null where it does, else the compiler's words. */
async function compileError(
  { workspace, sandbox }: EvaluationContext,
  program: FoundProgram,
  signal: AbortSignal,
): Promise<string | null> {
  const wallMs = Number(workspace.config.get('docker.compilation_timeout')) * 1000;
  const request = solutionProgram(program, wallMs);
  if (program.language === 'python') {
    const { check } = await sandbox.check(request, signal);
    return check === null || check.verdict === 'ok' ? null : check.digest || check.stderr.text;
  }
  const { executable, compile } = await buildWhole(sandbox, request, signal);
  return executable ? null : ((compile?.digest || compile?.stderr.text) ?? '');
}
