/** `polya test`: Node's own test runner, in which `import 'polya'` is the running copy, from any folder. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import { registerHook } from '../../open/user-code/imports.ts';
import type { CommandFile } from '../contract.ts';

export const test: CommandFile = {
  define(command) {
    command.argument('[files...]', 'the tests; default: what `node --test` finds here (*.test.ts)');
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
    const code = await shell.spawn([process.execPath, '--import', registerHook, '--test', ...files]);
    if (code === null) {
      throw new UnavailableError({ code: 'no-node', what: 'Node could not be started.' });
    }
    return code === 0 ? exitCodes.ok : exitCodes.unsolved;
  },
};
