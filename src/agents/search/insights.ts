/**
 * The scratchpad: every so many candidates the adviser is asked what has worked and what to try next; later prompts show
 * it. What cannot be read changes nothing.
 */

import type { Run } from '../../core/agent.ts';
import { write } from '../../notes/evolution.ts';
import { modelSettings, user } from '../kit/asking.ts';
import { ask, Meter, opening } from './asking.ts';
import { standingText } from './frame.ts';
import { objectIn } from './json-reply.ts';
import { line } from './one-line.ts';
import type { Search } from './search.ts';
import { ofUseIn } from './time.ts';
import { insightsText, outcomeText, readInsights } from './tried.ts';

export async function gatherInsights(search: Search, run: Run): Promise<void> {
  const { insightsEvery } = search.settings;
  if (insightsEvery === 0 || search.tried.count - search.insightsAt < insightsEvery) return;
  search.insightsAt = search.tried.count;
  const meter = new Meter();
  const reply = await ask(run, meter, {
    role: 'adviser',
    messages: [...opening(run, search.problem), user(questionOf(search, run))],
    settings: modelSettings({ ...search.settings, temperature: null }),
    use: ofUseIn(search),
  });
  const found = reply.ok ? readInsights(objectIn(reply)) : null;
  if (found) search.insights = found;
  const { tokens, calls } = meter.spent;
  write(run, 'insights', {
    after: search.insightsAt,
    summary: found?.summary ?? '',
    recommendations: found?.recommendations ?? [],
    because: found ? '' : reply.ok ? 'The reply is not of the form that was asked for.' : reply.why,
    tokens,
    calls,
  });
}

function questionOf(search: Search, run: Run): string {
  const latest = search.tried.latest(Math.min(search.settings.insightsEvery, 40));
  const tried = latest.map((each) => `- ${each.operator}, ${line(each.summary)}: ${outcomeText(each)}`);
  return run.prompt('insights', {
    standing: standingText(search),
    tried: tried.join('\n'),
    before: insightsText(search.insights),
  });
}
