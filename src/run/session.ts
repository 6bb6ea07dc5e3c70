/** A session of one branch: its calls one after the other, each in the folder that the one before left. */
import type { ProgramRequest, Session, SessionResult } from '../core/agent.ts';
import type { Position } from '../core/event.ts';
import { type FolderState, folderAfter, type SessionCall } from './folder.ts';
import { forgettable } from './settling.ts';

export type SessionAsk = {
  readonly session: string;
  readonly request: ProgramRequest;
  readonly state: FolderState;
  readonly position: Position;
  readonly signal: AbortSignal;
};

export type SessionAnswer = SessionCall & { readonly archive: Uint8Array | null };

type Here = Pick<SessionAsk, 'position' | 'signal'>;

type SessionOptions = {
  name: string;
  state: FolderState;
  /** The next place in the branch. */
  next: () => Here;
  ask: (ask: SessionAsk) => Promise<SessionAnswer>;
};

export class BranchSession implements Session {
  readonly name: string;
  readonly #options: SessionOptions;
  #state: FolderState;
  #before: Promise<unknown> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.name = options.name;
    this.#options = options;
    this.#state = options.state;
  }

  /** As far as the agent has been told. */
  get state(): FolderState {
    return this.#state;
  }

  exec(request: ProgramRequest): Promise<SessionResult> {
    const here = this.#options.next();
    const done = this.#before.then(() => this.#exec(request, here));
    this.#before = done.catch(() => undefined);
    return forgettable(done);
  }

  async #exec(request: ProgramRequest, here: Here): Promise<SessionResult> {
    const { ask, name } = this.#options;
    const { archive, ...call } = await ask({ session: name, request, state: this.#state, ...here });
    this.#state = folderAfter(this.#state, call, archive);
    return call.result;
  }
}
