/** `polya init agent NAME`, `polya init family NAME`: a small one that works, with its test. Nothing is overwritten. */
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../core/errors.ts';
import { agentLoaders } from '../../open/agents.ts';
import { familyLoaders } from '../../open/families.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { agentTemplate, familyTemplate, type Template } from '../templates.ts';

type Kind = {
  readonly noun: 'agent' | 'family';
  readonly taken: readonly string[];
  readonly template: (name: string) => Template;
  readonly tryIt: (call: string, name: string) => string;
};

export const initAgent = initCommand({
  noun: 'agent',
  taken: Object.keys(agentLoaders),
  template: agentTemplate,
  tryIt: (call, name) =>
    `${call} run --agent ./${name}.ts --family qa --problem question="What is 6 times 7?" --problem answer=42 --model manual`,
});

export const initFamily = initCommand({
  noun: 'family',
  taken: Object.keys(familyLoaders),
  template: familyTemplate,
  tryIt: (call, name) =>
    `${call} run --family ./${name}.ts --problem a=6 --problem b=7 --agent single-call --model manual`,
});

function initCommand(kind: Kind): CommandFile {
  return {
    define(command: Command) {
      command.argument(
        '<name>',
        'lower-case letters, digits and hyphens: NAME.ts and NAME.test.ts are written',
      );
    },
    async run(shell, command) {
      const name: string = command.processedArgs[0];
      refuseName(kind, name);
      const { code, test } = kind.template(name);
      writeNew(shell.folder, [
        [`${name}.ts`, code],
        [`${name}.test.ts`, test],
      ]);
      tellWritten(shell, kind, name);
      return exitCodes.ok;
    },
  };
}

function refuseName({ noun, taken }: Kind, name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 64) {
    throw new UserError({
      code: 'no-name',
      what: `"${name}" is no name of ${noun === 'agent' ? 'an agent' : 'a family'}.`,
      why: 'A name has lower-case letters, digits and hyphens, begins with a letter, and has up to 64 characters.',
      fix: 'Choose one such as two-tries.',
    });
  }
  if (!taken.includes(name)) return;
  throw new UserError({
    code: 'name-taken',
    what: `${noun === 'agent' ? 'An agent' : 'A family'} named ${name} comes with Polya.`,
    fix: 'Choose another name.',
  });
}

/** Both or neither: a second file that cannot be written takes the first with it. */
function writeNew(folder: string, files: readonly (readonly [string, string])[]): void {
  const there = files.find(([name]) => existsSync(join(folder, name)));
  if (there) throw inTheWay(there[0]);
  const written: string[] = [];
  try {
    for (const [name, text] of files) {
      const path = join(folder, name);
      const file = openSync(path, 'wx');
      written.push(path);
      writeSync(file, text);
      closeSync(file);
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    throw new UserError({
      code: 'cannot-write',
      what: `The files cannot be written to ${folder}.`,
      why: error instanceof Error ? `${error.message}.` : '',
      fix: 'Go to a folder that is yours.',
    });
  }
}

function inTheWay(name: string): UserError {
  return new UserError({
    code: 'file-in-the-way',
    what: `${name} is there already; nothing was written.`,
    fix: 'Choose another name, or move the file away.',
  });
}

function tellWritten({ out, err, calledAs }: Shell, { noun, tryIt }: Kind, name: string): void {
  out.write(`${name}.ts\n${name}.test.ts\n`);
  const steps = [
    ['its test', `${calledAs} test ${name}.test.ts`],
    ['try it', tryIt(calledAs, name)],
    ['settings', `${calledAs} ${noun === 'agent' ? 'agents' : 'families'} ${name} --${noun} ./${name}.ts`],
  ];
  for (const [what = '', how = ''] of steps) err.write(`${err.paint('faint', what.padEnd(8))}  ${how}\n`);
  err.write('With its name in polya.config.ts, every command knows it (docs/your-own.md).\n');
}
