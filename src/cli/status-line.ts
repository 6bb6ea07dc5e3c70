/** In one line, what a run does and has cost so far. Never the same twice, however long a call takes. Pure. */
import { type Event, modelsBehind, positionName } from '../core/event.ts';
import type { RunView } from '../core/fold.ts';
import { count, duration, grouped, oneLine } from '../text/format.ts';
import { text } from '../text/json.ts';
import { costText, tokensText, toolCallsOf } from '../text/labels.ts';
import type { Speaker } from './speaker.ts';

/** What providers take for a token, on average; told as a guess. */
const charactersPerToken = 4;

type Speakers = ReadonlyMap<string, Speaker>;

/** A call that waits for its turn, and why. */
export type Waiting = { readonly reason: string; readonly sinceMs: number };

type StatusMoment = {
  readonly nowMs: number;
  readonly aliveMs: number;
  readonly speakers: Speakers;
  readonly waits: readonly Waiting[];
  /** How far the agent says that it is; null where it says nothing. */
  readonly progress: string | null;
};

export function statusText(
  { totals, stages, header, open }: RunView,
  { nowMs, aliveMs, speakers, waits, progress }: StatusMoment,
): string {
  const event = open.at(-1)?.event;
  const stage = stages.at(-1)?.stage;
  const place = [stage, progress].filter(Boolean);
  const speaker = event && speakers.get(positionName(event));
  // Who watches it speak wants to see its words.
  if (event && speaker?.heard)
    return [...place, streamingText(event, nowMs, speaker), oneLine(speaker.unfinished)]
      .filter(Boolean)
      .join(' · ');
  const entries = [
    ...place,
    event && activityText(event, nowMs, speakers),
    (!event || waits.length > 0) && waitText(waits, nowMs),
    count(totals.modelCalls, 'model call'),
    count(toolCallsOf(totals), 'tool call'),
    `${tokensText(totals)} tokens`,
    costText(totals, header ? modelsBehind(header) : {}),
    duration(aliveMs),
  ];
  return entries.filter(Boolean).join(' · ');
}

/** The request that has waited longest, and the number of others. */
function waitText([first, ...siblings]: readonly Waiting[], nowMs: number): string {
  if (!first) return '…';
  const more = siblings.length > 0 ? `, and ${count(siblings.length, 'other call')}` : '';
  return `waits: ${oneLine(first.reason)}${more} … ${duration(Math.max(0, nowMs - first.sinceMs))}`;
}

const doings: Readonly<Record<string, string>> = {
  'exec-start': 'a program runs',
  'check-start': 'the answer is checked',
  'evaluate-start': 'a program is tried on cases',
  'grade-start': 'the answer is graded',
};

/** The current action, and since when. */
export function activityText(event: Event, nowMs: number, speakers: Speakers): string {
  if (event.kind === 'ask') return 'waits for an answer';
  const since = duration(Math.max(0, nowMs - event.atMs));
  if (event.kind === 'tool-call') return `${oneLine(text(event.body, 'name'))} … ${since}`;
  if (event.kind !== 'model-request') return `${doings[event.kind] ?? 'works'} … ${since}`;
  const speaker = speakers.get(positionName(event));
  if (/^manual(:|$)/.test(text(event.body, 'model'))) return `waits for your answer … ${since}`;
  return speaker?.heard ? streamingText(event, nowMs, speaker) : `the model is thinking … ${since}`;
}

function streamingText({ atMs }: Event, nowMs: number, { heard }: Speaker): string {
  const tokens = grouped(Math.max(1, heard / charactersPerToken));
  return `the model is speaking … ${duration(Math.max(0, nowMs - atMs))}, about ${tokens} tokens`;
}
