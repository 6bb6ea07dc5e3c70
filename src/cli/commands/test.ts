/** `polya test`: Node's own test runner, in which `import 'polya'` is the running copy, from any folder. */
import { existsSync, globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import { actingIn } from '../../open/trust/acting-files.ts';
import { requireOwn } from '../../open/trust/trust.ts';
import { registerHook } from '../../open/user-code/imports.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { requireTrustOf } from '../trusted.ts';

export const test: CommandFile = {
  define(command) {
    command.argument('[files...]', 'the tests; default: all *.test.ts at and below this folder');
  },
  async run(shell, command) {
    const files: readonly string[] = command.processedArgs[0] ?? [];
    const missing = files.find((file) => !/[*?{]/.test(file) && !existsSync(resolve(shell.folder, file)));
    if (missing !== undefined) {
      throw new UserError({
        code: 'no-such-test',
        what: `There is no file ${join(shell.folder, missing)}.`,
        fix: 'Name a test; `polya init agent NAME` writes one.',
      });
    }
    for (const file of files) requireOwn(resolve(shell.folder, file), shell.env);
    const tests = files.length > 0 ? files : await trustedTests(shell);
    const code = await shell.spawn([process.execPath, '--import', registerHook, '--test', ...tests]);
    if (code === null) {
      throw new UnavailableError({ code: 'no-node', what: 'Node could not be started.' });
    }
    return code === 0 ? exitCodes.ok : exitCodes.unsolved;
  },
};

/** Those of the folder, which nobody has named: each is asked about when it is new or has changed. */
async function trustedTests(shell: Shell): Promise<readonly string[]> {
  const found = globSync('**/*.test.{ts,mts,cts,js,mjs,cjs}', {
    cwd: shell.folder,
    exclude: ['**/node_modules/**'],
  });
  if (found.length === 0)
    throw new UserError({
      code: 'no-such-test',
      what: `There is no test at or below ${shell.folder}.`,
      fix: 'Name a test; `polya init agent NAME` writes one.',
    });
  await requireTrustOf(shell, [actingIn(shell.folder, found)]);
  return found;
}
