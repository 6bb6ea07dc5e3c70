/** `polya agents`, `polya families`: what there is, what fits what, and the settings. Asks no model and poses no problem. */
import { exitCodes } from '../../core/errors.ts';
import { noSuch } from '../../open/user-code/failures.ts';
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
    isReport: true,
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
      const found = there.find((each) => each.name === name);
      // Other nouns have a command of that name.
      if (name === undefined || (!found && name === 'list')) {
        print(out, options.json ? there : all(out, facts));
        return exitCodes.ok;
      }
      if (!found) {
        const names = there.map((each) => each.name);
        throw noSuch(noun, name, names);
      }
      print(out, options.json ? found : one(out, found));
      return exitCodes.ok;
    },
  };
}
