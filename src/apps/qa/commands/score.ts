/** `polya qa score`: run-sets again, or answers from elsewhere, as one table; several are compared question by question. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { anyRuns, withPolya } from '../../../cli/journals.ts';
import { findSet } from '../../../cli/sets.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { Journals } from '../../../open/options.ts';
import { setOf } from '../../../studies/run-set/plan.ts';
import { type DataOptions, dataOptions } from '../data-options.ts';
import { measurePredictions, type PredictionFileOptions } from '../predictions.ts';
import { printScore, type Scored, scoredSet } from '../score-text.ts';

type Options = DataOptions &
  PredictionFileOptions & {
    readonly json?: boolean;
    readonly csv?: boolean;
    readonly wrong?: boolean;
    readonly against?: string;
  };

export const qaScore: CommandFile = {
  isReport: true,
  define(command: Command) {
    dataOptions(
      command
        .argument(
          '<set-or-file...>',
          'run-sets (an id, the beginning or end of one, `last`), or files of predictions',
        )
        .option('--data <file>', 'the data set that files of predictions answer'),
    )
      .option(
        '--prediction-id-column <name>',
        'what names the question in a file of predictions (default: id, …)',
      )
      .option(
        '--prediction-column <name>',
        'where its answers are (default: prediction, answer, response, …)',
      )
      .option(
        '--against <system>',
        'what the others are compared with: its number in the table, or a part of its name (default: 1)',
      )
      .option('--wrong', 'list the wrong ones too, with why; in JSON and CSV these alone')
      .addOption(new Option('--json', 'print it as JSON, with every run').conflicts('csv'))
      .option('--csv', 'print it as CSV, a line a run')
      .addHelpText(
        'after',
        '\nExamples:\n  polya qa score last\n  polya qa score last --wrong\n  polya qa score 20261121-1 20261121-2\n  polya qa score answers.jsonl --data gsm8k.jsonl',
      );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const names: readonly string[] = command.processedArgs[0];
    const duplicate = names.find((name, at) => names.indexOf(name) !== at);
    if (duplicate !== undefined)
      throw new UserError({
        code: 'named-twice',
        what: `${duplicate} is named twice.`,
        fix: 'Name each once.',
      });
    const areFiles = names.map((name) => existsSync(resolve(shell.folder, name)));
    const stranger = anyRuns(shell) ? undefined : names.find((_, at) => !areFiles[at]);
    if (stranger !== undefined) {
      throw new UserError({
        code: 'no-such-set',
        what: `${stranger} is no file, and there are no run-sets here yet.`,
        fix: 'Make one with `polya qa run FILE`, or name a file of predictions.',
      });
    }
    const scored = await withPolya(
      shell,
      async (polya) => {
        const found: Scored[] = [];
        for (const [at, name] of names.entries()) {
          const one = await (areFiles[at]
            ? fileScore(shell, polya, name, options)
            : scoredSet(polya.world, setOf(await findSet(polya.world.store, name))));
          rejectDuplicate(found, one, name);
          found.push(one);
        }
        return found;
      },
      // Files alone need no journals.
      { create: areFiles.every(Boolean) },
    );
    printScore(shell, scored, options);
    return exitCodes.ok;
  },
};

/** One set has many names: `last`, its id, the end of it. Counted twice, its intervals would be too narrow. */
function rejectDuplicate(found: readonly Scored[], { source }: Scored, name: string): void {
  if (!found.some((each) => each.source.kind === source.kind && each.source.name === source.name)) return;
  throw new UserError({
    code: 'named-twice',
    what: `${name} is ${source.name}, which is named twice.`,
    fix: 'Name each once.',
  });
}

async function fileScore(shell: Shell, polya: Journals, name: string, options: Options): Promise<Scored> {
  const { measured, missing } = await measurePredictions(shell, polya, name, options);
  return {
    source: { name, kind: 'predictions', open: 0, missing },
    placed: measured.map((run) => ({ origin: name, run })),
  };
}
