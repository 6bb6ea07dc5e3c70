/** `polya aoc submit`: an answer of a person's, under the rules that runs keep: what is known to be wrong is not sent. */
import type { Command } from 'commander';
import { type CommandFile, print } from '../../../cli/contract.ts';
import { withPolya } from '../../../cli/journals.ts';
import { parseInteger } from '../../../cli/options.ts';
import { exitCodes } from '../../../core/errors.ts';
import { text } from '../../../text/json.ts';
import {
  allowRunningEventOption,
  type DayOptions,
  dayOptions,
  type EventOptions,
  eventSetting,
  questionOf,
  withDesk,
} from '../day-options.ts';

type Options = DayOptions & EventOptions & { readonly part?: 1 | 2; readonly json?: boolean };

export const aocSubmit: CommandFile = {
  define(command: Command) {
    allowRunningEventOption(dayOptions(command.argument('<answer>', 'one number or word')))
      .option(
        '--part <number>',
        'the part that it answers (default: the one that is open)',
        parseInteger(1, 2),
      )
      .option('--json', 'print the verdict as JSON')
      .addHelpText('after', '\nExample: polya aoc submit 1234 --site practice --year 2000 --day 1');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const question = questionOf(options);
    const answer: string = command.processedArgs[0];
    const aocOptions = eventSetting(options).familyOptions?.aoc;
    const toolResult = await withPolya(shell, (polya) =>
      withDesk(shell, polya, (server) => server.submit(question, answer, options.part), aocOptions),
    );
    const { verdict, part, stars, source, leftMs = null, reply = null } = { ...toolResult.data };
    const known = source === 'site' || toolResult.isError ? '' : ' That was known before; nothing was sent.';
    const json = { part, answer, verdict, source, stars, leftMs, reply };
    print(shell.out, options.json ? json : `${toolResult.text}${known}\n`);
    return text(toolResult.data, 'verdict') === 'right' ? exitCodes.ok : exitCodes.unsolved;
  },
};
