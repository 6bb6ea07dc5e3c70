/**
 * A world for tests of the run: a real store in a folder, the toy family, the lockstep model, a sandbox of words. No
 * network.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../../src/core/agent.ts';
import { UnavailableError } from '../../src/core/errors.ts';
import type { Event } from '../../src/core/event.ts';
import type { Io } from '../../src/core/io.ts';
import type { Model, ModelCall } from '../../src/core/model.ts';
import type { Family } from '../../src/core/problem.ts';
import type { Sandbox, SandboxInfo } from '../../src/core/sandbox.ts';
import type { Store } from '../../src/core/store.ts';
import { systemClock } from '../../src/io/clock.ts';
import { hashText } from '../../src/run/hash.ts';
import { readJournal } from '../../src/run/load.ts';
import type { Runtime } from '../../src/run/world.ts';
import { lazyStore } from '../../src/store/lazy.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { Lockstep, lockstepModel } from './lockstep.ts';
import { noSandbox } from './no-sandbox.ts';
import { provingReply } from './proof-replies.ts';
import { type Outside, outsideFile, toyAgents, toyFamily } from './toy.ts';
import { toySandbox } from './toy-sandbox.ts';

const unreachable = (): never => {
  throw new UnavailableError({ code: 'no-such-thing-in-test', what: 'There is no such thing in this test.' });
};

export const bareIo: Io = {
  http: { request: async () => unreachable() },
  files: { read: async () => null, write: async () => undefined, append: async () => undefined },
  clock: systemClock,
  chance: { next: () => 0.5 },
  sandbox: noSandbox,
};

export type ToyWorldOptions = {
  readonly folder: string;
  readonly model?: Model;
  /** By what the user wrote; what is not here is `model`. */
  readonly models?: Readonly<Record<string, Model>>;
  readonly agents?: readonly Agent[];
  readonly families?: readonly Family[];
  readonly onPerform?: (moment: 'before' | 'during' | 'after', key: string) => void;
  readonly wrapStore?: (store: Store) => Store;
  readonly io?: Partial<Io>;
  /** What the sandbox of words says that it can run; absent: it says nothing, and no header names it. */
  readonly sandboxInfo?: SandboxInfo;
  /** What the lockstep model says, null where it is what all say; a pure function. */
  readonly reply?: (request: unknown, call: Pick<ModelCall, 'role' | 'branch' | 'index'>) => string | null;
  /** How long the model takes for each reply. */
  readonly slowMs?: number;
  /** How many replies it gives; whoever asks it after that waits until it is broken off. */
  readonly replies?: number;
};

export function toyWorld(options: ToyWorldOptions): Runtime & { readonly outside: Outside } {
  const { folder, onPerform } = options;
  const opened = storeIn(folder);
  const outside = outsideFile(join(folder, 'outside.log'));
  const told = (moment: 'before' | 'during' | 'after', key: string): void => {
    if (moment === 'during') outside.log(key);
    onPerform?.(moment, key);
  };
  const model =
    options.model ??
    lockstepModel({
      lockstep: new Lockstep(options.slowMs, options.replies),
      reply: (request, call) =>
        provingReply(request, call) ?? options.reply?.(request, call) ?? answerOf(request, call),
      onPerform: told,
    });
  const agents: readonly Agent[] = options.agents ?? (toyAgents as readonly Agent[]);
  const families = [toyFamily(outside), ...(options.families ?? [])];
  return {
    store: options.wrapStore?.(opened) ?? opened,
    io: { ...bareIo, sandbox: saying(toySandbox(told), options.sandboxInfo), ...options.io },
    owner: thisProcess(),
    codeVersion: 'test',
    retry: { maxRetries: 2, firstWaitMs: 1, maxWaitMs: 5 },
    outside,
    agent: async (name) => agents.find((agent) => agent.name === name) ?? unreachable(),
    family: async (name) => families.find((family) => family.name === name) ?? unreachable(),
    model: async (spec) => options.models?.[spec] ?? model,
  };
}

/** A folder whose runs are kept on Postgres has a file that names it, for every process that works there. */
export const storeUrlFile = 'store-url.txt';

function storeIn(folder: string): Store {
  const file = join(folder, storeUrlFile);
  if (!existsSync(file)) return openSqliteStore({ file: join(folder, 'polya.db'), now: () => Date.now() });
  return lazyStore(async () => {
    // Loaded here because most tests have no use for it. No lease runs out while a test is at work.
    const { openPostgresStore } = await import('../../src/store/postgres/store.ts');
    return openPostgresStore({ url: readFileSync(file, 'utf8'), leaseMs: 600_000 });
  });
}

function saying(sandbox: Sandbox, info: SandboxInfo | undefined): Sandbox {
  return info ? { ...sandbox, info: async () => info } : sandbox;
}

/** A reply that depends on the conversation and the place alone. */
export function answerOf(request: unknown, call: { branch: string; index: number }): string {
  return hashText(JSON.stringify(request) + call.branch + call.index);
}

export async function eventsOf(world: Runtime, runId: string): Promise<readonly Event[]> {
  const { events, damage } = await readJournal(world.store, runId);
  if (damage) throw new Error(`damaged at ${damage.seq}: ${damage.reason}`);
  return events;
}

/** A journal without what differs between two runs that did the same: numbers, times, who did it. */
export function normalise(events: readonly Event[]): string[] {
  return events
    .filter((event) => event.kind !== 'run-resume')
    .map(({ branch, ordinal, attempt, kind, body }) => {
      const text = JSON.stringify(body)
        .replaceAll(/"aliveMs":\d+/g, '"aliveMs":0')
        .replaceAll(/"runId":"[^"]*"/g, '"runId":""')
        .replaceAll(/"result":1\d{12}/g, '"result":0');
      return `${branch}#${ordinal}.${attempt} ${kind} ${text}`;
    });
}
