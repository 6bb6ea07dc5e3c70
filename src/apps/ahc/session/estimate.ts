/** What a session may cost, told before it begins: by its first request, or, where programs run before it, by its statement. */

import { estimate, estimateText, nobodyAskedText, usualOf } from '../../../cli/estimate.ts';
import type { Agent } from '../../../core/agent.ts';
import { previewRun } from '../../../open/journals.ts';
import type { Journals } from '../../../open/options.ts';
import type { PreparedRun } from '../../../run/start.ts';

export async function sessionEstimate(polya: Journals, prepared: PreparedRun): Promise<string> {
  const { decided = '' } = prepared.header.agent;
  return [await costOf(polya, prepared), decided].filter(Boolean).join('; ');
}

async function costOf({ world }: Journals, prepared: PreparedRun): Promise<string> {
  const agent = await world.agent(prepared.header.agent.name);
  const first = await previewRun(world, prepared);
  if (!first.end) return estimateText(estimate(prepared.header, first, usualOf(agent)));
  if (first.end.outcome === 'error' && first.end.error?.unavailable) return byStatement(prepared, agent);
  return nobodyAskedText(first.end);
}

/** Each request holds the statement at least. */
function byStatement({ header }: PreparedRun, agent: Agent): string {
  const content = header.problem.statement;
  const request = { messages: [{ role: 'user' as const, content }] };
  return estimateText(estimate(header, { role: agent.roles[0] ?? 'default', request }, usualOf(agent)));
}
