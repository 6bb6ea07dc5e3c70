/** The `Run` that an agent is handed: one object a branch. It gives out ordinals, opens branches and cancels them. */
import type {
  BranchFunction,
  BranchResult,
  Limits,
  OfUse,
  ProgramRequest,
  ProgramResult,
  Run,
  Session,
} from '../core/agent.ts';
import { assertReturned, validateMessages } from '../core/border.ts';
import type { Position } from '../core/event.ts';
import { type Json, type JsonObject, toJson } from '../core/json.ts';
import type { ModelFailure, ModelRequest, ModelSettings, ModelSuccess } from '../core/model.ts';
import type { Answer, Evaluation, ToolResult, Verdict } from '../core/problem.ts';
import { fillTemplate } from '../core/prompts.ts';
import type { Activity } from './activity.ts';
import type { Effects } from './effects.ts';
import { BranchSession, emptyFolder, type FolderState } from './folder.ts';
import { randomFromKey } from './hash.ts';
import { Abort, ignoreRejection } from './settling.ts';

type Branches<T> = Readonly<Record<string, BranchFunction<T>>>;
type StopRace<T> = (results: readonly BranchResult<T>[]) => boolean;

export class Branch implements Run {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly #effects: Effects;
  readonly #activity: Activity;
  readonly #controller = new AbortController();
  readonly #children = new Set<string>();
  readonly #calls = new Map<string, number>();
  readonly #sessions = new Map<string, BranchSession>();
  /** The parent's sessions, as they were when this branch began. */
  readonly #inherited: ReadonlyMap<string, FolderState>;
  #ordinal = 0;
  #draws = 0;
  #notes = 0;

  constructor(
    path: string,
    { effects, activity }: { effects: Effects; activity: Activity },
    parent: { readonly signal: AbortSignal; readonly folders: ReadonlyMap<string, FolderState> } | null,
  ) {
    this.path = path;
    this.#inherited = parent?.folders ?? new Map();
    this.#effects = effects;
    this.#activity = activity;
    this.signal = this.#controller.signal;
    if (parent?.signal.aborted) this.#controller.abort(parent.signal.reason);
    parent?.signal.addEventListener('abort', () => this.#controller.abort(parent.signal.reason), {
      once: true,
      signal: this.signal,
    });
  }

  get stage(): string {
    return this.#effects.stage;
  }

  get limits(): Limits {
    return this.#effects.limits;
  }

  get lastOrdinal(): number {
    return this.#ordinal;
  }

  abort(reason: Abort): void {
    this.#controller.abort(reason);
  }

  generate(role: string, request: ModelRequest, use?: OfUse): Promise<ModelSuccess | ModelFailure> {
    const messages = validateMessages(request?.messages, 'The agent');
    const index = this.#calls.get(role) ?? 0;
    this.#calls.set(role, index + 1);
    const asked = { ...request, messages };
    const until = use && (() => use.untilAliveMs());
    return ignoreRejection(this.#effects.generate({ role, request: asked, index, until, ...this.#next() }));
  }

  settingsFor(role: string, modelSettings: ModelSettings): ModelSettings {
    return this.#effects.settingsFor(role, modelSettings);
  }

  isPerson(role: string): boolean {
    return this.#effects.isPerson(role);
  }

  exec(request: ProgramRequest): Promise<ProgramResult> {
    assertReturned('program', request, 'The agent');
    return ignoreRejection(this.#effects.exec(request, this.#next()));
  }

  session(name = 'session'): Session {
    const known = this.#sessions.get(name);
    if (known) return known;
    const session = new BranchSession({
      name,
      state: this.#inherited.get(name) ?? emptyFolder,
      next: () => this.#next(),
      ask: (call) => this.#effects.execIn(call),
    });
    this.#sessions.set(name, session);
    return session;
  }

  tool(name: string, args: Json, rejection?: string): Promise<ToolResult> {
    return ignoreRejection(this.#effects.tool({ name, args, refusal: rejection, ...this.#next() }));
  }

  check(answer: Answer): Promise<Verdict> {
    return ignoreRejection(this.#effects.check(answer, this.#next()));
  }

  evaluate(source: string, cases: readonly string[]): Promise<Evaluation> {
    return ignoreRejection(this.#effects.evaluate(source, cases, this.#next()));
  }

  ask(question: string): Promise<string> {
    return ignoreRejection(this.#effects.ask(question, this.#next()));
  }

  inbox(): Promise<readonly string[]> {
    return ignoreRejection(this.#effects.inbox(this.#next()));
  }

  now(): Promise<number> {
    return ignoreRejection(this.#effects.now(this.#next()));
  }

  alive(): Promise<number> {
    return ignoreRejection(this.#effects.alive(this.#next()));
  }

  random(): number {
    this.#draws += 1;
    return randomFromKey(`${this.#effects.seed}\n${this.path}\n${this.#draws}`);
  }

  prompt(name: string, places: Readonly<Record<string, string>> = {}): string {
    const { prompts } = this.#effects;
    const template = Object.hasOwn(prompts, name) ? prompts[name] : undefined;
    if (template === undefined) throw new Error(`The agent has no prompt named ${name}.`);
    return fillTemplate(template, places);
  }

  note(kind: string, data: JsonObject): void {
    const jsonObject = toJson(data) as JsonObject;
    this.#effects.note({ branch: this.path, index: this.#notes, kind, data: jsonObject });
    this.#notes += 1;
  }

  branch<T>(name: string, fn: BranchFunction<T>): Promise<T> {
    const branch = async (): Promise<T> => {
      this.#claim([name]);
      return this.#startChild(name, fn).done;
    };
    return ignoreRejection(branch());
  }

  race<T>(branches: Branches<T>): Promise<{ name: string; value: T }> {
    const race = async () => {
      const results = await this.until(branches, (ended) => ended.some(({ ok }) => ok));
      const winner = results.find((result) => result.ok);
      if (winner) return { name: winner.name, value: winner.value };
      throw results.findLast((result) => !result.ok)?.error ?? new Error('A race needs at least one branch.');
    };
    return ignoreRejection(race());
  }

  until<T>(branches: Branches<T>, enough: StopRace<T>): Promise<readonly BranchResult<T>[]> {
    return ignoreRejection(this.#until(branches, enough));
  }

  async #until<T>(branches: Branches<T>, enough: StopRace<T>): Promise<readonly BranchResult<T>[]> {
    const results: BranchResult<T>[] = [];
    let isOver = false;
    const failures: unknown[] = [];
    this.#claim(Object.keys(branches));
    const grown = Object.entries(branches).map(([name, fn]) => ({ name, ...this.#startChild(name, fn) }));
    const finish = (result: BranchResult<T>): void => {
      if (isOver) return;
      results.push(result);
      try {
        isOver = enough(results);
      } catch (error) {
        isOver = true;
        failures.push(error);
      }
      if (isOver) for (const { child } of grown) child.abort(new Abort('branch'));
    };
    // The losers are waited for: what they have in flight must be settled before the agent goes on.
    await Promise.all(
      grown.map(({ name, done }) =>
        done.then(
          (value) => finish({ name, ok: true, value }),
          (error: Error) => finish({ name, ok: false, error }),
        ),
      ),
    );
    if (failures.length > 0) throw failures[0];
    return results;
  }

  /** All names of one call, before the first of its branches exists. */
  #claim(names: readonly string[]): void {
    for (const name of names) {
      if (name === '' || /[/#]/.test(name) || !name.isWellFormed()) {
        throw new Error(
          `A branch cannot be named "${name}": a name has at least one character and no "/" or "#".`,
        );
      }
      if (this.#children.has(name)) {
        throw new Error(`There is a branch "${name}" under "${this.path}" already.`);
      }
    }
    for (const name of names) this.#children.add(name);
  }

  #startChild<T>(name: string, fn: BranchFunction<T>): { child: Branch; done: Promise<T> } {
    const path = this.path ? `${this.path}/${name}` : name;
    const shared = { effects: this.#effects, activity: this.#activity };
    const child = new Branch(path, shared, { signal: this.signal, folders: this.#folders() });
    const wakeParent = this.#activity.wait(this.path);
    this.#activity.begin(path);
    // A microtask later, so that all branches of one race exist before the first of them begins.
    const done = Promise.resolve()
      .then(() => fn(child))
      .finally(() => {
        child.abort(new Abort('branch'));
        this.#activity.end(path);
        wakeParent();
      });
    return { child, done: ignoreRejection(done) };
  }

  #folders(): ReadonlyMap<string, FolderState> {
    const own = [...this.#sessions].map(([name, { state }]) => [name, state] as const);
    return new Map([...this.#inherited, ...own]);
  }

  #next(): { position: Position; signal: AbortSignal } {
    this.#ordinal += 1;
    return { position: { branch: this.path, ordinal: this.#ordinal, attempt: 0 }, signal: this.signal };
  }
}
