/** `polya agents`, `polya families`: what there is, what fits what, and the settings. Asks no model and poses no problem. */
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../core/errors.ts';
import { harmlessJson } from '../../text/format.ts';
import { type Facts, factsOf } from '../agents.ts';
import { agentsText, agentText, familiesText, familyText } from '../agents-text.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { withPolya } from '../journals.ts';
import type { Output } from '../output.ts';

type Options = BringOptions & { readonly json?: boolean };

type Kind<T> = {
  readonly noun: 'agent' | 'family';
  readonly of: (facts: Facts) => readonly T[];
  readonly all: (output: Output, facts: Facts) => string;
  readonly one: (output: Output, found: T) => string;
};

export const agents: CommandFile = commandFor({
  noun: 'agent',
  of: (facts) => facts.agents,
  all: agentsText,
  one: agentText,
});

export const families: CommandFile = commandFor({
  noun: 'family',
  of: (facts) => facts.families,
  all: familiesText,
  one: familyText,
});

function commandFor<T extends { readonly name: string }>(kind: Kind<T>): CommandFile {
  return {
    define(command: Command) {
      bringOptions(command.argument('[name]', `the ${kind.noun} that is told in detail`)).option(
        '--json',
        'print it as JSON',
      );
    },
    run: (shell, command) => {
      const options = command.opts<Options>();
      const name: string | undefined = command.processedArgs[0];
      return withPolya(
        shell,
        async (polya) => tell(shell, kind, await factsOf(polya), { ...options, name }),
        {
          ...broughtIn(shell, options),
        },
      );
    },
  };
}

function tell<T extends { readonly name: string }>(
  { out }: Shell,
  kind: Kind<T>,
  facts: Facts,
  { name, json }: { name: string | undefined; json?: boolean },
): number {
  const all = kind.of(facts);
  const found = name === undefined ? null : all.find((each) => each.name === name);
  if (found === undefined) {
    throw new UserError({
      code: `no-such-${kind.noun}`,
      what: `There is no ${kind.noun} ${name}.`,
      fix: `There are: ${all.map((each) => each.name).join(', ')}.`,
    });
  }
  if (json) out.write(`${harmlessJson(found ?? all, 2)}\n`);
  else out.write(found ? kind.one(out, found) : kind.all(out, facts));
  return exitCodes.ok;
}
