/** `polya exec --check`: the compiler's word on the syntax, without a program and without running anything. */
import { exitCodes, UserError } from '../../core/errors.ts';
import type { BuildRequest, Sandbox } from '../../core/sandbox.ts';
import { resultJson, type Setting, sandboxText, tellCompile } from './result.ts';
import { measuresText } from './words.ts';

export type Check = Setting & {
  readonly sandbox: Sandbox;
  readonly request: BuildRequest;
  readonly isJson: boolean;
};

export async function checkOnly(setting: Check, signal: AbortSignal): Promise<number> {
  const { sandbox, request, isJson, shell, info, program } = setting;
  const { check } = await sandbox.check(request, signal);
  if (check === null) {
    throw new UserError({
      code: 'no-syntax-check',
      what: `For ${program.language} there is no look at the syntax alone.`,
      fix: 'Leave out --check: the program is compiled before it runs.',
    });
  }
  if (isJson) shell.out.write(resultJson(setting, { compile: check, run: null }));
  else {
    tellCompile(setting, check, 'syntax error');
    if (check.verdict === 'ok') {
      shell.err.write(
        `${shell.err.paint('good', 'no complaint')}; ${measuresText(check)}; ${sandboxText(info)}\n`,
      );
    }
  }
  return check.verdict === 'ok' ? exitCodes.ok : exitCodes.unsolved;
}
