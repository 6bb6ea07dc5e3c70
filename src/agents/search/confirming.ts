/**
 * The four things that a search has confirmed where its user asked for it. What is rejected with a reason is made anew
 * with it; what is rejected without one ends the search, or, a first program, is made anew all the same. Question and
 * reply are texts of the run's mailbox, whose form this file alone knows.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { isJsonObject, type Json, toJson } from '../../core/json.ts';
import { type Strategy, write } from '../../notes/evolution.ts';
import { type ProblemAnalysis, readAnalysis } from '../../notes/problem-analysis.ts';
import { parsedJson } from '../kit/asking.ts';
import { analyse, noteAnalysis } from './analysis.ts';
import { bestOf, type Island } from './population.ts';
import { end, type Search, scaleOf } from './search.ts';
import { changedSettings, givenStrategy } from './settings.ts';
import { takeSettings } from './talk/talk.ts';
import { whileWaiting } from './time.ts';

export async function confirmAnalysis(search: Search, run: Run): Promise<boolean> {
  if (!search.settings.confirm) return true;
  for (;;) {
    const value = toJson(search.analysis);
    const reply = await confirmed(search, run, { what: 'analysis', value, read: analysisIn });
    if (reply === 'taken') return true;
    if ('edited' in reply) {
      search.analysis = noteAnalysis(run, { analysis: reply.edited, origin: 'given' });
      return true;
    }
    if (reply.reason === '') {
      end(search, 'Its user rejected the analysis.');
      return false;
    }
    const rejected = { analysis: search.analysis, reason: reply.reason };
    search.analysis = await analyse(run, search.problem, { ...search.settings, analysis: null }, rejected);
  }
}

function analysisIn(edited: Json): Reading<ProblemAnalysis> {
  const read = readAnalysis(edited);
  return read.ok ? { edited: toJson(read.analysis) as ProblemAnalysis } : { trouble: read.problems };
}

/** `again` makes others, knowing why the last ones were rejected. Null where they were rejected without a reason. */
export async function confirmStrategies(
  search: Search,
  run: Run,
  devised: readonly Strategy[],
  again: (rejected: { strategies: readonly Strategy[]; reason: string }) => Promise<readonly Strategy[]>,
): Promise<readonly Strategy[] | null> {
  if (!search.settings.confirm) return devised;
  for (let shown = devised; ; ) {
    const value = toJson(shown);
    const reply = await confirmed(search, run, { what: 'strategies', value, read: strategiesIn });
    if (reply === 'taken') return shown;
    if ('edited' in reply) {
      write(run, 'strategies', { strategies: reply.edited, origin: 'given' });
      return reply.edited;
    }
    if (reply.reason === '') {
      end(search, 'Its user rejected the strategies.');
      return null;
    }
    shown = await again({ strategies: shown, reason: reply.reason });
  }
}

function strategiesIn(edited: Json): Reading<Strategy[]> {
  const read = z.array(givenStrategy).min(1).safeParse(edited);
  return read.success ? { edited: read.data } : { trouble: z.prettifyError(read.error) };
}

/** Edited: the program that it is to be instead. */
export async function confirmFirst(search: Search, run: Run, island: Island): Promise<Reply<string>> {
  const program = bestOf(island, scaleOf(search)) ?? island.failures.at(-1)?.program;
  if (!program) return 'taken';
  const { id, source, status, detail, score } = program;
  const { name: strategy, library, contests } = island.strategy;
  const value: Json = {
    ...{ island: island.number, strategy, library: [...library], contests: [...contests] },
    ...{ id, source, status, detail, score },
  };
  return confirmed(search, run, { what: 'first-program', value, read: programIn });
}

function programIn(edited: Json): Reading<string> {
  const source = isJsonObject(edited) ? edited.source : edited;
  if (typeof source === 'string' && source.trim() !== '') return { edited: source };
  return { trouble: 'A program is edited by a JSON text, or an object with its "source".' };
}

export async function confirmStart(search: Search, run: Run): Promise<boolean> {
  const { maxGenerations, populationSize, timeLimitSeconds } = search.settings;
  const value = { maxGenerations, populationSize, timeLimitSeconds };
  const reply = await confirmed(search, run, { what: 'start', value, read: settingsIn });
  if (reply === 'taken') return true;
  if ('reason' in reply) return false;
  takeSettings(search, run, reply.edited);
  return true;
}

const startSettings = changedSettings.pick({
  maxGenerations: true,
  populationSize: true,
  timeLimitSeconds: true,
});

function settingsIn(edited: Json): Reading<Record<string, z.core.util.JSONType>> {
  const read = startSettings.safeParse(edited);
  if (!read.success) return { trouble: z.prettifyError(read.error) };
  const given = z.record(z.string(), z.json()).parse(edited);
  if (Object.keys(given).length > 0) return { edited: given };
  return { trouble: 'Nothing in it is a setting: maxGenerations, populationSize, timeLimitSeconds.' };
}

/** `reason` is empty where none was given. */
type Reply<T> = 'taken' | { readonly edited: T } | { readonly reason: string };
type Reading<T> = { readonly edited: T } | { readonly trouble: string };

type Confirming<T> = {
  readonly what: 'analysis' | 'strategies' | 'first-program' | 'start';
  readonly value: Json;
  /** What an edited value is, or why it is none. */
  readonly read: (edited: Json) => Reading<T>;
};

/** A reply that cannot be read is answered with the trouble, and asked for again. */
function confirmed<T>(search: Search, run: Run, { what, value, read }: Confirming<T>): Promise<Reply<T>> {
  return whileWaiting(search, run, async () => {
    for (let trouble: string | undefined; ; ) {
      const reply = (await run.ask(JSON.stringify({ confirm: what, value, trouble }))).trim();
      if (/^(?:y|yes|ok|)$/i.test(reply)) return 'taken';
      const reason = reasonIn(reply);
      if (reason !== null) return { reason };
      const edited = parsedJson(reply);
      const found = edited === undefined ? { trouble: howToReply } : read(edited);
      if ('edited' in found) return found;
      trouble = found.trouble;
    }
  });
}

const howToReply =
  'Reply with yes, with no, with "no: " and the reason, or with the JSON of what it is to be instead.';

/** Null where nothing is rejected; `no`, `no: too slow`, `{"reject": "too slow"}`. */
function reasonIn(reply: string): string | null {
  const said = /^(?:n|no|reject)(?:\s*[:,]\s*(?<reason>[\s\S]*))?$/i.exec(reply);
  if (said) return said.groups?.reason?.trim() ?? '';
  const object = parsedJson(reply);
  return isJsonObject(object) && typeof object.reject === 'string' ? object.reject.trim() : null;
}
