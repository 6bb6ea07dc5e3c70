/** `polya run`: any agent on any problem that offers what it needs, of Polya's own or of the user's. */
import { resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { readYaml } from '../../core/yaml.ts';
import {
  type AgentSettingOptions,
  agentSettingOption,
  agentSettingsOf,
  changedSettings,
  refuseStrangers,
} from '../agent-settings.ts';
import { settingsHelp } from '../agents-text.ts';
import { partNamed } from '../bring.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { launchRun, type RunOptions, runOptions } from '../launch.ts';
import { backendOption, collectRepeated } from '../options.ts';
import { readText } from '../readable.ts';

type Options = RunOptions &
  AgentSettingOptions & {
    readonly agent: string;
    readonly family: string;
    readonly problem?: readonly string[];
    readonly seed?: string;
    readonly background?: boolean;
  };

export const run: CommandFile = {
  define(command) {
    command
      .requiredOption('--family <name>', 'whose problem: its name, or a TypeScript file of yours')
      .option(
        '--problem <what>',
        'which problem: NAME=VALUE, JSON, or a file with JSON or YAML; may be repeated (`polya families NAME`)',
        collectRepeated,
      )
      .requiredOption('--agent <name>', 'who solves it: its name, or a TypeScript file of yours')
      .option('--seed <text>', 'of the run: what it draws is the same for the same seed')
      .option('--background', 'in a process of its own, which goes on without this terminal');
    backendOption(agentSettingOption(runOptions(command))).addHelpText(
      'after',
      '\n`polya agents` shows what fits what. With --agent, this help has the settings of the agent.\n\nExamples:\n  polya run --family qa --problem question="What is 6 times 7?" --problem answer=42 --agent single-call --model manual\n  polya run --family ./sums.ts --problem \'{"a": 2, "b": 3}\' --agent ./mine.ts --model openai/gpt-5.1 --dry-run',
    );
  },
  moreHelp: settingsHelp,
  async run(shell, command) {
    const options = command.opts<Options>();
    const agent = await partNamed(shell, 'agent', options.agent);
    const family = await partNamed(shell, 'family', options.family);
    refuseStrangers(options, [agent.name]);
    return launchRun(shell, options, {
      family: family.name,
      problem: problemIn(shell, options.problem ?? []),
      agent: agent.name,
      settings: agentSettingsOf(options, agent.name),
      seed: options.seed,
      world: { code: { files: [...new Set([...agent.files, ...family.files])] } },
    });
  },
};

/** A later option overrides an earlier one. */
function problemIn({ folder }: Shell, input: readonly string[]): JsonObject {
  let problem: JsonObject = {};
  for (const text of input) {
    const isAssignment = /^[A-Za-z][\w.-]*=/.test(text);
    const more = isAssignment ? changedSettings(problem, [text]) : objectIn(folder, text);
    problem = { ...problem, ...more };
  }
  return problem;
}

const forms = 'Write NAME=VALUE, JSON such as {"a": 2}, or the path of a file with JSON or YAML';

function objectIn(folder: string, text: string): JsonObject {
  const isText = text.trim().startsWith('{');
  const path = resolve(folder, text);
  const words = { code: 'no-problem', fix: `${forms}.` };
  const read = readYaml(isText ? text : readText(path, `The problem ${path}`, words));
  if (read.ok && isJsonObject(read.value)) return read.value;
  throw new UserError({
    code: 'no-problem',
    what: `${isText ? 'What --problem says' : text} names no problem.`,
    why: read.ok ? 'It is no object with named fields.' : read.why,
    fix: `${forms}; \`polya families NAME\` shows the fields.`,
  });
}
