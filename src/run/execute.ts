/** Runs one agent on one problem, live or in replay, then the grading; both together make the outcome. */
import type { Agent, OutcomeKind, Solution } from '../core/agent.ts';
import { assertReturned } from '../core/border.ts';
import { ReplyCutOff } from '../core/cut-off.ts';
import {
  Cancelled,
  ContextOverflow,
  describeError,
  type EffectError,
  EffectFailed,
  errorOf,
  LimitReached,
  UserCodeError,
} from '../core/errors.ts';
import type { EventBodies, Header, RunEnd, StopCause } from '../core/event.ts';
import { effectPairs } from '../core/event.ts';
import { canReopen, type History, type SettlementEvent } from '../core/history.ts';
import type { JournalEncoder } from '../core/journal-encoder.ts';
import { type JsonObject, toJson } from '../core/json.ts';
import { Ledger } from '../core/limits.ts';
import type { Model } from '../core/model.ts';
import type { Grade, PreviousToolCall, Problem, ToolResult } from '../core/problem.ts';
import { Activity, afterActiveTime } from './activity.ts';
import { Branch } from './branch.ts';
import { Effects } from './effects.ts';
import { Engine } from './engine.ts';
import { KnownInput } from './known-input.ts';
import { LearnedQuirks } from './learned-quirks.ts';
import { Inbox } from './mailbox.ts';
import { Abort } from './settling.ts';
import type { Observer, Runtime } from './world.ts';
import type { JournalWriter } from './writer.ts';

export type Execution = {
  readonly world: Runtime;
  readonly header: Header;
  readonly history: History;
  readonly encoder: JournalEncoder;
  readonly writer: JournalWriter | null;
  readonly agent: Agent;
  readonly problem: Problem;
  /** By role; empty in a replay. */
  readonly models: ReadonlyMap<string, Model>;
  readonly observer: Observer;
  /** How long the run has been alive; a replay never asks. */
  readonly aliveMs: () => number;
};

export type RunControls = {
  /** Breaks off what is in flight; the run ends as `cancelled` and can be resumed. */
  stop(cause?: StopCause): void;
  exhaust(): void;
  /** Its user has changed limits, by this letter. */
  limit(change: EventBodies['run-limits']): void;
  fail(error: Error): void;
};

/** Everything of a run's end but how long it lived. */
export type Ending = Omit<RunEnd, 'aliveMs'>;

/** How long an agent may take to end after it was told to, and how long a replay waits for one that asks for nothing. */
const [stopGraceMs, replayPatienceMs] = [5_000, 10_000];

/** `onReady` hands out the controls before the agent begins. Throws what made it impossible to go on. */
export async function execute(
  execution: Execution,
  onReady: (controls: RunControls) => void = () => {},
): Promise<Ending> {
  const { header, history, encoder, writer, agent, problem } = execution;
  const previous = previousToolCalls(history);
  const state = { isStopped: false, hasAgentEnded: false };
  const grading = new AbortController();
  const left = Promise.withResolvers<Attempt<Solution>>();
  const callOffs: (() => void)[] = [];
  let stoppedBy: StopCause | undefined;
  const stop = (cause?: StopCause): void => {
    state.isStopped = true;
    stoppedBy ??= cause;
    if (!state.hasAgentEnded) callOffs.push(afterActiveTime(stopGraceMs, () => left.resolve({})));
    root.abort(new Abort('end'));
    grading.abort(new Abort('end'));
  };
  const activity = new Activity();
  const ledger = ledgerOf(history);
  const engine = new Engine({
    header,
    codeVersion: execution.world.codeVersion,
    history,
    encoder,
    ledger,
    activity,
    writer,
    // In a replay: here it was stopped. What an agent leaves behind is broken off too, after it has ended.
    onBrokenOff: () => {
      if (!state.hasAgentEnded) stop();
    },
    onSettled: (event, request, stage) => recordToolCall(previous, event, request, stage),
  });
  const effects = effectsOf(execution, engine, previous);
  history.release();
  const root = new Branch('', { effects, activity }, null);
  onReady({
    // Not before the front: an agent that is cancelled in the middle of its history would not fit it.
    stop: (cause = 'user') => engine.afterReplay(() => stop(cause)),
    exhaust: () => engine.markExhausted('wallMs', header.limits.wallMs ?? 0),
    // Nothing is written before the front.
    limit: (body) =>
      engine.afterReplay(() => {
        ledger.change(body.limits);
        writer?.add([{ kind: 'run-limits', body }]).written.catch((error: Error) => engine.fail(error));
      }),
    fail: (error) => engine.fail(error),
  });

  if (!writer) {
    engine.afterReplay(() => {
      // A timer that is begun when the agent has ended would only keep the process alive.
      if (state.hasAgentEnded) return;
      const abandon = (): void =>
        history.end?.outcome === 'cancelled' ? stop() : engine.fail(waitsForeverError(agent));
      callOffs.push(afterActiveTime(replayPatienceMs, abandon));
    });
  }
  const solved = await Promise.race([
    attempt(() => runAgent(execution, root, activity)),
    engine.failed.then((): Attempt<Solution> => ({ thrown: errorOf(engine.failure) })),
    engine.deaf.then((error): Attempt<Solution> => ({ thrown: error })),
    left.promise,
  ]);
  for (const callOff of callOffs) callOff();
  state.hasAgentEnded = true;
  const { isStopped } = state;
  root.abort(new Abort('end'));
  await engine.idle();
  if (engine.failure) throw engine.failure;
  const grade = async (): Promise<Grade | null> => {
    if (!problem.grade) return null;
    const { answer = null, gradeWithinMs: withinMs } = solved.value ?? {};
    const position = { branch: root.path, ordinal: root.lastOrdinal + 1, attempt: 0 };
    const submission = { answer, stagesDone: engine.stagesDone, withinMs };
    return effects.grade(submission, { position, signal: grading.signal });
  };
  const ending = isStopped
    ? { ...cancelledEnding, ...(stoppedBy && { stoppedBy }) }
    : await endingOf(solved, grade);
  await engine.replayed();
  if (engine.failure) throw engine.failure;
  return encoder.redacted(canReopenEnding(ending, engine));
}

function waitsForeverError({ name }: Agent): UserCodeError {
  const what = `The agent ${name} waits for something that is not its run's, where its journal ends.`;
  return new UserCodeError({ code: 'user-code-waits', what });
}

/** With what a resume needs to go on from there. What was solved needs nothing more. */
function canReopenEnding(ending: Ending, { pendingPositions: positions, isCutShort }: Engine): Ending {
  const canGoOn = ending.outcome !== 'solved' && ending.outcome !== 'error';
  const end = isCutShort && canGoOn ? { ...ending, cutShort: true as const } : ending;
  return positions.length > 0 && canReopen(end) ? { ...end, again: positions } : end;
}

async function runAgent(
  { agent, problem, header }: Execution,
  root: Branch,
  activity: Activity,
): Promise<Solution> {
  activity.begin(root.path);
  try {
    const { settings } = header.agent;
    const solution = assertReturned(
      'solve',
      await agent.solve(problem, root, settings),
      `The agent ${agent.name}`,
    );
    // If a problem has parts, its tools have received the answers.
    if (solution.end === 'answered' && problem.spec.stages.length === 0)
      assertReturned('answer', solution.answer, `The agent ${agent.name}`);
    return toJson(solution) as unknown as Solution;
  } finally {
    activity.end(root.path);
  }
}

type Attempt<T> = { readonly value?: T; readonly thrown?: Error };

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { thrown: errorOf(error) };
  }
}

const cancelledEnding: Ending = { outcome: 'cancelled', solution: null, grade: null };

function failedEnding(thrown: Error): Ending {
  if (thrown instanceof Cancelled) return cancelledEnding;
  const error: EffectError = thrown instanceof EffectFailed ? thrown.effectError : describeError(thrown);
  return { outcome: 'error', solution: null, grade: null, error };
}

/** A limit is an outcome, and is graded like any other; what else an agent throws is an error. */
async function endingOf(
  { value, thrown }: Attempt<Solution>,
  gradeIt: () => Promise<Grade | null>,
): Promise<Ending> {
  const solution = value ?? solutionOfReply(thrown);
  if (thrown !== undefined && !solution && !(thrown instanceof LimitReached)) return failedEnding(thrown);
  const graded = await attempt(gradeIt);
  if (graded.thrown !== undefined) return failedEnding(graded.thrown);
  const grade = graded.value ?? null;
  const limit = thrown instanceof LimitReached ? thrown.limit : solution?.limit;
  return { outcome: outcomeOf(solution, grade, limit !== undefined), solution, grade, limit };
}

/** How a run ends whose agent could not do without a reply that was cut off, or that its model had no context for. */
function solutionOfReply(error: Error | undefined): Solution | null {
  if (error instanceof ReplyCutOff) return { end: 'malformed', detail: error.message };
  if (error instanceof ContextOverflow) {
    return { end: 'gave-up', limit: 'context', detail: error.message };
  }
  return null;
}

/** What was solved stays solved, however the agent ended; else its own end counts, and a wrong answer is wrong. */
function outcomeOf(solution: Solution | null, grade: Grade | null, isAtLimit: boolean): OutcomeKind {
  if (grade?.correct === true) return 'solved';
  if (grade?.score !== undefined && grade.correct === undefined && solution?.answer) return 'scored';
  if (isAtLimit || !solution) return 'limit';
  if (solution.end !== 'answered' && solution.end !== 'doubtful') return solution.end;
  if (grade?.correct === false) return 'wrong';
  if (solution.end === 'doubtful') return 'doubtful';
  const isUnjudged = grade ? grade.answers?.some(({ correct }) => correct === null) : solution.answer;
  return isUnjudged ? 'answered' : 'stopped';
}

function effectsOf(execution: Execution, engine: Engine, previous: PreviousToolCall[]): Effects {
  const { world, header, history, writer, problem, models, observer, aliveMs } = execution;
  const { store } = world;
  return new Effects({
    engine,
    aliveMs,
    world,
    problem,
    header,
    past: previous,
    mailbox: new Inbox({
      store,
      runId: header.runId,
      history: history.settlements(),
    }),
    models: {
      header,
      clock: world.io.clock,
      aliveMs,
      observer,
      told: new Set(),
      quirks: new LearnedQuirks(writer ? world.quirks : undefined),
      known: writer ? new KnownInput() : null,
      pacer: world.pacer ?? null,
      sharedBudget: world.sharedBudget ?? null,
      modelFor: (role) => models.get(role) ?? models.get('default') ?? null,
    },
    writeNote: ({ branch, index, kind, data }) => {
      if (index < history.notesOf(branch)) return;
      engine.afterReplay(() => {
        const body = execution.encoder.redacted({ kind, data, index });
        const note = { kind: 'note', branch, body } as const;
        writer?.add([note]).written.catch((error: Error) => engine.fail(error));
      });
    },
  });
}

function ledgerOf(history: History): Ledger {
  const ledger = new Ledger(history.limits.now);
  for (const recordedEffect of history.effects()) {
    const { effect, settlement, reservation } = recordedEffect;
    if (settlement?.body.status !== 'refused')
      ledger.begin(effect, recordedEffect.isUnbilled ? null : reservation);
    if (settlement) ledger.settle(reservation, settlement.body);
  }
  for (const past of history.unfinishedEffects()) ledger.charge(past.reservation);
  return ledger;
}

function previousToolCalls(history: History): PreviousToolCall[] {
  const previous: PreviousToolCall[] = [];
  for (const event of history.settlements()) {
    const asked = history.requestOf(event);
    if (asked) recordToolCall(previous, event, asked.request, asked.stage);
  }
  return previous;
}

function recordToolCall(
  past: PreviousToolCall[],
  event: SettlementEvent,
  request: JsonObject,
  stage: string,
): void {
  if (event.kind !== effectPairs.tool.settlement || event.body.status !== 'ok') return;
  const { name, args } = request;
  if (typeof name !== 'string' || typeof args !== 'object' || args === null || Array.isArray(args)) return;
  past.push({ tool: name, args: args as JsonObject, stage, result: event.body.result as ToolResult });
}
