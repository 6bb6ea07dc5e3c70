/** What `proof solve` and `proof verify` have in common: rubric, graders, settings, and where the files are. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type AgentSettingOptions, agentSettingOption, agentSettingsOf } from '../../cli/agent-settings.ts';
import type { Shell } from '../../cli/contract.ts';
import { type RunOptions, runOptions } from '../../cli/launch.ts';
import { addOptions, named, parseInteger } from '../../cli/options.ts';
import type { Limits } from '../../core/agent.ts';
import type { JsonObject } from '../../core/json.ts';
import listed from './options.json' with { type: 'json' };

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
  return runOptions(agentSettingOption(addOptions(command, listed.judging))).option(
    '--max-model-calls <number>',
    'end after this many model calls',
    parseInteger(1),
  );
}

/** A flag goes before `--agent-setting`; what neither says is left to the agent. */
export function judgingSettings(options: JudgingOptions): JsonObject {
  const { rubric, graders, vote, grading, passPoints } = options;
  const byPoints = rubric !== undefined || passPoints !== undefined;
  return {
    ...(byPoints ? { grading: 'points' } : {}),
    ...agentSettingsOf(options),
    ...named({ graders, vote, grading, passPoints }),
  };
}

export function callLimit({ maxModelCalls }: JudgingOptions): Limits {
  return maxModelCalls === undefined ? {} : { modelCalls: maxModelCalls };
}

type Paths = { readonly problem?: string | number; readonly proof?: string; readonly rubric?: string };

/** Paths that hold from any folder: a resume may begin elsewhere. */
export function proofReference(shell: Shell, file: string, { problem, proof, rubric }: Paths): JsonObject {
  const absolute = (path: string | undefined) =>
    path === undefined ? undefined : resolve(shell.folder, path);
  return named({ file: absolute(file), problem, proof: absolute(proof), rubric: absolute(rubric) });
}
