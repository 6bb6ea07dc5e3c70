/** `polya agents` and `polya families`: what there is, what fits what, and the settings. Asks no model and poses no problem. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitCodes, UserError } from '../../core/errors.ts';
import { makeFolder } from '../../io/write-whole.ts';
import type { Journals } from '../../open/options.ts';
import { notFoundError } from '../../open/user-code/failures.ts';
import { systemReason } from '../../text/system-reason.ts';
import { type Facts, factsOf } from '../agents.ts';
import { agentsText, agentText, familiesText, familyText, matrixText } from '../agents-text.ts';
import { type BringOptions, bringOptions, broughtIn, partNamed } from '../bring.ts';
import { type CommandFile, type Output, print, type Shell } from '../contract.ts';
import { withPolya } from '../journals.ts';

type Kind<T> = {
  readonly noun: 'agent' | 'family';
  /** Of all agents and families, where the command prints one. */
  readonly matrix?: (output: Output, facts: Facts) => string;
  readonly of: (facts: Facts) => readonly T[];
  readonly all: (output: Output, facts: Facts) => string;
  readonly one: (output: Output, found: T) => string;
};

const agentList = commandFor({
  noun: 'agent',
  matrix: matrixText,
  of: (facts) => facts.agents,
  all: agentsText,
  one: agentText,
});

export const agents: CommandFile = {
  ...agentList,
  define(command, shell) {
    agentList.define(command, shell);
    command.option(
      '--export-prompts <folder>',
      'write its prompts there, to be changed and used with --prompts; NAME may be a file of yours',
    );
  },
  run(shell, command) {
    const { exportPrompts: folder } = command.opts<{ readonly exportPrompts?: string }>();
    const [name = 'tool-loop'] = command.args;
    return folder === undefined ? agentList.run(shell, command) : exportPrompts(shell, name, folder);
  },
};

export const families = commandFor({
  noun: 'family',
  of: (facts) => facts.families,
  all: familiesText,
  one: familyText,
});

function commandFor<T extends { readonly name: string }>({
  noun,
  of,
  all,
  one,
  matrix,
}: Kind<T>): CommandFile {
  return {
    isReport: true,
    define(command) {
      const named = command.argument('[name]', `the ${noun} that is told in detail`);
      bringOptions(named).option('--json', 'print it as JSON');
      if (matrix) command.option('--matrix', 'print which agent runs on which family, and what is missing');
    },
    async run(shell, command) {
      const { out } = shell;
      const options = command.opts<BringOptions & { readonly json?: boolean; readonly matrix?: boolean }>();
      const facts = await withPolya(shell, factsOf, broughtIn(shell, options));
      const [name] = command.args;
      const existing = of(facts);
      const found = existing.find((each) => each.name === name);
      // Other nouns have a command of that name.
      if (name === undefined || (!found && name === 'list')) {
        const text = options.matrix && matrix ? matrix(out, facts) : all(out, facts);
        print(out, options.json ? existing : text);
        return exitCodes.ok;
      }
      if (!found) {
        const names = existing.map((each) => each.name);
        throw notFoundError(noun, name, names);
      }
      print(out, options.json ? found : one(out, found));
      return exitCodes.ok;
    },
  };
}

async function exportPrompts(shell: Shell, agent: string, target: string): Promise<number> {
  const part = await partNamed(shell, 'agent', agent);
  const work = async ({ world }: Journals): Promise<number> => {
    const { name, prompts } = await world.agent(part.name);
    const folder = resolve(shell.folder, target);
    const files = Object.entries(prompts).map(([prompt, text]) => ({
      path: join(folder, `${prompt}.md`),
      text: `${text}\n`,
    }));
    writeUnlessDifferent(folder, files);
    for (const { path } of files) shell.out.write(`${path}\n`);
    shell.err.write(`The prompts of ${name}. Use them with --prompts ${target}\n`);
    return exitCodes.ok;
  };
  return withPolya(shell, work, { code: { files: part.files } });
}

/** None is written where one would replace a file with other words. */
function writeUnlessDifferent(folder: string, files: readonly { path: string; text: string }[]): void {
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
