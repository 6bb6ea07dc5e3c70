/**
 * The `Run` that an agent is handed: one object a branch. It gives out ordinals, opens branches and cancels them, and
 * leaves what each effect does to `effects/`. It knows nothing of journals.
 */
import type { BranchFunction, BranchResult, Limits, Run } from '../core/agent.ts';
import type { Position } from '../core/event.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { ModelFailure, ModelRequest, ModelSuccess } from '../core/model.ts';
import type { Answer, Evaluation, ToolResult, Verdict } from '../core/problem.ts';
import { fillPlaces } from '../core/prompts.ts';
import type { ExecRequest, ExecResult } from '../core/sandbox.ts';
import type { Effects } from './effects.ts';
import { Abort } from './engine.ts';
import { chanceOf } from './hash.ts';

export class Branch implements Run {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly #effects: Effects;
  readonly #controller = new AbortController();
  readonly #children = new Set<string>();
  readonly #calls = new Map<string, number>();
  #ordinal = 0;
  #draws = 0;
  #notes = 0;

  constructor(path: string, effects: Effects, parent: AbortSignal | null) {
    this.path = path;
    this.#effects = effects;
    this.signal = this.#controller.signal;
    if (parent?.aborted) this.#controller.abort(parent.reason);
    parent?.addEventListener('abort', () => this.#controller.abort(parent.reason), {
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

  generate(role: string, request: ModelRequest): Promise<ModelSuccess | ModelFailure> {
    const index = this.#calls.get(role) ?? 0;
    this.#calls.set(role, index + 1);
    return this.#effects.generate({ role, request, index, ...this.#next() });
  }

  exec(request: ExecRequest): Promise<ExecResult> {
    return this.#effects.exec(request, this.#next());
  }

  tool(name: string, args: Json): Promise<ToolResult> {
    return this.#effects.tool({ name, args, ...this.#next() });
  }

  check(answer: Answer): Promise<Verdict> {
    return this.#effects.check(answer, this.#next());
  }

  evaluate(source: string, cases: readonly string[]): Promise<Evaluation> {
    return this.#effects.evaluate({ source, cases, ...this.#next() });
  }

  ask(question: string): Promise<string> {
    return this.#effects.ask(question, this.#next());
  }

  inbox(): Promise<readonly string[]> {
    return this.#effects.inbox(this.#next());
  }

  now(): Promise<number> {
    return this.#effects.now(this.#next());
  }

  random(): number {
    this.#draws += 1;
    return chanceOf(`${this.#effects.seed}\n${this.path}\n${this.#draws}`);
  }

  prompt(name: string, places: Readonly<Record<string, string>> = {}): string {
    const template = this.#effects.prompts[name];
    if (template === undefined) throw new Error(`The agent has no prompt named ${name}.`);
    return fillPlaces(template, places);
  }

  note(kind: string, data: JsonObject): void {
    this.#effects.note({ branch: this.path, index: this.#notes, kind, data });
    this.#notes += 1;
  }

  branch<T>(name: string, fn: BranchFunction<T>): Promise<T> {
    return this.#grow(name, fn).done;
  }

  async race<T>(branches: Readonly<Record<string, BranchFunction<T>>>): Promise<{ name: string; value: T }> {
    const results = await this.until(branches, (ended) => ended.some((result) => result.ok));
    const winner = results.find((result) => result.ok);
    if (winner) return { name: winner.name, value: winner.value };
    throw results.findLast((result) => !result.ok)?.error ?? new Error('A race needs at least one branch.');
  }

  async until<T>(
    branches: Readonly<Record<string, BranchFunction<T>>>,
    enough: (results: readonly BranchResult<T>[]) => boolean,
  ): Promise<readonly BranchResult<T>[]> {
    const results: BranchResult<T>[] = [];
    let isOver = false;
    const grown = Object.entries(branches).map(([name, fn]) => ({ name, ...this.#grow(name, fn) }));
    const finish = (result: BranchResult<T>): void => {
      if (isOver) return;
      results.push(result);
      isOver = enough(results);
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
    return results;
  }

  #grow<T>(name: string, fn: BranchFunction<T>): { child: Branch; done: Promise<T> } {
    if (name === '' || name.includes('/') || name.includes('#')) {
      throw new Error(
        `A branch cannot be named "${name}": a name has at least one character and no "/" or "#".`,
      );
    }
    if (this.#children.has(name))
      throw new Error(`There is a branch "${name}" under "${this.path}" already.`);
    this.#children.add(name);
    const child = new Branch(this.path ? `${this.path}/${name}` : name, this.#effects, this.signal);
    // A microtask later, so that all branches of one race exist before the first of them begins.
    const done = Promise.resolve()
      .then(() => fn(child))
      .finally(() => child.abort(new Abort('branch')));
    return { child, done };
  }

  #next(): { position: Position; signal: AbortSignal } {
    this.#ordinal += 1;
    return { position: { branch: this.path, ordinal: this.#ordinal, attempt: 0 }, signal: this.signal };
  }
}
