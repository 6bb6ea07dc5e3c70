/**
 * What each effect is: what its intent says, how it is performed, what its settlement means to the agent.
 * The life that all of them share is the engine's.
 */

import { z } from 'zod';
import type { Limits, ProgramRequest, ProgramResult, SessionResult } from '../core/agent.ts';
import { EffectFailed, UserError } from '../core/errors.ts';
import type { EffectKind, Header, Position, Settlement } from '../core/event.ts';
import type { Io } from '../core/io.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { ModelFailure, ModelSettings, ModelSuccess } from '../core/model.ts';
import type {
  Answer,
  EffectContext,
  Evaluation,
  Grade,
  PastToolCall,
  Problem,
  Submission,
  Tool,
  ToolResult,
  Verdict,
} from '../core/problem.ts';
import type { Sandbox } from '../core/sandbox.ts';
import type { EffectSpec } from './effect-spec.ts';
import type { Engine } from './engine.ts';
import { type Executed, executeIn } from './folder.ts';
import { type GenerateCall, generate } from './generate.ts';
import type { Mailbox } from './mailbox.ts';
import type { ModelCaller } from './model-caller.ts';
import { settingsSent } from './model-settings.ts';
import type { SessionAnswer, SessionAsk } from './session.ts';
import { type Performed, throwUnlessOk } from './settling.ts';
import type { World } from './world.ts';

type Here = { readonly position: Position; readonly signal: AbortSignal };

export type EffectsOptions = {
  readonly engine: Engine;
  readonly world: World;
  readonly problem: Problem;
  readonly header: Header;
  readonly mailbox: Mailbox;
  /** Settled tool calls, in journal order; it grows while the run goes on. */
  readonly past: readonly PastToolCall[];
  readonly models: ModelCaller;
  readonly aliveMs: () => number;
  readonly writeNote: (note: { branch: string; index: number; kind: string; data: JsonObject }) => void;
};

export class Effects {
  readonly #options: EffectsOptions;
  readonly #engine: Engine;
  readonly #io: Io;

  constructor(options: EffectsOptions) {
    this.#options = options;
    this.#engine = options.engine;
    const { io } = options.world;
    this.#io = { ...io, sandbox: interruptible(io.sandbox) };
  }

  get stage(): string {
    return this.#engine.deliveredStage;
  }

  get limits(): Limits {
    return this.#options.header.limits;
  }

  get prompts(): Header['prompts'] {
    return this.#options.header.prompts;
  }

  get seed(): string {
    return this.#options.header.seed;
  }

  settingsFor(role: string, asked: ModelSettings): ModelSettings {
    const { models } = this.#options.header;
    return settingsSent(models[role] ?? models.default, asked);
  }

  note(note: { branch: string; index: number; kind: string; data: JsonObject }): void {
    this.#options.writeNote(note);
  }

  generate(call: GenerateCall): Promise<ModelSuccess | ModelFailure> {
    return generate(this.#engine, this.#options.models, call);
  }

  async exec(request: ProgramRequest, here: Here): Promise<ProgramResult> {
    const settled = await this.#perform('exec', here, {
      request,
      perform: async ({ signal }) => {
        const { folder: _none, folderBytes: _no, ...result } = await this.#io.sandbox.exec(request, signal);
        return { result };
      },
    });
    return settled as ProgramResult;
  }

  /** In a session's folder. What was executed in this life need not be read from the journal for the next call. */
  async execIn({ session, request, state, ...here }: SessionAsk): Promise<SessionAnswer> {
    const executed: { now: Executed | null } = { now: null };
    const settled = await this.#perform('exec', here, {
      request: { ...request, session },
      perform: async ({ signal }) => {
        const means = { sandbox: this.#io.sandbox, store: this.#options.world.store };
        executed.now = await executeIn(means, { state, request, signal });
        const { result, blobs } = executed.now;
        return { result, blobs };
      },
    });
    const asked = withoutSession(this.#engine.requestAt(here.position)) ?? request;
    const archive = executed.now?.archive ?? null;
    return { position: here.position, request: asked, result: settled as SessionResult, archive };
  }

  async tool({ name, args, ...here }: { name: string; args: Json } & Here): Promise<ToolResult> {
    const tools = this.#options.problem.tools ?? [];
    const { handle, isSafe } = prepareToolCall(tools, name, args);
    const settled = await this.#perform('tool', here, {
      request: { name, args },
      durable: !isSafe,
      perform: async ({ signal, isRepeat, stage }) => {
        const result = await handle(this.#context(signal, stage), isRepeat);
        return { result, ...(result.advance ? { advance: result.advance } : {}) };
      },
    });
    return settled as ToolResult;
  }

  async check(answer: Answer, here: Here): Promise<Verdict> {
    const settled = await this.#perform('check', here, {
      request: { answer },
      perform: async ({ signal, stage }) => ({
        result: await required(this.#options.problem.check, 'check').call(
          this.#options.problem,
          answer,
          this.#context(signal, stage),
        ),
      }),
    });
    return settled as Verdict;
  }

  async evaluate({
    source,
    cases,
    ...here
  }: { source: string; cases: readonly string[] } & Here): Promise<Evaluation> {
    const settled = await this.#perform('evaluate', here, {
      request: { source, cases },
      perform: async ({ signal, stage }) => {
        const program = required(this.#options.problem.program, 'program');
        return { result: await program.evaluate(source, cases, this.#context(signal, stage)) };
      },
    });
    return settled as Evaluation;
  }

  async grade(submission: Submission, here: Here): Promise<Grade> {
    const settled = await this.#perform('grade', here, {
      request: { ...submission },
      isExempt: true,
      perform: async ({ signal, stage }) => {
        const grade = required(this.#options.problem.grade, 'grade');
        return {
          result: await grade.call(this.#options.problem, submission, this.#context(signal, stage)),
        };
      },
    });
    return settled as Grade;
  }

  async ask(question: string, here: Here): Promise<string> {
    const settled = await this.#perform('ask', here, {
      request: { question },
      perform: async ({ signal }) => ({ result: await this.#options.mailbox.answer(signal) }),
    });
    return (settled as { text: string }).text;
  }

  async inbox(here: Here): Promise<readonly string[]> {
    const settled = await this.#perform('inbox', here, {
      request: {},
      perform: async () => ({ result: await this.#options.mailbox.receive() }),
    });
    return (settled as { messages: readonly string[] }).messages;
  }

  async now(here: Here): Promise<number> {
    const perform = async (): Promise<Performed> => ({ result: this.#options.world.io.clock.now() });
    return (await this.#perform('clock', here, { request: {}, perform })) as number;
  }

  async alive(here: Here): Promise<number> {
    const perform = async (): Promise<Performed> => ({ result: this.#options.aliveMs() });
    return (await this.#perform('clock', here, { request: {}, perform })) as number;
  }

  async #perform(
    effect: EffectKind,
    here: Here,
    spec: Pick<EffectSpec, 'request' | 'perform'> & { durable?: boolean; isExempt?: boolean },
  ): Promise<Json> {
    const settlement = await this.#engine.perform({
      effect,
      reserve: null,
      durable: false,
      ...here,
      ...spec,
    });
    return resultOf(settlement);
  }

  #context(signal: AbortSignal, stage: string): EffectContext {
    const { header, past } = this.#options;
    const settled = past.length;
    return {
      io: this.#io,
      runId: header.runId,
      stage,
      signal,
      // It grows while the effect goes on; a copy is made only for who looks at it.
      get past() {
        return past.slice(0, settled);
      },
    };
  }
}

function resultOf(settlement: Settlement): Json {
  throwUnlessOk(settlement);
  if (settlement.status === 'ok') return settlement.result;
  throw new EffectFailed(settlement.error);
}

/** In a fork, what stands at this position may be a program outside of any session. */
function withoutSession(request: JsonObject | null): ProgramRequest | null {
  if (request === null) return null;
  const { session: _name, ...program } = request;
  return program as unknown as ProgramRequest;
}

function required<T>(part: T | undefined, name: string): T {
  if (part !== undefined) return part;
  throw new UserError({
    code: 'problem-lacks-capability',
    what: `The problem has no ${name}; the agent asked for one without declaring that it needs it.`,
  });
}

export function interruptible(sandbox: Sandbox): Sandbox {
  return {
    info: () => sandbox.info(),
    check: (request, signal) => unlessBrokenOff(sandbox.check(request, signal), signal),
    build: (request, signal) => unlessBrokenOff(sandbox.build(request, signal), signal),
    exec: (request, signal) => unlessBrokenOff(sandbox.exec(request, signal), signal),
    batch: (request, onCase, signal) => unlessBrokenOff(sandbox.batch(request, onCase, signal), signal),
    clean: () => sandbox.clean(),
    close: () => sandbox.close(),
  };
}

async function unlessBrokenOff<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  const result = await running;
  signal.throwIfAborted();
  return result;
}

export type PreparedToolCall = {
  /** Whether a repetition changes nothing outside. */
  readonly isSafe: boolean;
  handle(context: EffectContext, isRepeat: boolean): Promise<ToolResult>;
};

/** A call that cannot be made is prepared too: it counts, and the model reads why. */
export function prepareToolCall(tools: readonly Tool[], name: string, args: Json): PreparedToolCall {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) {
    const known = tools.map((candidate) => candidate.name).join(', ');
    return rejected(`There is no tool ${name}. The tools are: ${known}.`);
  }
  // What a model wrote and nobody could parse arrives as its text.
  if (typeof args === 'string') return rejected(noObject(name, args));
  const parsed = tool.parameters.safeParse(args);
  if (!parsed.success) {
    return rejected(`The arguments of ${name} do not fit: ${z.prettifyError(parsed.error)}`);
  }
  const { repeat } = tool;
  return {
    isSafe: repeat === 'safe',
    handle: async (context, isRepeat) => {
      const found = isRepeat && repeat !== 'safe' ? await repeat.reconcile(parsed.data, context) : null;
      return found ?? tool.call(parsed.data, context);
    },
  };
}

const shownCharacters = 300;

function noObject(name: string, written: string): string {
  const shown = written.length > shownCharacters ? `${written.slice(0, shownCharacters)}…` : written;
  return `The arguments of ${name} are no JSON object: ${whyNoObject(written)}; you wrote: ${shown}`;
}

function whyNoObject(written: string): string {
  try {
    JSON.parse(written);
    return 'they are JSON of another type';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function rejected(text: string): PreparedToolCall {
  const result: ToolResult = { text, isError: true, data: { rejected: true } };
  return { isSafe: true, handle: async () => result };
}
