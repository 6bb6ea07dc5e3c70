/** The life of every effect: look into the history, else intent, ledger, turn, performance, settlement and delivery. */
import { DivergenceError, errorOf, type LimitName, UserCodeError } from '../core/errors.ts';
import { effectPairs, type Header, type Position, positionName, type Settlement } from '../core/event.ts';
import { type History, positionKey, type RecordedEffect, type SettlementEvent } from '../core/history.ts';
import type { JournalEncoder } from '../core/journal-encoder.ts';
import { canonicalJson, isJsonObject, type JsonObject, jsonIn } from '../core/json.ts';
import type { Capacity, Ledger, LimitRejection } from '../core/limits.ts';
import type { StageAdvance } from '../core/problem.ts';
import type { Activity } from './activity.ts';
import { Delivery } from './delivery.ts';
import { Settler } from './settler.ts';
import {
  Abort,
  cancelledBy,
  checkLimits,
  checkRepeatLimits,
  type EffectSpec,
  InFlight,
  intentOf,
  type PerformContext,
  reasonOf,
  type Settled,
} from './settling.ts';
import type { JournalWriter } from './writer.ts';

type Context = Omit<PerformContext, 'signal'>;

/** A replay came to where the journal ends. */
export class JournalEnds extends Error {
  constructor(position: Position) {
    super(`The journal ends before ${positionName(position)}.`);
  }
}

/** How often an agent may go on asking after it was told that there is nothing more to be had. */
const deafAfter = 1_000;

type EngineOptions = {
  header: Header;
  /** The version of the running Polya. */
  codeVersion: string;
  history: History;
  encoder: JournalEncoder;
  ledger: Ledger;
  activity: Activity;
  /** Null in a replay, which never writes. */
  writer: JournalWriter | null;
  /** Called when a settlement says that the run was cancelled here. */
  onBrokenOff: () => void;
  /** A settlement was written. */
  onSettled: (event: SettlementEvent, request: JsonObject, stage: string) => void;
};

export class Engine {
  readonly #options: EngineOptions;
  readonly #history: History;
  readonly #ledger: Ledger;
  /** Null in a replay, like the writer. */
  readonly #settler: Settler | null;
  readonly #inFlight: InFlight;
  readonly #delivery: Delivery;
  /** Resolves when the new life stands in the journal, so that what is repeated in it can be counted. */
  #begun: Promise<void> = Promise.resolve();
  #askedInVain = 0;
  /** Missing things that stopped the agent, and cancelled branches, unless the agent has continued since. */
  #wants: PendingRequest[] = [];
  /** Branches that have asked for something, and those above them. */
  readonly #heard = new Set<string>();
  readonly #failed = Promise.withResolvers<void>();
  readonly #deaf = Promise.withResolvers<Error>();
  /** Resolves when the run cannot go on, whatever its agent makes of that. */
  readonly failed = this.#failed.promise;
  /** Resolves when the agent goes on asking although it was told to end; it is left waiting then. */
  readonly deaf = this.#deaf.promise;
  /** Aborted when nothing is waited for any more: the run has failed, or its time is over. */
  readonly #over = new AbortController();
  #open = 0;
  #onQuiet: (() => void)[] = [];
  /** The stage that the agent knows. */
  deliveredStage: string;
  failure: Error | null = null;
  constructor(options: EngineOptions) {
    const { header, history, activity, ledger, writer } = options;
    this.#options = options;
    this.#history = history;
    this.#ledger = ledger;
    this.deliveredStage = header.problem.stages[0] ?? '';
    this.#inFlight = new InFlight(header);
    this.#delivery = new Delivery({
      history: history.settlements(),
      activity,
      isNew: history.effects().length === 0,
      onFront: () => this.#startAttempt(),
      onDeliver: (event) => this.#beforeDelivery(event),
      onUnclaimed: (event) =>
        this.#failWithDivergence(event, event.seq, event.kind, 'nothing at this position'),
    });
    this.#settler =
      writer &&
      new Settler({
        writer,
        ledger,
        stages: history.stages,
        isBreaking: () => this.#inFlight.isAborting,
        mayWrite: () => this.failure === null,
        onSettled: (event, { spec, stage }) => options.onSettled(event, spec.request, stage),
        onWritten: (event) => this.#delivery.push(event),
        onFailed: (error) => this.fail(error),
      });
  }

  /** Resolves when the settlement's turn has come. Throws `Cancelled` where the branch is cancelled already. */
  async perform(spec: EffectSpec): Promise<Settlement> {
    if (this.failure || spec.signal.aborted || this.#ignoresRequests) return this.#rejectLater(spec);
    const key = positionKey(spec.position);
    const recordedEffect = this.#history.take(key);
    if (recordedEffect) this.#compare(spec, recordedEffect);
    this.#wants = this.#wants.filter(
      (pendingRequest) => !continuesAfter(pendingRequest, spec.position.branch),
    );
    for (const each of pathsTo(spec.position.branch)) this.#heard.add(each);
    this.#open += 1;
    const wakeBranch = this.#options.activity.wait(spec.position.branch);
    try {
      const delivered = this.#delivery.expect(key);
      if (!recordedEffect) this.#begin(spec);
      else if (!recordedEffect.settlement) this.#schedule(spec, recordedEffect);
      return (await delivered).body;
    } finally {
      this.#close(wakeBranch);
    }
  }

  /** What the journal says was asked for here; in a fork it may differ from what the agent asks for now. */
  requestAt(position: Position): JsonObject | null {
    return this.#history.requestOf(position)?.request ?? null;
  }

  /** What the journal holds at this position, until it is asked for. */
  recordedAt(position: Position): RecordedEffect | undefined {
    return this.#history.at(positionKey(position));
  }

  /** What is left of amounts that are limited. */
  get room(): Capacity {
    return this.#ledger.capacity;
  }

  /** The run cannot go on: whatever waits for an effect gets this error, and nothing more is written. */
  fail(error: Error): void {
    this.failure ??= error;
    this.#over.abort();
    this.#inFlight.abortAll();
    this.#delivery.fail(this.failure);
    this.#failed.resolve();
  }

  /** Calls `work` when the agent has gone through all that its journal holds; at once where that is so. */
  afterReplay(work: () => void): void {
    this.#delivery.afterReplay(() => {
      if (!this.failure) work();
    });
  }

  replayed(): Promise<void> {
    return this.#delivery.replayed();
  }

  /** The wall time is over: effects in flight are broken off, later ones refused. */
  markExhausted(limit: LimitName, max: number): void {
    this.#ledger.markExhausted({ limit, max });
    this.#over.abort();
    this.#inFlight.markExhausted();
  }

  /** Resolves when no effect is open any more. */
  async idle(): Promise<void> {
    while (this.#open > 0) await new Promise<void>((resolve) => this.#onQuiet.push(resolve));
    const left = this.#delivery.firstUndelivered();
    if (left) this.#failWithDivergence(left, left.seq, left.kind, 'nothing more: the agent has ended');
    else this.#assertHistoryConsumed();
  }

  get stagesDone(): readonly string[] {
    return this.#stages.done;
  }

  get #stages(): History['stages'] {
    return this.#settler?.stages ?? this.#history.stages;
  }

  /** A budget that the run shares has refused it something. */
  get isCutShort(): boolean {
    return this.#ledger.reached?.shared === true;
  }

  /** What failed for want of something, and what that broke off: `RunEnd.again`. */
  get pendingPositions(): readonly Position[] {
    const first = this.#wants.findIndex(({ isBrokenOff }) => !isBrokenOff);
    return first < 0 ? [] : this.#wants.slice(first).map(({ position }) => position);
  }

  /** Nothing more is to be had. An agent that does not listen is left waiting, or it would never end. */
  #rejectLater(spec: EffectSpec): Promise<never> {
    this.#askedInVain += 1;
    if (!this.#ignoresRequests) throw this.failure ?? cancelledBy(reasonOf(spec.signal));
    const what = `The agent went on asking ${deafAfter} times after it was told to end.`;
    this.#deaf.resolve(new UserCodeError({ code: 'user-code-unfit', what }));
    return new Promise(() => {});
  }

  get #ignoresRequests(): boolean {
    return this.#askedInVain > deafAfter;
  }

  #startAttempt(): void {
    this.#assertHistoryConsumed();
    const { writer } = this.#options;
    if (this.failure || !writer) return;
    this.#begun = writer.begin();
    this.#begun.catch((error: Error) => this.fail(error));
  }

  /** Waits for a turn, or before a retry. It is no effect: where the journal has gone on from here, there is no wait. */
  async waitFor(
    wait: (signal: AbortSignal) => Promise<void>,
    { position, signal, isRetry = false }: { position: Position; signal: AbortSignal; isRetry?: boolean },
  ): Promise<void> {
    const recordedEffect = this.#history.at(positionKey(position));
    if (isRetry ? recordedEffect : recordedEffect?.settlement) return;
    if (!this.#options.writer || signal.aborted) return;
    const wakeBranch = this.#options.activity.wait(position.branch);
    this.#open += 1;
    try {
      await wait(AbortSignal.any([signal, this.#over.signal]));
    } catch (error) {
      // Broken off: the next effect that is asked for says so. What else went wrong must not pass for a turn.
      if (!signal.aborted && !this.#over.signal.aborted) this.fail(errorOf(error));
    } finally {
      this.#close(wakeBranch);
    }
  }

  #close(wakeBranch: () => void): void {
    wakeBranch();
    this.#open -= 1;
    if (this.#open === 0) for (const quiet of this.#onQuiet.splice(0)) quiet();
  }

  /** At the journal's front an agent must have asked for all that an earlier life of it asked for. */
  #assertHistoryConsumed(): void {
    const recordedEffect = this.#history.effects().find(({ effect }) => effect !== 'grade');
    if (!recordedEffect || this.#options.activity.isPaused) return;
    const { position, seq, effect } = recordedEffect;
    this.#failWithDivergence(position, seq, effect, 'nothing at this position');
  }

  #compare(spec: EffectSpec, past: RecordedEffect): void {
    const { asked: before } = past;
    if (past.effect !== spec.effect) this.#throwDivergence(spec, past.seq, past.effect, spec.effect);
    const { header, encoder } = this.#options;
    const kind = effectPairs[past.effect].intent;
    if (before === null || !kind || past.seq <= (header.fork?.seq ?? 0)) return;
    const question = encoder.fingerprint(kind, spec.request);
    if (question === before) return;
    const [expected, actual] = firstDifference(before, question);
    this.#throwDivergence(spec, past.seq, `a ${kind} with ${expected}`, actual);
  }

  #throwDivergence(spec: EffectSpec, seq: number, expected: string, actual: string): never {
    this.#failWithDivergence(spec.position, seq, expected, actual);
    throw this.failure;
  }

  #failWithDivergence(
    position: Parameters<typeof positionName>[0],
    at: number,
    expected: string,
    actual: string,
  ): void {
    const { header, codeVersion } = this.#options;
    const versions = { journaled: header.codeVersion, now: codeVersion };
    this.fail(new DivergenceError(positionName(position), { at, expected, actual }, versions));
  }

  #begin(spec: EffectSpec): void {
    const { writer, encoder } = this.#options;
    try {
      if (writer && this.#delivery.hasReplayed) return this.#writeIntent(spec, writer);
      // Throws where `#intend` would: a request that cannot be written down, because it is no JSON.
      encoder.fingerprint(effectPairs[spec.effect].intent ?? 'note', spec.request);
      if (writer) this.afterReplay(() => this.#writeIntent(spec, writer));
      else this.#delivery.afterHistory(() => this.#endReplay(spec));
    } catch (error) {
      this.#delivery.reject(positionKey(spec.position), errorOf(error));
    }
  }

  /** A run that was stopped between two effects holds no trace of the next one. */
  #endReplay(spec: EffectSpec): void {
    if (this.#history.end?.outcome !== 'cancelled') return this.fail(new JournalEnds(spec.position));
    this.#options.onBrokenOff();
    this.#delivery.reject(positionKey(spec.position), cancelledBy(new Abort('end')));
  }

  /** Writes the intent of a new effect, and with it a refusal if a limit has no room. */
  #writeIntent(spec: EffectSpec, writer: JournalWriter): void {
    const context = {
      isRepeat: false,
      stage: this.#stages.open,
      reservation: spec.reserve?.(this.#ledger.capacity) ?? null,
    };
    const limitRejection = checkLimits(this.#ledger, spec, context.reservation);
    const kind = effectPairs[spec.effect].intent;
    if (kind) {
      const { written } = writer.add([{ kind, body: intentOf(spec, context.reservation), ...spec.position }]);
      written.catch((error: Error) => this.fail(error));
      if (limitRejection) return this.#rejectEffect(spec, limitRejection, context);
      this.#ledger.begin(spec.effect, context.reservation);
      written.then(
        () => this.#start(spec, context),
        () => undefined,
      );
    } else if (limitRejection) this.#rejectEffect(spec, limitRejection, context);
    else this.#start(spec, context);
  }

  #rejectEffect(spec: EffectSpec, refusal: LimitRejection, context: Context): void {
    this.#settle(spec, context, { settlement: { status: 'refused', ...refusal } });
  }

  /** Something that an earlier life began and did not finish. */
  #schedule(spec: EffectSpec, recordedEffect: RecordedEffect): void {
    if (!this.#options.writer) return this.#delivery.afterHistory(() => this.#endReplay(spec));
    const context = { isRepeat: true, stage: recordedEffect.stage, reservation: recordedEffect.reservation };
    const limitRejection = checkRepeatLimits(this.#ledger, spec, context.reservation);
    if (limitRejection) this.#delivery.afterHistory(() => this.#rejectEffect(spec, limitRejection, context));
    else this.#start(spec, context);
  }

  #start(spec: EffectSpec, context: Context): void {
    this.#delivery.afterHistory(() => void this.#startEffect(spec, context));
  }

  async #startEffect(spec: EffectSpec, context: Context): Promise<void> {
    if (context.isRepeat) await this.#begun;
    const settled = await this.#inFlight.start({
      signal: spec.signal,
      isExempt: spec.isExempt,
      perform: (signal) => spec.perform({ ...context, signal }),
    });
    const settlement = this.#options.encoder.redacted(settled.settlement);
    this.#settle(spec, context, { ...settled, settlement });
  }

  #settle(spec: EffectSpec, { stage, reservation }: Context, landed: Settled): void {
    this.#settler?.settle({ spec, stage, reservation, ...landed });
  }

  #beforeDelivery(event: SettlementEvent): void {
    const { kind, body } = event;
    if (body.status === 'refused') this.#askedInVain += 1;
    const isBrokenOff = body.status === 'cancelled' && body.by === 'branch';
    if (isBrokenOff || (body.status === 'error' && body.error.unavailable)) {
      const { branch, ordinal, attempt } = event;
      const position = { branch, ordinal: ordinal ?? 0, attempt };
      this.#wants.push({ position, isBrokenOff, heard: new Set(this.#heard) });
    }
    if (body.status === 'cancelled' && body.by === 'end') this.#options.onBrokenOff();
    if (kind !== 'tool-result' || body.status !== 'ok') return;
    const { advance } = body.result as { advance?: StageAdvance };
    if (advance) this.deliveredStage = advance.to ?? '';
  }
}

/** `heard`: which branches had asked for something by then. */
type PendingRequest = {
  readonly position: Position;
  readonly isBrokenOff: boolean;
  readonly heard: ReadonlySet<string>;
};

/** Asked for by the branch itself, by one above or below, or by one that began later; not by one that ran beside it. */
function continuesAfter({ position, heard }: PendingRequest, branch: string): boolean {
  const own = pathsTo(position.branch);
  const sibling = pathsTo(branch).find((path) => !own.includes(path));
  return sibling === undefined || position.branch === parentOf(sibling) || !heard.has(sibling);
}

/** `a`, `a/b`, `a/b/c`. */
function pathsTo(branch: string): readonly string[] {
  const names = branch === '' ? [] : branch.split('/');
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** What two requests differ in, in the words of each. Long texts and messages stand in the journal as hashes, which say nothing. */
function firstDifference(before: string, question: string): readonly [string, string] {
  const [old, now] = [before, question].map((text) => jsonIn(text) ?? {});
  if (!isJsonObject(old) || !isJsonObject(now)) return [abbreviate(before), abbreviate(question)];
  const names = Object.keys({ ...old, ...now }).filter(
    (name) => canonicalJson(old[name] ?? null) !== canonicalJson(now[name] ?? null),
  );
  const describe = (request: JsonObject, which: string): string =>
    names
      .map((name) => {
        const text = canonicalJson(request[name] ?? null);
        return /"\$(blob|json|messages|message)":/.test(text)
          ? `${which} ${name}`
          : `${name} ${abbreviate(text)}`;
      })
      .join(', ');
  return [describe(old, 'other'), describe(now, 'its')];
}

function abbreviate(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
