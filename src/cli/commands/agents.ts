/** `polya agents`, `polya families`: what there is, what fits what, and the settings. Asks no model and poses no problem. */
import { exitCodes, UserError } from '../../core/errors.ts';
import { type Facts, factsOf } from '../agents.ts';
import { agentsText, agentText, familiesText, familyText } from '../agents-text.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import { type CommandFile, type Output, print } from '../contract.ts';
import { withPolya } from '../journals.ts';

type Kind<T> = {
  readonly noun: 'agent' | 'family';
  readonly of: (facts: Facts) => readonly T[];
  readonly all: (output: Output, facts: Facts) => string;
  readonly one: (output: Output, found: T) => string;
};

export const agents = commandFor({
  noun: 'agent',
  of: (facts) => facts.agents,
  all: agentsText,
  one: agentText,
});

export const families = commandFor({
  noun: 'family',
  of: (facts) => facts.families,
  all: familiesText,
  one: familyText,
});

function commandFor<T extends { readonly name: string }>({ noun, of, all, one }: Kind<T>): CommandFile {
  return {
    define(command) {
      const named = command.argument('[name]', `the ${noun} that is told in detail`);
      bringOptions(named).option('--json', 'print it as JSON');
    },
    async run(shell, command) {
      const { out } = shell;
      const options = command.opts<BringOptions & { readonly json?: boolean }>();
      const facts = await withPolya(shell, factsOf, broughtIn(shell, options));
      const [name] = command.args;
      const there = of(facts);
      if (name === undefined) {
        print(out, options.json ? there : all(out, facts));
        return exitCodes.ok;
      }
      const found = there.find((each) => each.name === name);
      if (!found) {
        throw new UserError({
          code: `no-such-${noun}`,
          what: `There is no ${noun} ${name}.`,
          fix: `There are: ${there.map((each) => each.name).join(', ')}.`,
        });
      }
      print(out, options.json ? found : one(out, found));
      return exitCodes.ok;
    },
  };
}
