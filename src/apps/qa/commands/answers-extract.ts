/** `polya answers extract`: the answer in a reply, and how it was found. Ends with 1 where there is none. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { extract, type ProfileName, profileNames } from '../../../answers/index.ts';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { harmless, harmlessJson } from '../../../text/format.ts';

type Options = {
  readonly file?: string;
  readonly profile: ProfileName;
  readonly several: 'last' | 'first' | 'refuse';
  readonly json?: boolean;
};

export const answersExtract: CommandFile = {
  define(command: Command) {
    command
      .argument('[reply]', 'the reply itself')
      .option('--file <path>', 'a file that holds the reply; /dev/stdin for what is piped in')
      .addOption(
        new Option('--profile <profile>', 'how it is looked for').choices(profileNames).default('math'),
      )
      .addOption(
        new Option('--several <which>', 'of several answers')
          .choices(['last', 'first', 'refuse'])
          .default('last'),
      )
      .option('--json', 'print it as JSON, with all candidates');
  },
  async run(shell, command) {
    const { file, json, ...options } = command.opts<Options>();
    const found = extract(replyOf(shell, command.processedArgs[0], file), options);
    if (json) shell.out.write(`${harmlessJson(found, 2)}\n`);
    else if (found.answer) shell.out.write(`${harmless(found.answer.text)}\n`);
    if (!json) shell.err.write(`${found.answer ? 'Found by' : 'No answer'}: ${found.how}.\n`);
    return found.answer ? exitCodes.ok : exitCodes.unsolved;
  },
};

function replyOf(shell: Shell, reply: string | undefined, file: string | undefined): string {
  if ((reply === undefined) === (file === undefined)) {
    throw new UserError({
      code: 'no-reply',
      what: reply === undefined ? 'No reply is given.' : 'A reply is given, and a file.',
      fix: 'Give the reply as the one argument, or its file with --file.',
    });
  }
  if (file === undefined) return reply ?? '';
  try {
    return readFileSync(resolve(shell.folder, file), 'utf8');
  } catch (error) {
    throw new UserError({
      code: 'file-unreadable',
      what: `The reply in ${file} cannot be read.`,
      why: error instanceof Error ? `${error.message}.` : '',
      fix: 'Name a text file.',
    });
  }
}
