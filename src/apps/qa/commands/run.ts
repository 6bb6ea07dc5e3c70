/** `polya qa run`: the questions of a data set as one run-set, and the score. The whole file is checked before anything. */
import { type Command, InvalidArgumentError } from 'commander';
import {
  type AgentSettingOptions,
  agentSettingOption,
  agentSettingsOf,
  refuseStrangers,
} from '../../../cli/agent-settings.ts';
import { settingsHelp } from '../../../cli/agents-text.ts';
import { partNamed } from '../../../cli/bring.ts';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { launchSet, type RowOfMany, type SetRunOptions, setRunOptions } from '../../../cli/launch-set.ts';
import { modelsOf, parseInteger } from '../../../cli/options.ts';
import { UserError } from '../../../core/errors.ts';
import { parseModelChoice } from '../../../models/catalogue.ts';
import type { Journals } from '../../../open/options.ts';
import type { SetResult } from '../../../open/set-json.ts';
import { count } from '../../../text/format.ts';
import {
  type DataOptions,
  dataOptions,
  dataSetFrom,
  type Question,
  type QuestionSet,
  referenceTo,
  type SelectionOptions,
  selected,
  selectionOptions,
} from '../data-options.ts';
import { printScore, scoredSet } from '../score-text.ts';

type Selected = Options & {
  /** What is compared; empty: the model of all roles is the usual one. */
  readonly models: readonly string[];
};

type Options = SetRunOptions &
  DataOptions &
  SelectionOptions &
  AgentSettingOptions & { readonly agent: readonly string[]; readonly samples: number };

export const qaRun: CommandFile = {
  moreHelp: settingsHelp,
  define(command: Command) {
    command
      .argument('<file>', 'the data set: JSON objects, one a line, or CSV with a head (docs/qa.md)')
      .option(
        '--agent <names>',
        'who answers, with commas where several are compared: ensemble, chain, program, react, single-call, …, or files of yours with an agent',
        agents,
        ['ensemble'],
      )
      .option('--samples <number>', 'how often each question is asked', parseInteger(1, 1_000), 1);
    agentSettingOption(selectionOptions(dataOptions(setRunOptions(command)))).addHelpText(
      'after',
      '\nExamples:\n  polya qa run gsm8k.jsonl --sample 100 --concurrency 8 --budget 2 --model openai/gpt-5.1\n  polya qa run math.csv --question-column text --answer-column result --agent ensemble,chain --model openai-compatible/NAME\n  polya qa run gsm8k.jsonl --agent chain --model openai/gpt-5.1 --model anthropic/claude-sonnet-4-5',
    );
  },
  async run(shell, command) {
    const named = command.opts<Options>();
    const parts = await Promise.all(named.agent.map((agent) => partNamed(shell, 'agent', agent)));
    const { models, byRole } = comparedModels(shell, named);
    const options = { ...named, model: byRole, agent: [...new Set(parts.map(({ name }) => name))], models };
    const file: string = command.processedArgs[0];
    const set = await dataSetFrom(shell, file, options);
    const questions = selected(set, options);
    const rows = rowsOf(set, questions, options);
    shell.err.write(`${summaryText(set, questions, options)}\n`);
    return launchSet(shell, options, {
      name: [set.name, ...options.agent, ...models.map(shortModelName)].join(', '),
      rows,
      concurrency: usualConcurrency,
      world: { code: { files: parts.flatMap(({ files }) => files) } },
      tell: (result, polya) => printSet(shell, polya, result, options),
    });
  },
};

/** Calls wait for most of the time; how many a provider takes at once is its pacing's affair. */
const usualConcurrency = 4;

function agents(value: string): readonly string[] {
  const names = value.split(',').flatMap((name) => name.trim() || []);
  if (names.length === 0) throw new InvalidArgumentError('No agent is named.');
  return [...new Set(names)];
}

const mostRows = 10_000;

/** Models without a role, which are compared where there are several, and those that each of these rows has for a role. */
function comparedModels(shell: Shell, options: Options) {
  const isForRole = (model: string) => parseModelChoice([model]).default === null;
  const { model = [], provider } = options;
  const plain = model.filter((each) => !isForRole(each));
  const models = plain.map((each) => modelsOf(shell, { model: [each], provider }).default ?? each);
  return { models: [...new Set(models)], byRole: model.filter(isForRole) };
}

function shortModelName(model: string): string {
  return model.replace(/^.*[/:]/, '');
}

function rowsOf(set: QuestionSet, questions: readonly Question[], options: Selected): readonly RowOfMany[] {
  const { agent, samples, seed, models } = options;
  const systems = agent.flatMap((name) =>
    (models.length > 0 ? models : [null]).map((model) => ({ name, model })),
  );
  const rows = systems.length * samples * questions.length;
  if (rows > mostRows) {
    throw new UserError({
      code: 'too-many-rows',
      what: `These are ${count(rows, 'run')}, more than ${count(mostRows, 'run')}, the most that one set has.`,
      fix: 'Take a part with --limit and --offset, or with --sample.',
    });
  }
  refuseStrangers(options, agent);
  const times = Array.from({ length: samples }, (_, at) => at + 1);
  return questions.flatMap((question) =>
    times.flatMap((time) =>
      systems.map(({ name, model }): RowOfMany => {
        const rowName = [
          question.id,
          agent.length > 1 && name,
          models.length > 1 && model,
          samples > 1 && `sample ${time}`,
        ];
        return {
          models: model === null ? {} : { default: model },
          name: rowName.filter((part) => part !== false).join(', '),
          family: 'qa',
          problem: referenceTo(set, question, options),
          agent: name,
          settings: agentSettingsOf(options, name),
          seed: seed === undefined ? undefined : `${seed}-${question.id}-${time}`,
        };
      }),
    ),
  );
}

function summaryText(set: QuestionSet, questions: readonly Question[], options: Selected): string {
  const { agent, models, samples } = options;
  const all = set.questions.length;
  const part = questions.length < all ? ` of ${count(all, 'question')}` : '';
  const graded = questions.every(({ gold }) => gold === null)
    ? 'no gold answers: nothing will be graded'
    : `gold answers in ${JSON.stringify(set.columns.answer)}, compared by the profile ${set.profile}`;
  const systems = agent.length * Math.max(1, models.length);
  const runs = count(questions.length * systems * samples, 'run');
  return `${set.name}: ${part ? questions.length : count(all, 'question')}${part}, ${runs}; ${graded}`;
}

async function printSet(shell: Shell, { world }: Journals, { set }: SetResult, options: Options) {
  printScore(shell, [await scoredSet(world, set)], options);
  shell.err.write(`This table again: ${shell.calledAs} qa score ${set.id}\n`);
}
