/** What a run needs from other rooms, each by a contract of core. `open` fills it in, or a test. */
import type { Agent } from '../core/agent.ts';
import type { CodeOrigin, Event, Header, Position, RetryPolicy } from '../core/event.ts';
import type { Io } from '../core/io.ts';
import type { Model } from '../core/model.ts';
import type { Family } from '../core/problem.ts';
import type { Owner, Store } from '../core/store.ts';
import type { LearnedQuirks } from './learned-quirks.ts';
import type { Pacer } from './pacing/pacer.ts';
import type { Share } from './shared-budget.ts';
import type { LateReply } from './writer.ts';

export interface Runtime {
  readonly store: Store;
  readonly io: Io;
  readonly owner: Owner;
  readonly codeVersion: string;
  readonly retry: RetryPolicy;
  /** Takes out of a text what must stand in no journal: values of secret variables. */
  readonly redact?: (text: string) => string;
  /** Gives turns to call live models; without it no call waits for one. */
  readonly pacer?: Pacer;
  readonly sharedBudget?: Share;
  /** What servers were found to refuse, for all runs of this process; without it each run asks for itself. */
  readonly quirks?: LearnedQuirks;
  /** Takes what was paid for and cannot be journaled. Must not throw. */
  readonly spool?: { keep(delayed: LateReply): void };
  /** Loads it before a run; an unknown name is a `UserError`. `code`: files of the user's that may have it. */
  agent(name: string, code?: CodeFiles): Promise<Agent>;
  family(name: string, code?: CodeFiles): Promise<Family>;
  /** `spec` is what the user wrote: `openai-compatible/qwen3`. Throws `UserError` where it cannot be had. */
  model(spec: string, place?: ModelPlace): Promise<Model>;
  /** The user's files that these parts were loaded from; missing, or empty: none was. */
  codeOf?(parts: RunParts): readonly CodeOrigin[];
}

/** Absolute, or relative to the folder that `.polya/` lies in. */
export type CodeFiles = readonly (Pick<CodeOrigin, 'file'> & Partial<CodeOrigin>)[];

/** `baseUrl`: where the model is, in the place of what the environment says. */
export type ModelPlace = { readonly baseUrl?: string; readonly code?: CodeFiles };

/** The parts of a run that a user can provide. */
export type RunParts = {
  readonly agent: Agent;
  readonly family: Family;
  readonly models: ReadonlyMap<string, Model>;
};

/** The next words of the model call at a position. */
export type Delta = Position & {
  readonly role: string;
  readonly type: 'text' | 'reasoning';
  readonly text: string;
};

/** Watches a run in its own process. Must not throw. */
export interface Observer {
  /** After the event is in the journal. */
  onEvent?(event: Event): void;
  /** Text as it arrives from a model; it is never journaled. */
  onDelta?(delta: Delta): void;
  onNotice?(notice: string): void;
  /** A call waits for its turn; null: it waits no more. */
  onWait?(position: Position, reason: string | null): void;
}

/** For a header: undefined where all came with Polya. */
export function codeHeader(runtime: Runtime, parts: RunParts): Header['code'] {
  const code = runtime.codeOf?.(parts) ?? [];
  return code.length > 0 ? code : undefined;
}

/** Going on is right as long as nothing diverges; the reason of a divergence may be this. */
export function reportChangedCode(world: Runtime, header: Header, parts: RunParts, observer: Observer): void {
  const now = world.codeOf?.(parts) ?? [];
  for (const { file, hash, brings } of header.code ?? []) {
    for (const part of brings) {
      const found = now.find((origin) => origin.brings.includes(part));
      if (!found || found.hash === hash) continue;
      const moved = found.file === file ? '' : `; it is loaded from ${found.file} now`;
      observer.onNotice?.(
        `The code of the ${part} in ${file} has changed since run ${header.runId} began${moved}. The run goes on as long as it asks for what its journal holds.`,
      );
    }
  }
}
