/**
 * A session of one branch: its calls one after the other, each in the folder that the one before left. What a call is to
 * the journal is the effects' business, where a folder comes from the folder's.
 */
import type { ProgramRequest, Session, SessionResult } from '../core/agent.ts';
import type { Position } from '../core/event.ts';
import { type FolderState, folderAfter, type SessionCall } from './folder.ts';
import { forgettable } from './forgettable.ts';

export type SessionAsk = {
  readonly session: string;
  readonly request: ProgramRequest;
  readonly state: FolderState;
  readonly position: Position;
  readonly signal: AbortSignal;
};

export type SessionAnswer = SessionCall & { readonly archive: Uint8Array | null };

export class BranchSession implements Session {
  readonly name: string;
  readonly #ask: (ask: SessionAsk) => Promise<SessionAnswer>;
  readonly #next: () => Pick<SessionAsk, 'position' | 'signal'>;
  #state: FolderState;
  #before: Promise<unknown> = Promise.resolve();

  constructor(options: {
    name: string;
    state: FolderState;
    /** The next place in the branch. */
    next: () => Pick<SessionAsk, 'position' | 'signal'>;
    ask: (ask: SessionAsk) => Promise<SessionAnswer>;
  }) {
    this.name = options.name;
    this.#state = options.state;
    this.#next = options.next;
    this.#ask = options.ask;
  }

  /** As far as the agent has been told. */
  get state(): FolderState {
    return this.#state;
  }

  exec(request: ProgramRequest): Promise<SessionResult> {
    const here = this.#next();
    const done = this.#before.then(() => this.#exec(request, here));
    this.#before = done.catch(() => undefined);
    return forgettable(done);
  }

  async #exec(
    request: ProgramRequest,
    here: Pick<SessionAsk, 'position' | 'signal'>,
  ): Promise<SessionResult> {
    const { archive, ...call } = await this.#ask({
      session: this.name,
      request,
      state: this.#state,
      ...here,
    });
    this.#state = folderAfter(this.#state, call, archive);
    return call.result;
  }
}
