/** The four things that a search has confirmed where its user asked for it; what is rejected ends it, or is made anew. */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import type { Strategy } from '../../core/evolution-notes.ts';
import { type Json, toJson } from '../../core/json.ts';
import { readAnalysis } from '../../core/problem-analysis.ts';
import { confirmed } from './confirmed.ts';
import { bestOf, type Island } from './population.ts';
import { end, type Search, scaleOf } from './search.ts';
import { givenStrategy } from './settings.ts';

export async function confirmAnalysis(search: Search, run: Run): Promise<boolean> {
  const analysis = await confirmed<Json>({
    run,
    isAsked: search.settings.confirm,
    what: 'analysis',
    value: toJson(search.analysis),
    read: (edited) => {
      const read = readAnalysis(edited);
      return read.ok ? { value: toJson(read.analysis) } : { trouble: read.problems };
    },
  });
  if (analysis === null) end(search, 'Its user rejected the analysis.');
  else search.analysis = analysis as Search['analysis'];
  return analysis !== null;
}

const strategies = z.array(givenStrategy).min(1);

export async function confirmStrategies(
  search: Search,
  run: Run,
  devised: readonly Strategy[],
): Promise<readonly Strategy[] | null> {
  const chosen = await confirmed<Json>({
    run,
    isAsked: search.settings.confirm,
    what: 'strategies',
    value: toJson(devised),
    read: (edited) => {
      const read = strategies.safeParse(edited);
      return read.success ? { value: toJson(read.data) } : { trouble: z.prettifyError(read.error) };
    },
  });
  if (chosen === null) end(search, 'Its user rejected the strategies.');
  return chosen as readonly Strategy[] | null;
}

/** Only yes and no: whoever wants another program than this one begins with his own. */
export async function confirmFirst(search: Search, run: Run, island: Island): Promise<boolean> {
  const program = bestOf(island, scaleOf(search)) ?? island.failures.at(-1);
  if (!program) return true;
  const { id, source, status, detail, score } = program;
  const value: Json = { island: island.number, id, source, status, detail, score };
  return (await confirmed<Json>({ run, isAsked: true, what: 'first-program', value, read: noEdit })) !== null;
}

export async function confirmStart(search: Search, run: Run): Promise<boolean> {
  const { maxGenerations, populationSize, timeLimitSeconds } = search.settings;
  const value: Json = { maxGenerations, populationSize, timeLimitSeconds };
  return (await confirmed<Json>({ run, isAsked: true, what: 'start', value, read: noEdit })) !== null;
}

const noEdit = () => ({ trouble: 'This cannot be edited here: reply with yes or no.' });
