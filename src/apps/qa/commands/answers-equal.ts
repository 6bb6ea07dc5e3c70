/** `polya answers equal GOLD ANSWER`: the verdict, and why. Ends with 0 where they are equal, else with 1. */
import { type Command, Option } from 'commander';
import {
  agree as agreeOn,
  type EqualOptions,
  equal,
  extract,
  percentProfiles,
  profileNames,
  type Verdict,
} from '../../../answers/index.ts';
import type { CommandFile } from '../../../cli/contract.ts';
import { wholeNumber } from '../../../cli/options.ts';
import { exitCodes } from '../../../core/errors.ts';
import { harmlessJson, oneLine } from '../../../text/format.ts';

type Options = {
  readonly precision?: number;
  readonly percent?: NonNullable<EqualOptions['percent']>;
  readonly strict: boolean;
  readonly sets?: boolean;
  readonly agree?: boolean;
  readonly extract?: (typeof profileNames)[number];
  readonly json?: boolean;
};

export const answersEqual: CommandFile = {
  define(command: Command) {
    command
      .argument('<gold>', 'the answer that is right')
      .argument('<answer>', 'the answer that is looked at; put -- before answers that begin with a minus')
      .option(
        '--precision <decimals>',
        'decimals to which rounded numbers are compared (default: 6)',
        wholeNumber(0),
      )
      .addOption(
        new Option('--percent <profile>', 'what 10% is: 10, 0.1, or either').choices(percentProfiles),
      )
      .option('--no-strict', 'other names of variables may mean the same, and sets may be tuples')
      .option('--sets', 'a gold set accepts an inequality too')
      .option('--agree', 'whether two replies agree, in either order, instead')
      .addOption(
        new Option('--extract <profile>', 'both are replies in which an answer is looked for').choices(
          profileNames,
        ),
      )
      .option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const [gold, reply]: readonly string[] = command.processedArgs;
    const options = command.opts<Options>();
    const verdict = await verdictOn(gold ?? '', reply ?? '', options);
    if (options.json) shell.out.write(`${harmlessJson(verdict, 2)}\n`);
    else {
      const word = verdict.equal ? shell.out.paint('good', 'equal') : shell.out.paint('bad', 'not equal');
      shell.out.write(`${word} (${verdict.basis}; ${verdict.rule}): ${oneLine(verdict.reason)}\n`);
      shell.out.write(`  gold    ${oneLine(verdict.gold)}\n  answer  ${oneLine(verdict.answer)}\n`);
    }
    return verdict.equal ? exitCodes.ok : exitCodes.unsolved;
  },
};

async function verdictOn(
  gold: string,
  reply: string,
  { sets, strict, ...options }: Options,
): Promise<Verdict> {
  const { precision, percent, extract: profile, agree } = options;
  const chosen: EqualOptions = { strict, precision, percent, allowSetRelation: sets };
  const [a, b] = [gold, reply].map((text) => (profile ? (extract(text, { profile }).answer ?? '') : text));
  return (agree ? agreeOn : equal)(a ?? '', b ?? '', chosen);
}
