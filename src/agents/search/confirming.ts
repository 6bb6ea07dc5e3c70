/**
 * Where its user wants it, analysis, strategies, first programs and start of a search are confirmed, in texts whose form
 * only this file knows.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { isJsonObject, type Json, toJson } from '../../core/json.ts';
import type { Strategy } from '../../notes/evolution.ts';
import { type ProblemAnalysis, readAnalysis } from '../../notes/problem-analysis.ts';
import { parsedJson } from '../kit/asking.ts';
import { analyse, noteAnalysis } from './analysis.ts';
import type { Rejected } from './asking.ts';
import { changedSettings } from './evolution-settings.ts';
import { bestOf, type Island } from './population.ts';
import { answeredBy, end, type Search, scaleOf, withClockPaused } from './search.ts';
import { givenStrategy } from './settings.ts';
import { takeSettings } from './talk/talk.ts';

/** False where it was rejected. */
export async function confirmAnalysis(search: Search, run: Run): Promise<boolean> {
  const selected = await accepted<ProblemAnalysis>(search, run, {
    what: 'analysis',
    made: search.analysis,
    read: analysisIn,
    take: (analysis) => noteAnalysis(run, { analysis, origin: 'given' }),
    again: (rejected) =>
      answeredBy(search, run, 'analyst', () =>
        analyse(run, search.problem, { ...search.settings, analysis: null }, rejected),
      ),
  });
  search.analysis = selected ?? search.analysis;
  return selected !== null;
}

function analysisIn(edited: Json): ReplyReader<ProblemAnalysis> {
  const read = readAnalysis(edited);
  return read.ok ? { edited: toJson(read.analysis) as ProblemAnalysis } : { trouble: read.problems };
}

export function strategiesIn(edited: Json): ReplyReader<readonly Strategy[]> {
  const read = z.array(givenStrategy).min(1).safeParse(edited);
  return read.success ? { edited: read.data } : { trouble: z.prettifyError(read.error) };
}

/** Edited: the program that it is to be instead. */
export async function confirmFirst(search: Search, run: Run, island: Island): Promise<Reply<string>> {
  const program = bestOf(island, scaleOf(search)) ?? island.failures.at(-1)?.program;
  if (!program) return 'taken';
  const { id, source, status, detail, score } = program;
  const { name: strategy, library, contests } = island.strategy;
  const value = { island: island.number, strategy, library, contests, id, source, status, detail, score };
  return promptForConfirmation(search, run, { what: 'first-program', value, read: programIn });
}

function programIn(edited: Json): ReplyReader<string> {
  const source = isJsonObject(edited) ? edited.source : edited;
  if (typeof source === 'string' && source.trim() !== '') return { edited: source };
  return { trouble: 'A program is edited by a JSON text, or an object with its "source".' };
}

export async function confirmStart(search: Search, run: Run): Promise<boolean> {
  const { maxGenerations, populationSize, timeLimitSeconds } = search.settings;
  const value = { maxGenerations, populationSize, timeLimitSeconds };
  const reply = await promptForConfirmation(search, run, { what: 'start', value, read: settingsIn });
  if (reply === 'taken') return true;
  if ('reason' in reply) return false;
  takeSettings(search, run, reply.edited);
  return true;
}

const startable = changedSettings.pick({
  maxGenerations: true,
  populationSize: true,
  timeLimitSeconds: true,
});

function settingsIn(edited: Json): ReplyReader<Record<string, z.core.util.JSONType>> {
  const read = startable.safeParse(edited);
  if (!read.success) return { trouble: z.prettifyError(read.error) };
  const input = z.record(z.string(), z.json()).parse(edited);
  if (Object.keys(input).length > 0) return { edited: input };
  return { trouble: 'Nothing in it is a setting: maxGenerations, populationSize, timeLimitSeconds.' };
}

/** `reason` is empty where none was given. */
type Reply<T> = 'taken' | { readonly edited: T } | { readonly reason: string };
/** The value of an edited text, or what is wrong with it. */
type ReplyReader<T> = { readonly edited: T } | { readonly trouble: string };

/** A rejection with a reason has it made again; one without a reason ends the search: null. */
export async function accepted<T>(
  search: Search,
  run: Run,
  step: {
    what: 'analysis' | 'strategies';
    made: T;
    read: (edited: Json) => ReplyReader<T>;
    /** Notes what its user put in the place of it. */
    take: (edited: T) => T;
    again: (rejected: Rejected<T>) => Promise<T>;
  },
): Promise<T | null> {
  const { what, read, take, again } = step;
  if (!search.settings.confirm) return step.made;
  for (let shown = step.made; ; ) {
    const reply = await promptForConfirmation(search, run, { what, value: toJson(shown), read });
    if (reply === 'taken') return shown;
    if ('edited' in reply) return take(reply.edited);
    if (reply.reason === '') {
      end(search, `Its user rejected the ${what}.`);
      return null;
    }
    shown = await again({ before: shown, reason: reply.reason });
  }
}

/** A reply that cannot be read is answered with the trouble, and asked for again. */
function promptForConfirmation<T>(
  search: Search,
  run: Run,
  { what, value, read }: { what: string; value: Json; read: (edited: Json) => ReplyReader<T> },
): Promise<Reply<T>> {
  return withClockPaused(search, run, async () => {
    for (let error: string | undefined; ; ) {
      const reply = (await run.ask(JSON.stringify({ confirm: what, value, trouble: error }))).trim();
      if (/^(?:y|yes|ok|)$/i.test(reply)) return 'taken';
      const reason = reasonIn(reply);
      if (reason !== null) return { reason };
      const edited = parsedJson(reply);
      const found = edited === undefined ? { trouble: howToReply } : read(edited);
      if ('edited' in found) return found;
      error = found.trouble;
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
