/** `polya prompts export`: an agent's prompts as files NAME.md, for `--prompts` to read again once they are changed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitCodes, UserError } from '../../core/errors.ts';
import { makeFolder } from '../../io/make-folder.ts';
import type { Journals } from '../../open/options.ts';
import { systemReason } from '../../text/system-reason.ts';
import { partNamed } from '../bring.ts';
import type { CommandFile } from '../contract.ts';
import { withPolya } from '../journals.ts';

export const promptsExport: CommandFile = {
  define(command) {
    command
      .argument('<folder>', 'where to; it is made when missing')
      .option('--agent <name>', 'whose prompts; or a file of yours with an agent', 'tool-loop');
  },
  async run(shell, command) {
    const [target = ''] = command.args;
    const part = await partNamed(shell, 'agent', command.opts<{ agent: string }>().agent);
    const work = async ({ world }: Journals): Promise<number> => {
      const { name, prompts } = await world.agent(part.name);
      const folder = resolve(shell.folder, target);
      const files = Object.entries(prompts).map(([prompt, text]) => ({
        path: join(folder, `${prompt}.md`),
        text: `${text}\n`,
      }));
      write(folder, files);
      for (const { path } of files) shell.out.write(`${path}\n`);
      shell.err.write(`The prompts of ${name}. Use them with --prompts ${target}\n`);
      return exitCodes.ok;
    };
    return withPolya(shell, work, { code: { files: part.files } });
  },
};

/** None is written where one would replace a file with other words. */
function write(folder: string, files: readonly { path: string; text: string }[]): void {
  try {
    const changed = files.find(({ path, text }) => existsSync(path) && readFileSync(path, 'utf8') !== text);
    if (changed) {
      throw new UserError({
        code: 'file-in-the-way',
        what: `${changed.path} is there already and says something else; nothing was written.`,
        fix: 'Name another folder, or move the file away.',
      });
    }
    makeFolder(folder);
    for (const { path, text } of files) writeFileSync(path, text);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError({
      code: 'prompts-unwritable',
      what: `The prompts cannot be written to ${folder}.`,
      why: systemReason(error),
      fix: 'Name another folder.',
    });
  }
}
