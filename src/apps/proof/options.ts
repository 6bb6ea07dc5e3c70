/** What `proof solve` and `proof verify` have in common: rubric, graders, settings, and where the files are. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type AgentSettingOptions, agentSettingOption, agentSettingsOf } from '../../cli/agent-settings.ts';
import type { Shell } from '../../cli/contract.ts';
import { type RunOptions, runOptions } from '../../cli/launch.ts';
import { wholeNumber } from '../../cli/options.ts';
import type { Limits } from '../../core/agent.ts';
import type { JsonObject } from '../../core/json.ts';

export type JudgingOptions = RunOptions &
  AgentSettingOptions & {
    readonly maxModelCalls?: number;
    readonly rubric?: string;
    readonly graders?: number;
    readonly vote?: string;
    readonly grading?: string;
    readonly passPoints?: number;
  };

export function judgingOptions(command: Command): Command {
  command
    .option('--rubric <file>', 'for what there are points from 0 to 7: text, or YAML (docs/proof.md)')
    .option('--graders <number>', 'independent graders that vote (default: 1)', wholeNumber(1, 15))
    .addOption(
      new Option('--vote <rule>', 'how many of them must pass a proof (default: majority)').choices([
        'majority',
        'unanimous',
      ]),
    )
    .addOption(
      new Option(
        '--grading <way>',
        'by yes and no, or by points from 0 to 7 (default: verdict; points where there is a rubric)',
      ).choices(['verdict', 'points']),
    )
    .option('--pass-points <number>', 'the points from which a proof passes (default: 7)', wholeNumber(1, 7));
  return runOptions(agentSettingOption(command)).option(
    '--max-model-calls <number>',
    'end after this many model calls',
    wholeNumber(1),
  );
}

/** A flag goes before `--agent-setting`; what neither says is left to the agent. */
export function judgingSettings(options: JudgingOptions): JsonObject {
  const { rubric, graders, vote, grading, passPoints } = options;
  const byPoints = rubric !== undefined || passPoints !== undefined;
  return {
    ...(byPoints ? { grading: 'points' } : {}),
    ...agentSettingsOf(options),
    ...said({ graders, vote, grading, passPoints }),
  };
}

/** Without what is undefined. */
export function said(settings: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const given = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}

export function callLimit({ maxModelCalls }: JudgingOptions): Limits {
  return maxModelCalls === undefined ? {} : { modelCalls: maxModelCalls };
}

type Paths = { readonly problem?: string | number; readonly proof?: string; readonly rubric?: string };

/** Paths that hold from any folder: a resume may begin elsewhere. */
export function proofReference(shell: Shell, file: string, { problem, proof, rubric }: Paths): JsonObject {
  const absolute = (path: string | undefined) =>
    path === undefined ? undefined : resolve(shell.folder, path);
  return said({ file: absolute(file), problem, proof: absolute(proof), rubric: absolute(rubric) });
}
