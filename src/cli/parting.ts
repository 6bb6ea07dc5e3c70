/**
 * Where two journals part: the first event, by position and content, that is not in both. What every run measures or
 * names anew (times, ids, sizes of memory) is no difference. Pure.
 */
import type { Event } from '../core/event.ts';
import { positionName } from '../core/event.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import { field, isObject } from '../text/json.ts';

export type Parting = {
  /** `main#5 tool-call` */
  readonly at: string;
  /** Null where that journal has no such event. */
  readonly a: Event | null;
  readonly b: Event | null;
};

/** Null where they say the same. */
export function findParting(a: readonly Event[], b: readonly Event[]): Parting | null {
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  for (const [at, event] of linesA) {
    const other = linesB.get(at) ?? null;
    if (!other || !saysTheSame(event, other)) return { at, a: event, b: other };
  }
  for (const [at, event] of linesB) if (!linesA.has(at)) return { at, a: null, b: event };
  return null;
}

/** Headers are compared by themselves; who worked on a run, and how late it was, is no part of what it did. */
const passedOver: ReadonlySet<Event['kind']> = new Set(['run-start', 'run-fork', 'run-resume', 'clock']);

/** By position and kind; what has no position, by how often there was such an event before it. */
function linesOf(events: readonly Event[]): Map<string, Event> {
  const lines = new Map<string, Event>();
  const seen = new Map<string, number>();
  for (const event of events) {
    if (passedOver.has(event.kind)) continue;
    const place = `${positionName(event)} ${event.kind}`;
    const before = seen.get(place) ?? 0;
    seen.set(place, before + 1);
    lines.set(before === 0 ? place : `${place} (${before + 1})`, event);
  }
  return lines;
}

function saysTheSame(a: Event, b: Event): boolean {
  return canonicalJson(contentOf(a)) === canonicalJson(contentOf(b));
}

/** Of what a tool gave, what the model was told: the rest says how it came about. */
function contentOf({ kind, body }: Event): Json {
  const content: Json = JSON.parse(JSON.stringify(body));
  const result = kind === 'tool-result' ? field(content, 'result') : undefined;
  if (!isObject(content) || !isObject(result)) return comparable(content);
  return comparable({ ...content, result: { ...result, data: null } });
}

const personal: ReadonlySet<string> = new Set([
  // Named anew by each run, or by its provider.
  ...['id', 'callId', 'runId', 'provider', 'servedBy', 'rawReply'],
  // Measured, or computed from what is in the header.
  ...['aliveMs', 'usage', 'reserve', 'model', 'wallMs', 'cpuMs', 'peakMemoryBytes', 'waitedMs', 'leftMs'],
]);

const measure = /\b\d+(?:\.\d+)? (?:ms|s|MiB)\b/g;

function comparable(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll(measure, '…');
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !personal.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, comparable(inner ?? null)]));
}
