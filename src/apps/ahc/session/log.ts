/**
 * Logs that grow: a file that is put aside when it is too large or of another day; the log of the program itself,
 * `~/.ahc_agent/ahc_agent.log`; and the lines of a session's log, made of its events: every prompt and reply in full, with
 * durations. Each of these names its run and event, so that a later life finds where the log ends. Secrets never reach a log.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
import { findSecrets } from '../../../core/secrets.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { systemClock } from '../../../io/clock.ts';
import { type Environment, homeOf } from '../../../io/home.ts';
import { makeFolder } from '../../../io/write-whole.ts';
import { createSecretRedactor } from '../../../models/redact.ts';
import { evolutionNoteOf } from '../../../notes/evolution.ts';
import { isoTime } from '../../../text/format.ts';
import { field, list, text as textIn } from '../../../text/json.ts';
import type { SessionState } from './fold.ts';
import { filesKept } from './settings.ts';

const keptOld = 9;

export type RotatingLog = {
  /** Throws what the system says. */
  append(text: string): void;
  /** What `find` finds in the end of the file, of which ever more is read; else in the end of the file before it. */
  last<T>(find: (text: string) => T | null): T | null;
};

/** `now`: in milliseconds. */
export function rotatingLog(file: string, mostBytes: number, now: () => number): RotatingLog {
  return {
    append(text) {
      makeFolder(dirname(file));
      const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
      const isFull = size + Buffer.byteLength(text) > mostBytes;
      if (size > 0 && (isFull || dayOf(mtimeMs) < dayOf(now()))) putAside(file, now());
      appendFileSync(file, text, { mode: 0o600 });
    },
    last(find) {
      const [before] = oldOnes(file);
      return lastIn(file, find) ?? (before === undefined ? null : lastIn(before, find));
    },
  };
}

const dayOf = (atMs: number): number => Math.floor(atMs / 86_400_000);

/** Under a unique name, so that two processes at once lose no file. */
function putAside(file: string, nowMs: number): void {
  const stamped = `${file}.${isoTime(nowMs).replaceAll(/[-:.]/g, '')}`;
  let name = stamped;
  for (let number = 2; statSync(name, { throwIfNoEntry: false }); number += 1) name = `${stamped}-${number}`;
  renameSync(file, name);
  for (const old of oldOnes(file).slice(keptOld)) rmSync(old, { force: true });
}

/** Newest first. */
function oldOnes(file: string): readonly string[] {
  try {
    const names = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.`));
    return Array.from(names.sort().reverse(), (name) => join(dirname(file), name));
  } catch {
    return [];
  }
}

const tailBytes = 1024 * 1024;

/** A line may hold whole prompts and be longer than the part that is read, so more is read until `find` succeeds. */
function lastIn<T>(file: string, find: (text: string) => T | null): T | null {
  for (let bytes = tailBytes; ; bytes *= 8) {
    const { text, isAll } = endOf(file, bytes);
    const found = find(text);
    if (found !== null || isAll) return found;
  }
}

function endOf(file: string, bytes: number): { readonly text: string; readonly isAll: boolean } {
  let open: number | null = null;
  try {
    open = openSync(file, 'r');
    const { size } = fstatSync(open);
    const end = Buffer.alloc(Math.min(bytes, size));
    const read = readSync(open, end, 0, end.length, size - end.length);
    return { text: end.toString('utf8', 0, read), isAll: bytes >= size };
  } catch {
    return { text: '', isAll: true };
  } finally {
    if (open !== null) closeSync(open);
  }
}

/** Removes every key that this process knows from a text. */
export function maskOf(env: Environment): (text: string) => string {
  // A short word is no key, and would be removed everywhere.
  return createSecretRedactor([...new Set(findSecrets(env))].filter((secret) => secret.length >= 8));
}

/** The levels of logs, from the least to the gravest. */
const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
type LogLevel = (typeof logLevels)[number];

export type AppLog = (level: LogLevel, message: string) => void;

export function appLogOf(config: Pick<Resolved, 'get'>, env: Environment): AppLog {
  const minimum = logLevels.find((each) => each === config.get('logging.level')) ?? 'INFO';
  const { maxLogBytes: mostBytes, logsAreJson } = filesKept(config);
  const { now } = systemClock;
  const file = join(homeOf(env), '.ahc_agent', 'ahc_agent.log');
  const log = rotatingLog(file, mostBytes, now);
  const mask = maskOf(env);
  return (level, message) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(minimum)) return;
    const time = isoTime(now());
    const text = mask(message.replaceAll(/\s+/g, ' ').trim());
    const line = logsAreJson
      ? JSON.stringify({ time, level, pid: process.pid, message: text })
      : `${time} ${level} [${process.pid}] ${text}`;
    try {
      log.append(`${line}\n`);
    } catch {
      // The user is told the same elsewhere.
    }
  };
}

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
    mark: `${after.runs.length}.${event.seq}`,
    place: positionName(event),
    message: messageOf(event),
    /** The duration of the effect that this event settles. */
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
  const names = ['role', 'model', 'name'].map((name) => textIn(body, name)).filter(Boolean);
  const cases = Array.isArray(body.cases) ? `: ${body.cases.length} cases` : '';
  return `${names.length > 0 ? `: ${names.join(' ')}` : ''}${cases}`;
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
