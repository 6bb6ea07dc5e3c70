/** What each effect is: its intent, how it is performed, what its settlement means. Their common life is the engine's. */
import { z } from 'zod';
import type { Limits, ProgramRequest, ProgramResult, SessionResult } from '../core/agent.ts';
import { assertReturned } from '../core/border.ts';
import { EffectFailed, errorOf, UserError } from '../core/errors.ts';
import type { EffectKind, Header, Position } from '../core/event.ts';
import type { Io } from '../core/io.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { ModelFailure, ModelSettings, ModelSuccess } from '../core/model.ts';
import type {
  Answer,
  EffectContext,
  Evaluation,
  Grade,
  PreviousToolCall,
  Problem,
  Submission,
  Tool,
  ToolResult,
  Verdict,
} from '../core/problem.ts';
import type { Sandbox } from '../core/sandbox.ts';
import type { Engine } from './engine.ts';
import { type Executed, executeIn, type SessionAnswer, type SessionAsk } from './folder.ts';
import { type GenerateCall, generate } from './generate.ts';
import type { Inbox } from './mailbox.ts';
import { effectiveSettings } from './model-settings.ts';
import type { ModelCaller } from './permit.ts';
import { type EffectSpec, throwUnlessOk } from './settling.ts';
import type { Runtime } from './world.ts';

type Here = { readonly position: Position; readonly signal: AbortSignal };

export type EffectsOptions = {
  readonly engine: Engine;
  readonly world: Runtime;
  readonly problem: Problem;
  readonly header: Header;
  readonly mailbox: Inbox;
  /** Settled tool calls, in journal order; the list grows while the run is at work. */
  readonly past: readonly PreviousToolCall[];
  readonly models: ModelCaller;
  readonly aliveMs: () => number;
  readonly writeNote: (note: { branch: string; index: number; kind: string; data: JsonObject }) => void;
};

export class Effects {
  readonly #options: EffectsOptions;
  readonly #engine: Engine;
  readonly #io: Io;
  readonly note: EffectsOptions['writeNote'];

  constructor(options: EffectsOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.note = options.writeNote;
    const { io } = options.world;
    this.#io = { ...io, sandbox: interruptibleSandbox(io.sandbox) };
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

  settingsFor(role: string, modelSettings: ModelSettings): ModelSettings {
    const { models } = this.#options.header;
    return effectiveSettings(models[role] ?? models.default, modelSettings);
  }

  isPerson(role: string): boolean {
    const { models } = this.#options.header;
    return (models[role] ?? models.default)?.kind === 'person';
  }

  generate(call: GenerateCall): Promise<ModelSuccess | ModelFailure> {
    return generate(this.#engine, this.#options.models, call);
  }

  exec(request: ProgramRequest, here: Here): Promise<ProgramResult> {
    return this.#perform('exec', here, {
      request,
      perform: async ({ signal }) => {
        const { folder: _none, folderBytes: _no, ...result } = await this.#io.sandbox.exec(request, signal);
        return { result };
      },
    });
  }

  /** In a session's folder. What was executed in this life need not be read from the journal for the next call. */
  async execIn({ session, request, state, ...here }: SessionAsk): Promise<SessionAnswer> {
    const executed: { now: Executed | null } = { now: null };
    const result = await this.#perform<SessionResult>('exec', here, {
      request: { ...request, session },
      perform: async ({ signal }) => {
        const means = { sandbox: this.#io.sandbox, store: this.#options.world.store };
        executed.now = await executeIn(means, { state, request, signal });
        return { result: executed.now.result, blobs: executed.now.blobs };
      },
    });
    const programRequest = withoutSession(this.#engine.requestAt(here.position)) ?? request;
    return {
      position: here.position,
      request: programRequest,
      result,
      archive: executed.now?.archive ?? null,
    };
  }

  tool({ name, args, refusal, ...here }: RequestedToolCall & Here): Promise<ToolResult> {
    const isRejected = refusal !== undefined;
    const { handle, isSafe } = isRejected
      ? rejected(refusal)
      : prepareToolCall(this.#options.problem.tools ?? [], name, args);
    return this.#perform('tool', here, {
      request: isRejected ? { name, args, refusal } : { name, args },
      durable: !isSafe,
      perform: async ({ signal, isRepeat, stage }) => {
        const result = assertReturned(
          'tool',
          await handle(this.#context(signal, stage), isRepeat),
          `${this.#family}, tool ${name},`,
        );
        return { result, advance: result.advance };
      },
    });
  }

  check(answer: Answer, here: Here): Promise<Verdict> {
    const { problem } = this.#options;
    return this.#perform('check', here, {
      request: { answer },
      perform: async ({ signal, stage }) => {
        const check = required(problem.check, 'check');
        const verdict = await check.call(problem, answer, this.#context(signal, stage));
        return { result: assertReturned('check', verdict, this.#family) };
      },
    });
  }

  evaluate(source: string, cases: readonly string[], here: Here): Promise<Evaluation> {
    return this.#perform('evaluate', here, {
      request: { source, cases },
      perform: async ({ signal, stage }) => {
        const program = required(this.#options.problem.program, 'program');
        return { result: await program.evaluate(source, cases, this.#context(signal, stage)) };
      },
    });
  }

  grade(submission: Submission, here: Here): Promise<Grade> {
    const { problem } = this.#options;
    return this.#perform('grade', here, {
      request: { ...submission },
      isExempt: true,
      perform: async ({ signal, stage }) => {
        const grade = required(problem.grade, 'grade');
        const graded = await grade.call(problem, submission, this.#context(signal, stage));
        return { result: assertReturned('grade', graded, this.#family) };
      },
    });
  }

  async ask(question: string, here: Here): Promise<string> {
    const { text } = await this.#perform<{ text: string }>('ask', here, {
      request: { question },
      perform: async ({ signal }) => ({ result: await this.#options.mailbox.answer(signal) }),
    });
    return text;
  }

  async inbox(here: Here): Promise<readonly string[]> {
    const { messages } = await this.#perform<{ messages: readonly string[] }>('inbox', here, {
      request: {},
      perform: async () => ({ result: await this.#options.mailbox.receive() }),
    });
    return messages;
  }

  now(here: Here): Promise<number> {
    const perform = async () => ({ result: this.#options.world.io.clock.now() });
    return this.#perform('clock', here, { request: {}, perform });
  }

  alive(here: Here): Promise<number> {
    const perform = async () => ({ result: this.#options.aliveMs() });
    return this.#perform('clock', here, { request: {}, perform });
  }

  get #family(): string {
    return `The family ${this.#options.header.problem.family}`;
  }

  /** `Result` is what an effect of this kind writes into its settlement. */
  async #perform<Result>(
    effect: EffectKind,
    here: Here,
    spec: Pick<EffectSpec, 'request' | 'perform'> & { durable?: boolean; isExempt?: boolean },
  ): Promise<Result> {
    const common = { effect, reserve: null, durable: false, ...here };
    const settlement = await this.#engine.perform({ ...common, ...spec });
    throwUnlessOk(settlement);
    if (settlement.status === 'ok') return settlement.result as Result;
    throw new EffectFailed(settlement.error);
  }

  #context(signal: AbortSignal, stage: string): EffectContext {
    const { header, past } = this.#options;
    const settled = past.length;
    return {
      io: this.#io,
      runId: header.runId,
      stage,
      signal,
      // It grows while the effect goes on; a copy is made only when it is looked at.
      get past() {
        return past.slice(0, settled);
      },
    };
  }
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

/** A cancelled effect has no result, even if the sandbox still returns one. */
function interruptibleSandbox(sandbox: Sandbox): Sandbox {
  const unlessAborted = async <T>(running: Promise<T>, signal: AbortSignal): Promise<T> => {
    const result = await running;
    signal.throwIfAborted();
    return result;
  };
  return {
    info: () => sandbox.info(),
    check: (request, signal) => unlessAborted(sandbox.check(request, signal), signal),
    build: (request, signal) => unlessAborted(sandbox.build(request, signal), signal),
    exec: (request, signal) => unlessAborted(sandbox.exec(request, signal), signal),
    batch: (request, onCase, signal) => unlessAborted(sandbox.batch(request, onCase, signal), signal),
    clean: () => sandbox.clean(),
    close: () => sandbox.close(),
  };
}

type RequestedToolCall = { readonly name: string; readonly args: Json; readonly refusal?: string };

type PreparedToolCall = {
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
  // Arguments that could not be parsed arrive as the text that the model wrote.
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

function noObject(name: string, text: string): string {
  let why = 'they are JSON of another type';
  try {
    JSON.parse(text);
  } catch (error) {
    why = errorOf(error).message;
  }
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  return `The arguments of ${name} are no JSON object: ${why}; you wrote: ${shown}`;
}

function rejected(text: string): PreparedToolCall {
  const result: ToolResult = { text, isError: true, data: { rejected: true } };
  return { isSafe: true, handle: async () => result };
}
