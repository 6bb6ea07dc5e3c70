/**
 * The events of a session as lines of its log: every prompt and reply in full, durations, the notes of the search. Each
 * line names its run and event, so that a later life finds where the log ends. Pure.
 */

import {
  type Event,
  type EventOf,
  isIntent,
  isSettlement,
  positionName,
  type Settlement,
} from '../../../core/event.ts';
import { positionKey } from '../../../core/history.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { evolutionNoteOf } from '../../../notes/evolution.ts';
import { isoTime } from '../../../text/format.ts';
import { field, list, text as textIn } from '../../../text/json.ts';
import type { SessionState } from './fold.ts';
import type { LogLevel } from './log.ts';

export type LogLine = ReturnType<typeof logLine>;

/** `before` and `after`: the state without and with the event. */
export function logLine(before: SessionState, after: SessionState, event: Event) {
  const opened = isSettlement(event)
    ? before.run.open.find((open) => positionKey(open.event) === positionKey(event))?.event
    : undefined;
  return {
    atMs: event.atMs,
    level: levelOf(event),
    /** Which run of the session's chain, and its event: `2.117`. */
    mark: `${after.chain}.${event.seq}`,
    place: positionName(event),
    message: messageOf(event),
    /** Of the effect that this event settles. */
    durationMs: opened ? event.atMs - opened.atMs : null,
    /** Prompts, replies, sources: as many lines as they have. */
    detail: detailOf(event),
  };
}

export function lineText({ atMs, level, mark, place, message, durationMs, detail }: LogLine): string {
  const took = durationMs === null ? '' : ` (${(durationMs / 1000).toFixed(3)} s)`;
  const head = `${isoTime(atMs)} ${level} ${mark} ${place} ${message.replaceAll(/\s+/g, ' ').trim()}${took}\n`;
  // Indented, so that no line of a prompt looks like a line of the log.
  return detail === '' ? head : `${head}    ${detail.trimEnd().replaceAll('\n', '\n    ')}\n`;
}

export function lineJson({ atMs, durationMs, detail, ...rest }: LogLine): string {
  const told = { time: isoTime(atMs), ...rest, duration_ms: durationMs, detail: detail || undefined };
  return `${JSON.stringify(told)}\n`;
}

/** Run and event of the last line of a log in either form; null where none is there. */
export function lastMark(log: string): readonly [number, number] | null {
  const text = [...log.matchAll(/^\d{4}-\d\d-\d\dT\S+Z [A-Z]+ (\d+)\.(\d+) /gm)].at(-1);
  const asJson = [...log.matchAll(/^\{"time":"[^"]*","level":"[A-Z]+","mark":"(\d+)\.(\d+)"/gm)].at(-1);
  const last = (asJson?.index ?? -1) > (text?.index ?? -1) ? asJson : text;
  return last ? [Number(last[1]), Number(last[2])] : null;
}

/** Whether a line comes after the last one of a log. */
export function isAfter(mark: string, last: readonly [number, number] | null): boolean {
  if (last === null) return true;
  const [run = 0, seq = 0] = mark.split('.').map(Number);
  return run > last[0] || (run === last[0] && seq > last[1]);
}

function levelOf(event: Event): LogLevel {
  if (isSettlement(event)) {
    if (event.body.status === 'error') return event.body.error.stack ? 'ERROR' : 'WARNING';
    return event.body.status === 'ok' ? 'DEBUG' : 'WARNING';
  }
  if (event.kind === 'run-end') {
    const { outcome, error } = event.body;
    if (outcome !== 'error') return 'INFO';
    return error?.stack === undefined ? 'ERROR' : 'CRITICAL';
  }
  if (event.kind !== 'note') return isIntent(event) ? 'DEBUG' : 'INFO';
  return event.body.kind === 'doing' ? 'DEBUG' : event.body.kind === 'rejected' ? 'WARNING' : 'INFO';
}

function messageOf(event: Event): string {
  if (isSettlement(event)) return `${event.kind}: ${settledMessage(event.body)}`;
  if (isIntent(event)) return `${event.kind}${askedOf(event.body)}`;
  switch (event.kind) {
    case 'run-start':
    case 'run-fork':
      return `${event.kind} ${event.body.runId}: ${event.body.agent.name} on ${event.body.problem.id}`;
    case 'run-end':
      return `run-end: ${event.body.outcome}${event.body.error ? `: ${event.body.error.message}` : ''}`;
    case 'note':
      return noteMessage(event);
    default:
      return event.kind;
  }
}

function noteMessage(event: EventOf<'note'>): string {
  const note = evolutionNoteOf(event);
  switch (note?.kind) {
    case 'candidate': {
      const { id, operator, status, score, summary, detail } = note.data;
      return `candidate ${id}: ${operator}, ${status}, score ${score ?? 'none'}: ${summary}${detail ? `: ${detail}` : ''}`;
    }
    case 'best':
      return `best ${note.data.id}: score ${note.data.score ?? 'none'}, because ${note.data.because}`;
    case 'generation':
      return `generation ${note.data.generation} is over: best ${note.data.best ?? 'none'}, score ${note.data.score ?? 'none'}`;
    case 'doing':
      return `island ${note.data.island} ${note.data.what}`;
    default:
      return `note ${event.body.kind}: ${JSON.stringify(event.body.data).slice(0, 2_000)}`;
  }
}

function settledMessage(body: Settlement): string {
  if (body.status === 'refused') return `refused, the limit on ${body.limit} is reached`;
  if (body.status === 'cancelled')
    return `broken off${body.by === 'late' ? ', too late to be of use' : ` by ${body.by}`}`;
  if (body.status === 'error') return `${body.error.name}: ${body.error.message}`;
  const { tokens, costUsd } = body.usage ?? {};
  const used = tokens ? `, ${tokens.input} tokens in, ${tokens.output} out` : '';
  return `ok${used}${typeof costUsd === 'number' ? `, ${costUsd} USD` : ''}`;
}

function askedOf(body: JsonObject): string {
  const who = ['role', 'model', 'name'].map((name) => textIn(body, name)).filter(Boolean);
  const cases = Array.isArray(body.cases) ? `: ${body.cases.length} cases` : '';
  return `${who.length > 0 ? `: ${who.join(' ')}` : ''}${cases}`;
}

/** Every message of a request; thoughts, text and tool calls of a reply; of an image, only that there was one. */
function detailOf(event: Event): string {
  if (event.kind === 'model-request') {
    const { length } = list(event.body, 'tools');
    const messages = list(event.body, 'messages').map(
      (message) => `--- ${textIn(message, 'role')}\n${contentText(message)}`,
    );
    return `${messages.join('\n')}${length > 0 ? `\n(${length} tools are offered)` : ''}`;
  }
  if (event.kind === 'model-response' && event.body.status === 'ok')
    return contentText(field(event.body.result, 'message'));
  return event.kind === 'run-end' ? (event.body.error?.stack ?? '') : '';
}

function contentText(message: Json | undefined): string {
  return textIn(message, 'content') || list(message, 'content').map(partText).join('\n');
}

function partText(part: Json): string {
  switch (field(part, 'type')) {
    case 'text':
      return textIn(part, 'text');
    case 'reasoning':
      return `(thinks) ${textIn(part, 'text')}`;
    case 'image':
      return `(an image, ${textIn(part, 'mediaType')})`;
    default:
      return `(calls ${textIn(part, 'name')} ${JSON.stringify(field(part, 'args') ?? field(part, 'raw') ?? null)})`;
  }
}
