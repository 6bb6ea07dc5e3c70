/**
 * Logs that grow: a file that is put aside when it is too large or of another day, and the log of the program itself,
 * `~/.ahc_agent/ahc_agent.log`. Secrets never reach either. A failure to write the latter is ignored.
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
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { secretsIn } from '../../../core/secrets.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { systemClock } from '../../../io/clock.ts';
import type { Environment } from '../../../io/home.ts';
import { makeFolder } from '../../../io/make-folder.ts';
import { secretRemover } from '../../../models/redact.ts';
import { isoTime } from '../../../text/format.ts';
import { filesKept } from './settings.ts';

const keptOld = 9;

export type RotatingLog = {
  /** Throws what the system says. */
  append(text: string): void;
  /** What `find` finds in the end of the file, of which ever more is read; else in the end of the file before it. */
  last<T>(find: (text: string) => T | null): T | null;
};

type LogOptions = { readonly file: string; readonly mostBytes: number; readonly now: () => number };

export function rotatingLog({ file, mostBytes, now }: LogOptions): RotatingLog {
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

function dayOf(atMs: number): number {
  return Math.floor(atMs / 86_400_000);
}

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
    return names
      .sort()
      .reverse()
      .map((name) => join(dirname(file), name));
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
  return secretRemover([...new Set(secretsIn(env))].filter((secret) => secret.length >= 8));
}

/** The levels of logs, from the least to the gravest. */
const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
export type LogLevel = (typeof logLevels)[number];

export type AppLog = (level: LogLevel, message: string) => void;

/** The log of the program, as it is configured. */
export function appLogOf(config: Resolved, env: Environment): AppLog {
  const level = logLevels.find((each) => each === config.get('logging.level')) ?? 'INFO';
  const { maxLogBytes, logsAreJson } = filesKept(config);
  return appLog({ env, level, isJson: logsAreJson, mostBytes: maxLogBytes, now: systemClock.now });
}

type AppLogOptions = Omit<LogOptions, 'file'> & {
  readonly env: Environment;
  readonly level: LogLevel;
  readonly isJson: boolean;
};

export function appLog({ env, level: least, isJson, mostBytes, now }: AppLogOptions): AppLog {
  const file = join(env.HOME || homedir(), '.ahc_agent', 'ahc_agent.log');
  const log = rotatingLog({ file, mostBytes, now });
  const mask = maskOf(env);
  return (level, message) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return;
    const time = isoTime(now());
    const text = mask(message.replaceAll(/\s+/g, ' ').trim());
    const line = isJson
      ? JSON.stringify({ time, level, pid: process.pid, message: text })
      : `${time} ${level} [${process.pid}] ${text}`;
    try {
      log.append(`${line}\n`);
    } catch {
      // The user is told the same elsewhere.
    }
  };
}
