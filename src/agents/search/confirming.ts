/**
 * The four things that a search has confirmed where its user asked for it. What is rejected with a reason is made anew
 * with it; what is rejected without one ends the search, or, a first program, is made anew all the same. Question and
 * reply are texts of the run's mailbox, whose form this file alone knows.
 */

import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { isJsonObject, type Json, toJson } from '../../core/json.ts';
import { type Strategy, write } from '../../notes/evolution.ts';
import { readAnalysis } from '../../notes/problem-analysis.ts';
import { parsedJson } from '../kit/asking.ts';
import { analyse, noteAnalysis } from './analysis.ts';
import { bestOf, type Island } from './population.ts';
import { end, type Search, scaleOf } from './search.ts';
import { changedSettings, givenStrategy } from './settings.ts';
import { takeSettings } from './talk/talk.ts';
import { whileWaiting } from './time.ts';

export async function confirmAnalysis(search: Search, run: Run): Promise<boolean> {
  for (;;) {
    const reply = await looked<Json>(search, {
      run,
      isAsked: search.settings.confirm,
      what: 'analysis',
      value: toJson(search.analysis),
      read: (edited) => {
        const read = readAnalysis(edited);
        return read.ok ? { value: toJson(read.analysis) } : { trouble: read.problems };
      },
    });
    if (reply.isTaken) {
      if (reply.isEdited) {
        search.analysis = noteAnalysis(run, { analysis: reply.value as Search['analysis'], origin: 'given' });
      }
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

/** Where nobody is asked, nobody looks at the clock. */
function looked<T extends Json>(search: Search, confirming: Confirming<T>): Promise<Confirmed<T>> {
  const ask = () => confirmed(confirming);
  return confirming.isAsked ? whileWaiting(search, confirming.run, ask) : ask();
}

const strategies = z.array(givenStrategy).min(1);

/** `again` makes others, knowing why the last ones were rejected. */
export async function confirmStrategies(
  search: Search,
  run: Run,
  devised: readonly Strategy[],
  again: (rejected: { strategies: readonly Strategy[]; reason: string }) => Promise<readonly Strategy[]>,
): Promise<readonly Strategy[] | null> {
  for (let shown = devised; ; ) {
    const reply = await looked<Json>(search, {
      run,
      isAsked: search.settings.confirm,
      what: 'strategies',
      value: toJson(shown),
      read: (edited) => {
        const read = strategies.safeParse(edited);
        return read.success ? { value: toJson(read.data) } : { trouble: z.prettifyError(read.error) };
      },
    });
    if (reply.isTaken) {
      const chosen = reply.value as unknown as readonly Strategy[];
      if (reply.isEdited) write(run, 'strategies', { strategies: [...chosen], origin: 'given' });
      return chosen;
    }
    if (reply.reason === '') {
      end(search, 'Its user rejected the strategies.');
      return null;
    }
    shown = await again({ strategies: shown, reason: reply.reason });
  }
}

/** Whether it is taken, the program that it is to be instead, or why it is not taken. */
type FirstReply = 'taken' | { readonly source: string } | { readonly reason: string };

export async function confirmFirst(search: Search, run: Run, island: Island): Promise<FirstReply> {
  const program = bestOf(island, scaleOf(search)) ?? island.failures.at(-1)?.program;
  if (!program) return 'taken';
  const { id, source, status, detail, score } = program;
  const { name: strategy, library, contests } = island.strategy;
  const value: Json = {
    ...{ island: island.number, strategy, library: [...library], contests: [...contests] },
    ...{ id, source, status, detail, score },
  };
  const reply = await looked<Json>(search, {
    run,
    isAsked: true,
    what: 'first-program',
    value,
    read: programIn,
  });
  if (!reply.isTaken) return { reason: reply.reason };
  return reply.isEdited ? { source: String(reply.value) } : 'taken';
}

function programIn(edited: Json): { readonly value: Json } | { readonly trouble: string } {
  const source = isJsonObject(edited) ? edited.source : edited;
  if (typeof source === 'string' && source.trim() !== '') return { value: source };
  return { trouble: 'A program is edited by a JSON text, or an object with its "source".' };
}

export async function confirmStart(search: Search, run: Run): Promise<boolean> {
  const { maxGenerations, populationSize, timeLimitSeconds } = search.settings;
  const value: Json = { maxGenerations, populationSize, timeLimitSeconds };
  const read = (edited: Json) => settingsIn(edited);
  const reply: Confirmed<Json> = await looked<Json>(search, {
    run,
    isAsked: true,
    what: 'start',
    value,
    read,
  });
  if (!reply.isTaken) return false;
  if (reply.isEdited && isJsonObject(reply.value))
    takeSettings(search, run, z.record(z.string(), z.json()).parse(reply.value));
  return true;
}

const startSettings = changedSettings.pick({
  maxGenerations: true,
  populationSize: true,
  timeLimitSeconds: true,
});

function settingsIn(edited: Json): { readonly value: Json } | { readonly trouble: string } {
  const read = startSettings.safeParse(edited);
  if (!read.success) return { trouble: z.prettifyError(read.error) };
  return Object.keys(isJsonObject(edited) ? edited : {}).length > 0
    ? { value: edited }
    : { trouble: 'Nothing in it is a setting: maxGenerations, populationSize, timeLimitSeconds.' };
}

/** In the order in which they are asked. */
const confirmations = ['analysis', 'strategies', 'first-program', 'start'] as const;
type Confirmation = (typeof confirmations)[number];

type Confirming<T extends Json> = {
  readonly run: Run;
  readonly isAsked: boolean;
  readonly what: Confirmation;
  readonly value: T;
  /** An edited value, or the reason why it is none. */
  readonly read: (edited: Json) => { readonly value: T } | { readonly trouble: string };
};

/** `reason` is empty where none was given. */
type Confirmed<T> =
  | { readonly isTaken: true; readonly value: T; readonly isEdited: boolean }
  | { readonly isTaken: false; readonly reason: string };

/** A reply that is none of these is told so, and asked for again. */
async function confirmed<T extends Json>({
  run,
  isAsked,
  what,
  value,
  read,
}: Confirming<T>): Promise<Confirmed<T>> {
  if (!isAsked) return { isTaken: true, value, isEdited: false };
  for (let trouble: string | undefined; ; ) {
    const reply = (await run.ask(JSON.stringify({ confirm: what, value, trouble }))).trim();
    if (/^(?:y|yes|ok|)$/i.test(reply)) return { isTaken: true, value, isEdited: false };
    const reason = reasonIn(reply);
    if (reason !== null) return { isTaken: false, reason };
    const edited = parsedJson(reply);
    const found = edited === undefined ? { trouble: howToReply } : read(edited);
    if ('value' in found) return { isTaken: true, value: found.value, isEdited: true };
    trouble = found.trouble;
  }
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
