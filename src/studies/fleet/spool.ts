/**
 * Replies that were paid for and could not be journaled, because the store was gone for longer than the run's lease: one file
 * each, in a folder of this host, written before anything else. Settled when the store is there again and nobody has gone on
 * with the run; else told and kept.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { ExplainedError, errorOf } from '../../core/errors.ts';
import { isJsonObject, jsonIn } from '../../core/json.ts';
import type { EventRow, Owner, Ownership, Store } from '../../core/store.ts';
import { totalTokens, trustedUsage, type Usage } from '../../core/usage.ts';
import type { LateReply } from '../../run/writer.ts';

type SpoolOptions = {
  /** Of one store; made where it is missing. */
  readonly folder: string;
  readonly owner: Owner;
  /** What a process of this host keeps there that lives is its own to settle. */
  readonly livesHere: (owner: Owner) => boolean | null;
  readonly tell: (line: string) => void;
};

const lateReply: z.ZodType<LateReply> = z.object({
  ownership: z.object({
    runId: z.string(),
    epoch: z.number(),
    owner: z.object({ pid: z.number(), startedAt: z.string(), host: z.string().optional() }),
  }),
  afterSeq: z.number(),
  row: z.object({
    seq: z.number(),
    atMs: z.number(),
    branch: z.string(),
    ordinal: z.number().nullable(),
    attempt: z.number(),
    kind: z.literal('model-response'),
    body: z.string(),
  }),
  blobs: z.array(z.object({ hash: z.string(), text: z.string() })),
});

export class Spool {
  readonly #options: SpoolOptions;
  readonly #files = new Map<string, LateReply>();
  #kept = 0;

  /** Takes over what processes that are gone have left. Throws where the folder cannot be made. */
  constructor(options: SpoolOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(options.folder).sort()) if (name.endsWith('.late.json')) this.#adopt(name);
  }

  /** Returns when it would survive a power loss. Never throws: what cannot be kept is told. */
  keep(delayed: LateReply): void {
    const { folder, owner, tell } = this.#options;
    const { ownership, row } = delayed;
    this.#kept += 1;
    const number = `${row.atMs}-${String(this.#kept).padStart(6, '0')}`;
    const file = join(folder, `${number}-${owner.pid}.late.json`);
    try {
      writeDurably(file, JSON.stringify(delayed));
      writeFolder(folder);
      this.#files.set(file, delayed);
      tell(`${ownership.runId}: the reply to ${callOf(delayed)} cannot be journaled now; it is in ${file}`);
    } catch (error) {
      const why = errorOf(error).message;
      tell(`${ownership.runId}: the reply to ${callOf(delayed)} is lost, possibly billed: ${why}`);
    }
  }

  /** A reply of this run is not settled yet: nobody of this host is to go on with it before. */
  has(runId: string): boolean {
    return [...this.#files.values()].some(({ ownership }) => ownership.runId === runId);
  }

  /** Of runs that are still at work here nothing is settled yet. Throws where the store is gone. */
  async settle(store: Store, isAtWork: (runId: string) => boolean): Promise<void> {
    const ready = [...this.#files].filter(([, { ownership }]) => !isAtWork(ownership.runId));
    // Those of one life together: the first would look like another's to the next.
    const lives = Map.groupBy(ready, ([, { ownership }]) => `${ownership.epoch} ${ownership.runId}`);
    for (const files of lives.values()) await this.#settleAttempt(store, files);
  }

  async #settleAttempt(store: Store, files: readonly (readonly [string, LateReply])[]): Promise<void> {
    const [first] = files;
    if (!first) return;
    const { ownership, afterSeq } = first[1];
    const claimed = await this.#take(store, ownership);
    if (claimed === null) return this.#reportLate(files);
    const isLocal = claimed.epoch <= ownership.epoch + 1;
    const delayed: (readonly [string, LateReply])[] = [];
    try {
      const rows = [...(await store.events(ownership.runId, afterSeq))];
      for (const [file, reply] of files) {
        const seq = (rows.at(-1)?.seq ?? afterSeq) + 1;
        const row = { ...reply.row, seq };
        // Written before the store went, its receipt lost; or by us, before our own end.
        const exists = rows.some((each) => hasSameContent(each, row));
        if (!exists && !isLocal) delayed.push([file, reply]);
        if (!exists && isLocal) {
          await store.append(claimed, { events: [row], blobs: reply.blobs, durable: true });
          rows.push(row);
        }
        if (exists || isLocal) this.#done(file, reply);
      }
    } finally {
      await store.release(claimed);
    }
    this.#reportLate(delayed);
  }

  /** Null where another has it, or nobody can have it any more. */
  async #take(store: Store, ownership: Ownership): Promise<Ownership | null> {
    const { runId } = ownership;
    if ((await store.get(runId)) === null) return null;
    const taken = await store.acquire(runId, this.#options.owner).catch(nullIfOwned);
    // By the clock of the database, our own lease may run on.
    return taken ?? store.heartbeat(ownership).then(() => ownership, nullIfOwned);
  }

  #done(file: string, delayed: LateReply): void {
    rmSync(file, { force: true });
    this.#files.delete(file);
    this.#options.tell(`${delayed.ownership.runId}: the reply to ${callOf(delayed)} is in its journal now`);
  }

  #reportLate(files: readonly (readonly [string, LateReply])[]): void {
    for (const [file, delayed] of files) {
      const kept = file.replace(/\.late\.json$/, '.told.json');
      renameSync(file, kept);
      this.#files.delete(file);
      this.#options.tell(
        `${delayed.ownership.runId}: the reply to ${callOf(delayed)} came too late: the run has gone on without it, and its journal tells the call as possibly billed. ${costIn(delayed)} What was said is kept in ${kept}`,
      );
    }
  }

  #adopt(name: string): void {
    const { folder, livesHere, owner, tell } = this.#options;
    const file = join(folder, name);
    try {
      const delayed = lateReply.parse(JSON.parse(readFileSync(file, 'utf8')));
      if (livesHere(delayed.ownership.owner) === true) return;
      // Of two that begin at once, one gets it.
      const own = join(folder, name.replace(/-\d+\.late\.json$/, `-${owner.pid}.late.json`));
      renameSync(file, own);
      this.#files.set(own, delayed);
    } catch (error) {
      tell(`${basename(file)} cannot be read: ${errorOf(error).message}`);
    }
  }
}

/** What is whose is no trouble of the store. */
function nullIfOwned(error: unknown): null {
  if (isOwnedError(error) || (error instanceof ExplainedError && error.code === 'ownership-lost'))
    return null;
  throw error;
}

/** A half of a file never counts: it gets its name when it is whole. */
function writeDurably(file: string, text: string): void {
  const draft = `${file}.draft`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}

function writeFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function hasSameContent(one: EventRow, other: EventRow): boolean {
  const parts = ({ kind, branch, ordinal, attempt, atMs, body }: EventRow) =>
    JSON.stringify([kind, branch, ordinal, attempt, atMs, body]);
  return parts(one) === parts(other);
}

function callOf({ row: { branch, ordinal, attempt } }: LateReply): string {
  return `call ${branch || 'main'}#${ordinal}.${attempt}`;
}

function costIn({ row }: LateReply): string {
  const body = jsonIn(row.body);
  const usage = isJsonObject(body) && isJsonObject(body.usage) ? (body.usage as unknown as Usage) : null;
  const { tokens, costUsd } = usage ? trustedUsage(usage) : { tokens: null, costUsd: null };
  const used = tokens ? `${totalTokens(tokens)} tokens` : 'an unknown number of tokens';
  return `It used ${used}${costUsd === null ? '' : `, $${costUsd.toFixed(4)}`}.`;
}

const passing = /^(?:ownership-lost|database-(?:unreachable|lost|slow|connections))$/;

export function willPass(error: unknown): boolean {
  return error instanceof ExplainedError && passing.test(error.code);
}

/** Another process has it, or has brought it to its end. */
export function isOwnedError(error: unknown): boolean {
  return error instanceof ExplainedError && /^run-(?:owned|ended)$/.test(error.code);
}

/** It was another process's meanwhile. */
export function isOwnershipLost(error: unknown): boolean {
  return error instanceof ExplainedError && error.code === 'ownership-lost';
}
