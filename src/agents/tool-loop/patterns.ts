/**
 * The four patterns beside the loop, each behind its setting: `simplify`, `plan`, `reflect`, `repair`. They compose. With all of
 * them off nothing is requested, and the loop's own requests are as without this file.
 */
import type { Run } from '../../core/agent.ts';
import type { Json } from '../../core/json.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Message } from '../../core/model.ts';
import type { Problem, ToolResult } from '../../core/problem.ts';
import { modelSettings } from '../kit/asking.ts';
import { type Attempt, appendText, type CallCounts, Helper, type Statement } from './helper.ts';
import { makePlan } from './plan.ts';
import { failuresBeforeLesson, keptLessons, reflectOn } from './reflect.ts';
import { repairProgram } from './repair.ts';
import { simplify } from './simplify.ts';

export type PatternSettings = Parameters<typeof modelSettings>[0] & {
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

type Work = { readonly run: Run; readonly problem: Problem; readonly helper: Helper };

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

  constructor(work: Omit<Work, 'helper'>, settings: PatternSettings, used: CallCounts) {
    const { run } = work;
    this.#work = { ...work, helper: new Helper(run, modelSettings(settings), used) };
    this.#settings = settings;
  }

  /** What is added to the statement. */
  async beginStage(statement: Statement): Promise<string> {
    const { helper, problem } = this.#work;
    this.#statement = [...this.#statement, ...statement];
    this.#attempts = [];
    this.#failedPrograms = 0;
    this.#hasFailedAnswer = false;
    const text = this.#settings.simplify ? await simplify(helper, this.#statement, problem.spec.brief) : '';
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
    ].filter((text) => text !== '');
    return texts.length === 0 ? messages : appendText(messages, texts.join('\n\n'));
  }

  /** The result of the call, or of the corrected program. */
  async afterCall(name: string, args: Json, result: ToolResult): Promise<ToolResult> {
    const tool = this.#work.problem.tools?.find((each) => each.name === name);
    if (!tool || result.data?.rejected === true || result.advance || !isJsonObject(args)) return result;
    const program = tool.program && args[tool.program.parameter];
    const isProgram = typeof program === 'string';
    // What may not be called again hands something in; an error says that it was not judged.
    const isFailedAnswer = !tool.program && tool.repeat !== 'safe' && !result.isError;
    if (!isFailedAnswer && !(isProgram && result.isError)) return result;
    const { helper, problem } = this.#work;
    const last =
      isProgram && this.#settings.repair && helper.toolCallsLeft() >= 1
        ? await repairProgram(helper, problem.spec.brief, this.#statement, { tool, args, program, result })
        : result;
    if (isProgram && !last.isError) return last;
    this.#failedPrograms += isProgram ? 1 : 0;
    this.#hasFailedAnswer ||= isFailedAnswer;
    this.#isPlanOutdated = true;
    const call = isProgram ? program : `${name} ${JSON.stringify(args)}`;
    this.#attempts = [...this.#attempts, { call, result: last.text }];
    return last;
  }

  /** An answer in a reply, which a check did not accept. */
  addFailedAnswer(call: string, result: string): void {
    this.#hasFailedAnswer = true;
    this.#isPlanOutdated = true;
    this.#attempts = [...this.#attempts, { call, result }];
  }

  /** Whether a lesson was learned, and the conversation goes on from the beginning of its stage. Without a tool call left, none is of use. */
  async afterReply(): Promise<boolean> {
    const { helper, problem } = this.#work;
    if (helper.toolCallsLeft() < 1) return false;
    const maxFailures = failuresBeforeLesson(this.#settings.reflect);
    const isDue = maxFailures > 0 && (this.#hasFailedAnswer || this.#failedPrograms >= maxFailures);
    const lesson = isDue
      ? await reflectOn(helper, problem.spec.brief, this.#statement, this.#attempts)
      : null;
    if (lesson !== null) this.#lessons = [...this.#lessons, lesson].slice(-keptLessons);
    if (this.#settings.plan && this.#isPlanOutdated) await this.#makePlan(this.#plan);
    if (lesson !== null) this.#attempts = [];
    if (isDue) {
      this.#failedPrograms = 0;
      this.#hasFailedAnswer = false;
    }
    return lesson !== null;
  }

  async #makePlan(previous: string | null): Promise<void> {
    const { helper, problem } = this.#work;
    this.#isPlanOutdated = false;
    this.#plan = await makePlan(helper, {
      statement: this.#statement,
      brief: problem.spec.brief,
      previous,
      attempts: this.#attempts,
    });
  }
}
