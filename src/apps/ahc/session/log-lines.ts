/**
 * The events of a session as lines of its log: every prompt and reply in full, durations, the notes of the search. Each
 * line names its run and event, so that a later life finds where the log ends. Pure.
 */

import { type Event, isIntent, isSettlement, positionName, type Settlement } from '../../../core/event.ts';
import { positionKey } from '../../../core/history.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { evolutionNoteOf } from '../../../notes/evolution.ts';
import { isoTime } from '../../../text/format.ts';
import type { SessionState } from './fold.ts';
import type { LogLevel } from './log.ts';

export type LogLine = {
  readonly atMs: number;
  readonly level: LogLevel;
  /** Which run of the session's chain, and its event: `2.117`. */
  readonly mark: string;
  readonly place: string;
  readonly message: string;
  /** Of the effect that this event settles. */
  readonly durationMs: number | null;
  /** Prompts, replies, sources: as many lines as they have. */
  readonly detail: string;
};

/** `before` and `after`: the state without and with the event. */
export function logLine(before: SessionState, after: SessionState, event: Event): LogLine {
  const opened = isSettlement(event)
    ? before.run.open.find((open) => positionKey(open.event) === positionKey(event))?.event
    : undefined;
  return {
    atMs: event.atMs,
    level: levelOf(event),
    mark: `${after.chain}.${event.seq}`,
    place: positionName(event),
    message: messageOf(event),
    durationMs: opened ? event.atMs - opened.atMs : null,
    detail: detailOf(event),
  };
}

export function lineText({ atMs, level, mark, place, message, durationMs, detail }: LogLine): string {
  const took = durationMs === null ? '' : ` (${(durationMs / 1000).toFixed(3)} s)`;
  const head = `${isoTime(atMs)} ${level} ${mark} ${place} ${oneLine(message)}${took}`;
  return `${head}\n${detail === '' ? '' : `${indented(detail)}\n`}`;
}

export function lineJson(line: LogLine): string {
  const { atMs, durationMs, detail, ...rest } = line;
  const told = {
    time: isoTime(atMs),
    ...rest,
    duration_ms: durationMs,
    detail: detail === '' ? undefined : detail,
  };
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
  if (event.kind === 'run-end') return levelOfEnd(event.body.outcome, event.body.error?.stack !== undefined);
  if (event.kind !== 'note') return isIntent(event) ? 'DEBUG' : 'INFO';
  return event.body.kind === 'doing' ? 'DEBUG' : event.body.kind === 'rejected' ? 'WARNING' : 'INFO';
}

function levelOfEnd(outcome: string, isDefect: boolean): LogLevel {
  if (outcome !== 'error') return 'INFO';
  return isDefect ? 'CRITICAL' : 'ERROR';
}

function messageOf(event: Event): string {
  switch (event.kind) {
    case 'run-start':
    case 'run-fork':
      return `${event.kind} ${event.body.runId}: ${event.body.agent.name} on ${event.body.problem.id}`;
    case 'run-end':
      return `run-end: ${event.body.outcome}${event.body.error ? `: ${event.body.error.message}` : ''}`;
    case 'note':
      return noteMessage(event);
    default:
      return isSettlement(event) ? settledMessage(event.kind, event.body) : `${event.kind}${askedOf(event)}`;
  }
}

function noteMessage(event: Event): string {
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
      return event.kind === 'note'
        ? `note ${event.body.kind}: ${JSON.stringify(event.body.data).slice(0, 2_000)}`
        : event.kind;
  }
}

function settledMessage(kind: string, body: Settlement): string {
  if (body.status === 'refused') return `${kind}: refused, the limit on ${body.limit} is reached`;
  if (body.status === 'cancelled')
    return `${kind}: broken off${body.by === 'late' ? ', too late to be of use' : ` by ${body.by}`}`;
  if (body.status === 'error') return `${kind}: ${body.error.name}: ${body.error.message}`;
  const { tokens, costUsd } = body.usage ?? {};
  const used = tokens ? `, ${tokens.input} tokens in, ${tokens.output} out` : '';
  return `${kind}: ok${used}${typeof costUsd === 'number' ? `, ${costUsd} USD` : ''}`;
}

function askedOf({ body }: Event): string {
  const { role, model, name, cases } = body as {
    readonly role?: unknown;
    readonly model?: unknown;
    readonly name?: unknown;
    readonly cases?: unknown;
  };
  const who = [role, model, name].filter((each) => typeof each === 'string').join(' ');
  return `${who ? `: ${who}` : ''}${Array.isArray(cases) ? `: ${cases.length} cases` : ''}`;
}

function detailOf(event: Event): string {
  if (event.kind === 'model-request') return conversationOf(event.body);
  if (event.kind === 'model-response' && event.body.status === 'ok') return saidIn(event.body.result);
  if (event.kind === 'run-end') return event.body.error?.stack ?? '';
  return '';
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** So that no line of a prompt looks like a line of the log. */
function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

/** Every message of a request. */
function conversationOf({ messages, tools }: JsonObject): string {
  const list = Array.isArray(messages) ? messages : [];
  const offered = Array.isArray(tools) && tools.length > 0 ? `\n(${tools.length} tools are offered)` : '';
  return `${list.map(messageText).join('\n')}${offered}`;
}

/** Thoughts, text and tool calls of a reply. Of an image, only that there was one. */
function saidIn(result: Json): string {
  const message = isJsonObject(result) ? result.message : null;
  return isJsonObject(message) ? contentText(message.content) : '';
}

function messageText(message: Json): string {
  if (!isJsonObject(message)) return '';
  return `--- ${message.role}\n${contentText(message.content)}`;
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partText).join('\n') : '';
}

function partText(part: Json): string {
  if (!isJsonObject(part)) return '';
  switch (part.type) {
    case 'text':
      return String(part.text);
    case 'reasoning':
      return `(thinks) ${part.text}`;
    case 'image':
      return `(an image, ${part.mediaType})`;
    default:
      return `(calls ${part.name} ${JSON.stringify(part.args ?? part.raw ?? null)})`;
  }
}
