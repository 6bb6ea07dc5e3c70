/** What a run would be: its header's facts and its first request in full. Pure. */
import type { Agent } from '../core/agent.ts';
import type { Header } from '../core/event.ts';
import type { FirstRequest } from '../run/preview.ts';
import { labelOf, limitsText, modelsText, outcomeText } from '../text/labels.ts';
import { formatLabeledValues, type LabeledValue } from '../text/table.ts';
import type { Output } from './contract.ts';
import { type Estimate, estimate, estimateText, nobodyAskedText, usualOf } from './estimate.ts';
import { yamlText } from './run-report.ts';

export type DryRun = {
  readonly header: Header;
  readonly first: FirstRequest;
  readonly agent: Pick<Agent, 'roles' | 'usual' | 'usualTurns'>;
  /** For a resumed run: the known facts on the rest. */
  readonly rest?: string;
};

export function dryRunJson({ header, first, agent: actor, rest }: DryRun) {
  const { problem, agent, models, limits, prompts, promptsHash, sandbox, seed } = header;
  return {
    dryRun: true,
    problem: {
      id: problem.id,
      title: problem.title,
      contentHash: problem.contentHash,
      stages: problem.stages,
    },
    agent: agent.name,
    settings: agent.settings,
    /** What the agent decided of settings that were left open, and why. */
    decided: agent.decided ?? null,
    roles: actor.roles.map((role) => ({ role, model: (models[role] ?? models.default)?.spec ?? null })),
    models: Object.entries(models).map(([role, { spec, baseUrl = null, kind, price, settings = {} }]) => ({
      role,
      model: spec,
      baseUrl,
      kind,
      label: labelOf(kind),
      price,
      settings,
    })),
    limits,
    prompts: Object.keys(prompts),
    promptsHash,
    sandbox: sandbox && {
      backend: sandbox.backend,
      version: sandbox.version,
      toolchains: sandbox.toolchains,
    },
    seed,
    estimate: rest ?? estimateOf({ header, first, agent: actor }),
    firstRequest: first.end ? null : { role: first.role, ...first.request },
    /** What of an agent's settings its model does not take, and was changed. */
    notices: first.end ? [] : first.notices,
  };
}

export function dryHeading({ paint }: Output): string {
  return `${paint('strong', 'Dry run: nothing was called, nothing is kept.')}\n`;
}

export function dryRunText(output: Output, dryRun: DryRun): string {
  const { header, first, agent: actor, rest } = dryRun;
  const { problem, agent, models, limits, promptsHash, sandbox } = header;
  const estimate = estimateOf(dryRun);
  const guessed = first.end ? nobodyAskedText(first.end) : estimate ? estimateText(estimate) : '';
  const result = sandbox && [`${sandbox.backend} ${sandbox.version}`, problem.detail.toolchain];
  const entries: readonly LabeledValue[] = [
    ['problem', `${problem.title} (${problem.id})`],
    ['agent', `${agent.name} ${JSON.stringify(agent.settings)}`],
    ['decided', agent.decided],
    ...Object.entries(models).map(([role, model]) => {
      const set = model.settings ? ` ${JSON.stringify(model.settings)}` : '';
      const served = role === 'default' ? rolesServed(actor.roles, models) : '';
      return [`model ${role}`, `${modelsText({ [role]: model })}${set}${served}`] as const;
    }),
    ...(first.end ? [] : first.notices).map((notice) => ['adapted', notice] as const),
    ['limits', limitsText(limits)],
    ['prompts', promptsHash],
    ['sandbox', result?.filter(Boolean).join('; ') ?? 'none'],
    ['estimate', rest ?? guessed],
  ];
  const width = Math.max(16, ...entries.map(([name]) => name.length + 2));
  return `${dryHeading(output)}${formatLabeledValues(output, entries, width)}\n${firstText(output, first)}`;
}

/** The roles without a model of their own. */
function rolesServed(roles: readonly string[], models: Header['models']): string {
  const served = roles.filter((role) => !models[role]);
  return served.length > 0 ? `, for ${served.join(', ')}` : '';
}

function firstText(output: Output, first: FirstRequest): string {
  if (first.end?.outcome === 'error' && first.end.error?.unavailable)
    return 'Before a model is asked, something else is done again: what it is asked depends on that.\n';
  if (first.end) return `No model would be asked: ${outcomeText(first.end)}.\n`;
  const { messages, ...rest } = first.request;
  const heading = output.paint('strong', `The first request, in the role ${first.role}:`);
  return `${heading}\n\n${yamlText({ messages, ...rest })}`;
}

function estimateOf({ header, first, agent }: DryRun): Estimate | null {
  return first.end ? null : estimate(header, first, usualOf(agent));
}
