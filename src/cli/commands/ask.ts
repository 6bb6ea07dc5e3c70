/** `polya ask`: one plain, journaled call. The answer stands on standard output, everything else beside it. */
import { accessSync } from 'node:fs';
import { resolve } from 'node:path';
import { canReopen } from '../../core/history.ts';
import { explanationOf, runJson } from '../../open/run-json.ts';
import { duration } from '../../text/format.ts';
import { allModels, costText, freeReason, modelsText, outcomeText, tokensText } from '../../text/labels.ts';
import { type CommandFile, print, printDocument, type RunResult, type Shell } from '../contract.ts';
import { launchRun, type RunOptions, runOptions } from '../launch.ts';
import { collectRepeated, named } from '../options.ts';
import { readable } from '../readable.ts';

type Options = RunOptions & {
  readonly system?: string;
  readonly image?: readonly string[];
};

export const ask: CommandFile = {
  define(command) {
    command.argument('<text>', 'the question');
    runOptions(command)
      .option('--system <text>', 'instructions that go before the question')
      .option(
        '--image <file>',
        'a picture beside it (PNG, JPEG, GIF, WebP); may be given several times',
        collectRepeated,
      )
      .addHelpText(
        'after',
        '\nExamples:\n  polya ask "What is 6 times 7?" --model manual\n  polya ask "What is this?" --image cat.png --model openai-compatible/NAME --base-url http://localhost:8080/v1',
      );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const { image = [], system } = options;
    const images = image.map((path) => resolve(shell.folder, path));
    // Before the model is looked for: it may have faults of its own.
    for (const path of images) readable(`The picture ${path}`, () => accessSync(path));
    return launchRun(shell, options, {
      family: 'plain',
      problem: { text: command.processedArgs[0], images },
      agent: 'single-call',
      settings: named({ system }),
      tell: (result) => tellAnswer(shell, result, options),
    });
  },
};

function tellAnswer(shell: Shell, result: RunResult, { json }: Options): void {
  const { row, view } = result;
  const answer = view.end?.solution?.answer;
  const text = answer?.type === 'text' ? answer.text : null;
  if (json) print(shell.out, { ...runJson(result), answer: text });
  else if (text !== null) printDocument(shell.out, `${text}\n`);
  const models = allModels(view);
  const entries = [
    view.end ? outcomeText(view.end) : 'interrupted',
    freeReason(models) ? modelsText(models) : costText(view.totals, models),
    `${tokensText(view.totals)} tokens`,
    duration(view.aliveMs),
    `${shell.calledAs} runs ${view.end && !canReopen(view.end) ? 'show' : 'resume'} ${row.id}`,
  ];
  const why = explanationOf(view);
  if (text === null && why !== '') shell.err.write(`No answer: ${why}\n`);
  shell.err.write(`${entries.join(' · ')}\n`);
}
