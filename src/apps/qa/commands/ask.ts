/** `polya qa ask`: one question to an agent. The answer stands on standard output; how it came about, beside it. */
import type { Command } from 'commander';
import {
  type AgentSettingOptions,
  agentSettingOption,
  agentSettingsOf,
  refuseStrangers,
} from '../../../cli/agent-settings.ts';
import { settingsHelp } from '../../../cli/agents-text.ts';
import { partNamed } from '../../../cli/bring.ts';
import { type CommandFile, printDocument, type RunResult, type Shell } from '../../../cli/contract.ts';
import { launchRun, type RunOptions, runOptions } from '../../../cli/launch.ts';
import { backendOption } from '../../../cli/options.ts';
import { canReopen } from '../../../core/history.ts';
import type { Journals } from '../../../open/options.ts';
import { explanationOf, runJson } from '../../../open/run-json.ts';
import { duration, escapedJson } from '../../../text/format.ts';
import {
  allModels,
  costText,
  freeReason,
  modelsText,
  outcomeText,
  tokensText,
} from '../../../text/labels.ts';
import { comparisonOf, comparisonOptions, type DataOptions } from '../data-options.ts';
import { measureRun } from '../study/measure.ts';
import { voteText } from '../vote-text.ts';

type Options = RunOptions &
  AgentSettingOptions &
  Pick<DataOptions, 'profile' | 'percent' | 'precision' | 'sets'> & {
    readonly agent: string;
    readonly answer?: string;
    readonly seed?: string;
  };

export const qaAsk: CommandFile = {
  define(command: Command) {
    command
      .argument('<question>', 'the question')
      .option(
        '--agent <name>',
        'who answers it: ensemble, chain, program, react, single-call, …, or a file of yours with an agent',
        'ensemble',
      )
      .option('--answer <gold>', 'the right answer, if you know it: it is shown to no model')
      .option('--seed <text>', 'of the run: what it draws is the same for the same seed');
    backendOption(agentSettingOption(comparisonOptions(runOptions(command)))).addHelpText(
      'after',
      '\nExamples:\n  polya qa ask "What is the sum of the primes below 100?" --model openai/gpt-5.1\n  polya qa ask "What is 6 times 7?" --agent chain --answer 42 --model manual',
    );
  },
  moreHelp: settingsHelp,
  async run(shell, command) {
    const options = command.opts<Options>();
    const { answer, seed } = options;
    const { name: agent, files } = await partNamed(shell, 'agent', options.agent);
    refuseStrangers(options, [agent]);
    return launchRun(shell, options, {
      family: 'qa',
      problem: { question: command.processedArgs[0], answer, ...comparisonOf(options) },
      agent,
      settings: agentSettingsOf(options, agent),
      world: { code: { files } },
      seed,
      tell: (result, polya) => printAnswer(shell, polya, result, options),
    });
  },
};

async function printAnswer(shell: Shell, { world }: Journals, result: RunResult, { json }: Options) {
  const { row, view } = result;
  const run = await measureRun(world, row.id);
  const answer = run?.answer ?? null;
  if (json) {
    const { plan = null, members = [], vote = null, decision = null, decisive = [] } = run ?? {};
    const how = { answer, right: run?.isRight ?? null, plan, members, vote, decision, decisive };
    shell.out.write(`${escapedJson({ ...runJson(result), ...how }, 2)}\n`);
  } else {
    if (run) shell.err.write(voteText(shell.err, run));
    if (answer !== null) printDocument(shell.out, `${answer}\n`);
  }
  const models = allModels(view);
  const entries = [
    view.end ? outcomeText(view.end) : 'interrupted',
    freeReason(models) ? modelsText(models) : costText(view.totals, models),
    `${tokensText(view.totals)} tokens`,
    duration(view.aliveMs),
    `${shell.calledAs} runs ${view.end && !canReopen(view.end) ? 'show' : 'resume'} ${row.id}`,
  ];
  const why = view.end?.solution?.detail ?? explanationOf(view);
  if (answer === null && why) shell.err.write(`No answer: ${why}\n`);
  shell.err.write(`${entries.join(' · ')}\n`);
}
