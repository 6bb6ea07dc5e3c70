/**
 * The four patterns beside the loop, each behind its setting: `simplify`, `plan`, `reflect`, `repair`. They compose. With all of
 * them off nothing is requested, and the loop's own requests are as without this file.
 */
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Message } from '../../core/model.ts';
import type { ToolResult } from '../../core/problem.ts';
import { type Attempt, appendText, type Statement, toolCallsLeft, type Work } from './helper.ts';
import { makePlan } from './plan.ts';
import { failuresBeforeLesson, keptLessons, reflectOn } from './reflect.ts';
import { repairProgram } from './repair.ts';
import { simplify } from './simplify.ts';

export type PatternSettings = {
  readonly simplify: boolean;
  readonly plan: boolean;
  readonly reflect: string;
  readonly repair: boolean;
};

/** Of two stages with two failures, for estimates. */
export function usualHelperCalls({ simplify, plan, reflect, repair }: PatternSettings): number {
  return (
    2 * Number(simplify) + 4 * Number(plan) + Number(failuresBeforeLesson(reflect) > 0) + 2 * Number(repair)
  );
}

export class Patterns {
  readonly #work: Work;
  readonly #settings: PatternSettings;
  #statement: Statement = [];
  #plan: string | null = null;
  #lessons: readonly string[] = [];
  /** Since the stage began, or since the last lesson. */
  #attempts: readonly Attempt[] = [];
  #failedPrograms = 0;
  #hasFailedAnswer = false;
  #isPlanOutdated = false;

  constructor(work: Work, settings: PatternSettings) {
    this.#work = work;
    this.#settings = settings;
  }

  /** What is added to the statement. */
  async beginStage(statement: Statement): Promise<string> {
    const solved = this.#work.run.prompt('solvedBefore');
    const before =
      this.#statement.length === 0 ? [] : [...this.#statement, { type: 'text', text: solved } as const];
    this.#statement = [...before, ...statement];
    this.#attempts = [];
    this.#forgetFailures();
    const text = this.#settings.simplify ? await simplify(this.#work, this.#statement) : '';
    if (this.#settings.plan) await this.#makePlan(null);
    return text;
  }

  /** The messages with the current plan and lessons behind them. */
  beside(messages: readonly Message[]): readonly Message[] {
    const { run } = this.#work;
    const lessons = this.#lessons.map((lesson) => `- ${lesson}`).join('\n');
    const texts = [
      this.#plan === null ? '' : run.prompt('currentPlan', { plan: this.#plan }),
      lessons === '' ? '' : run.prompt('lessons', { lessons }),
    ];
    return appendText(messages, texts.filter((text) => text !== '').join('\n\n'));
  }

  /** The result of the call, or of the corrected program. */
  async afterCall(name: string, args: Json, result: ToolResult): Promise<ToolResult> {
    const work = this.#work;
    const tool = work.problem.tools?.find((each) => each.name === name);
    if (!tool || result.data?.rejected === true || result.advance || !isJsonObject(args)) return result;
    const program = tool.program && args[tool.program.parameter];
    if (typeof program !== 'string' || !result.isError) {
      // What may not be called again hands something in; an error says that it was not judged.
      const isJudged = !tool.program && tool.repeat !== 'safe' && !result.isError;
      if (isJudged) this.addFailedAnswer(`${name} ${JSON.stringify(args)}`, result.text);
      return result;
    }
    const last =
      this.#settings.repair && toolCallsLeft(work) >= 1
        ? await repairProgram(work, this.#statement, { tool, args, program, result })
        : result;
    if (!last.isError) return last;
    this.#failedPrograms += 1;
    this.#addAttempt({ call: program, result: last.text });
    return last;
  }

  addFailedAnswer(call: string, result: string): void {
    this.#hasFailedAnswer = true;
    this.#addAttempt({ call, result });
  }

  #addAttempt(attempt: Attempt): void {
    this.#isPlanOutdated = true;
    this.#attempts = [...this.#attempts, attempt];
  }

  /** Whether a lesson was learned, and the conversation goes on from the beginning of its stage. Without a tool call left, none is of use. */
  async afterReply(): Promise<boolean> {
    const work = this.#work;
    if (toolCallsLeft(work) < 1) return false;
    const maxFailures = failuresBeforeLesson(this.#settings.reflect);
    const isDue = maxFailures > 0 && (this.#hasFailedAnswer || this.#failedPrograms >= maxFailures);
    const lesson = isDue ? await reflectOn(work, this.#statement, this.#attempts) : null;
    if (this.#settings.plan && this.#isPlanOutdated) await this.#makePlan(this.#plan);
    if (isDue) this.#forgetFailures();
    if (lesson === null) return false;
    this.#lessons = [...this.#lessons, lesson].slice(-keptLessons);
    this.#attempts = [];
    return true;
  }

  #forgetFailures(): void {
    this.#failedPrograms = 0;
    this.#hasFailedAnswer = false;
  }

  async #makePlan(previous: string | null): Promise<void> {
    this.#isPlanOutdated = false;
    const attempts = this.#attempts;
    this.#plan = await makePlan(this.#work, this.#statement, { previous, attempts });
  }
}
