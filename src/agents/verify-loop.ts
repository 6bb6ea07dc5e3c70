/**
 * The solver–verifier loop for proofs (Huang and Yang 2025): solve, improve, then verify and correct until a proof has
 * passed five verifications in a row. Each attempt is a branch; each correction starts from a fresh context.
 */
import type { Agent, Run, Solution } from '../core/agent.ts';
import { EffectFailed, LimitReached, requireReply } from '../core/errors.ts';
import { type Message, type ModelSettings, textOf } from '../core/model.ts';
import type { Problem } from '../core/problem.ts';
import { note } from './proof/note.ts';
import { cutBefore, cutBehind, sectionFrom, textBefore } from './sections.ts';
import { verifyLoopPrompts } from './verify-loop.prompts.ts';
import { type VerifyLoopSettings, verifyLoopSettings } from './verify-loop-settings.ts';

export const verifyLoop: Agent<VerifyLoopSettings> = {
  name: 'verify-loop',
  settings: verifyLoopSettings as Agent<VerifyLoopSettings>['settings'],
  needs: [],
  roles: ['solver', 'grader', 'judge'],
  // A proof that is found costs 18 to 120 calls in the published runs.
  usualTurns: 40,
  prompts: verifyLoopPrompts,

  async solve(problem: Problem, run: Run, settings: VerifyLoopSettings): Promise<Solution> {
    const best = new Best();
    const hints = [...settings.hints];
    for (let number = 1; number <= settings.attempts; number += 1) {
      const end = await run.branch(`attempt-${number}`, (here) =>
        attempt({ problem, run: here, settings, hints, best }, number),
      );
      if (end.kind === 'accepted') return { end: 'answered', answer: { type: 'text', text: end.solution } };
      run.note('attempt-end', { attempt: number, ...best.told(end.kind) });
      if (end.kind === 'limit') return best.partial(`A limit was reached in attempt ${number}, ${end.how}.`);
    }
    return best.partial(
      `None of ${settings.attempts} attempts passed ${settings.passes} verifications in a row.`,
    );
  },
};

type Attempt = {
  readonly problem: Problem;
  readonly run: Run;
  readonly settings: VerifyLoopSettings;
  readonly hints: string[];
  readonly best: Best;
};

type AttemptEnd =
  | { readonly kind: 'accepted'; readonly solution: string }
  | { readonly kind: 'failures' | 'iterations' }
  | { readonly kind: 'limit'; readonly how: string };

async function attempt(context: Attempt, number: number): Promise<AttemptEnd> {
  const { run, settings, best } = context;
  let passes = 1;
  let failures = 0;
  let iteration = 0;
  try {
    let solution = await improved(context, await firstSolution(context));
    let review = await verify(context, solution);
    for (; iteration < settings.iterations; iteration += 1) {
      note(run, 'counters', { attempt: number, iteration, passes, failures });
      await takeHints(context, { attempt: number, iteration });
      if (!review.pass) {
        passes = 0;
        failures += 1;
        // The original counts an iteration whose call failed, and goes on with what it has.
        const corrected = await orFailed(context, () => correct(context, solution, review));
        if (corrected === null) continue;
        solution = corrected;
      }
      const next = await orFailed(context, () => verify(context, solution));
      if (next === null) continue;
      review = next;
      if (review.pass) {
        passes += 1;
        failures = 0;
      }
      best.saw(solution.text, { attempt: number, passes: review.pass ? passes : 0 });
      if (passes >= settings.passes) return { kind: 'accepted', solution: solution.text };
      if (failures >= settings.failures) return { kind: 'failures' };
    }
    return { kind: 'iterations' };
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return {
      kind: 'limit',
      how: `iteration ${iteration}, with ${passes} passes and ${failures} failures in a row`,
    };
  }
}

/** What the solver last sent: the whole reply goes back to it, its proof goes to the grader. */
type Draft = { readonly text: string; readonly proof: string; readonly rebuttal?: string };
type Review = { readonly pass: boolean; readonly report: string; readonly bugReport: string };

async function firstSolution(context: Attempt): Promise<string> {
  return said(context, 'solver', question(context));
}

async function improved(context: Attempt, first: string): Promise<Draft> {
  const messages = [...question(context), assistant(first), user(context.run.prompt('improve'))];
  return draft(context, messages);
}

/** From a fresh context: the problem, the proof as it stands, the report. Nothing of earlier rounds. */
async function correct(context: Attempt, { text, proof }: Draft, { bugReport }: Review): Promise<Draft> {
  const instructions = context.run.prompt('correct', { report: bugReport });
  const messages = [...question(context), assistant(text), user(instructions)];
  const reply = await said(context, 'solver', messages);
  const rebuttal = sectionFrom(reply, 'Rebuttal');
  const isProof = sectionFrom(reply, 'Detailed Solution') !== null;
  // A reply that only defends the proof must not lose it.
  if (rebuttal !== null && !isProof) return { text, proof, rebuttal };
  return draft(context, messages, reply);
}

/** Asks once more where a reply holds no proof. */
async function draft(context: Attempt, messages: readonly Message[], reply?: string): Promise<Draft> {
  const text = reply ?? (await said(context, 'solver', messages));
  if (context.settings.compat.sections === 'substring')
    return { text, proof: cutBehind(text, 'Detailed Solution') };
  const proof = sectionFrom(text, 'Detailed Solution');
  if (proof !== null) return { text, proof };
  context.run.note('missing-section', {});
  const again = await said(context, 'solver', [
    ...messages,
    assistant(text),
    user(context.run.prompt('section')),
  ]);
  return { text: again, proof: sectionFrom(again, 'Detailed Solution') ?? again };
}

async function verify(context: Attempt, { proof, rebuttal }: Draft): Promise<Review> {
  const { run, settings, problem } = context;
  const places = {
    problem: statementOf(problem),
    solution: proof,
    rebuttal: rebuttal === undefined ? '' : run.prompt('rebuttal', { rebuttal }),
  };
  const report = await said(context, 'grader', [
    { role: 'system', content: run.prompt('grader') },
    user(run.prompt('grade', places)),
  ]);
  const pass = await verdictOn(context, report);
  const bugReport = pass ? '' : bugReportIn(report, settings);
  run.note('review', { pass, bugReport });
  return { pass, report, bugReport };
}

/** What the solver is sent: the findings, without the log of the check. */
function bugReportIn(report: string, { compat }: VerifyLoopSettings): string {
  if (compat.sections === 'headings') return textBefore(report, 'Detailed Verification(?: Log)?');
  const summary = compat.reportFrom === 'start' ? 0 : report.search(/(?:### )?Summary/);
  return summary < 0 ? '' : cutBefore(report.slice(summary), 'Detailed Verification');
}

async function verdictOn(context: Attempt, report: string): Promise<boolean> {
  const { run, settings } = context;
  const asked = [user(run.prompt('verdict', { report }))];
  const reply = await said(context, 'judge', asked);
  if (settings.compat.verdict === 'substring') return /yes/i.test(reply);
  const verdict = yesOrNo(reply);
  if (verdict !== null) return verdict;
  const again = await said(context, 'judge', [...asked, assistant(reply), user(run.prompt('verdictAgain'))]);
  // What is no clear yes is none.
  return yesOrNo(again) ?? false;
}

/** "Yes, but …" is no yes. */
export function yesOrNo(reply: string): boolean | null {
  const [, word] = /^[\s*_"'`]*(yes|no)[\s*_"'`.!]*$/i.exec(reply) ?? [];
  return word === undefined ? null : word.toLowerCase() === 'yes';
}

async function takeHints({ run, hints }: Attempt, at: { attempt: number; iteration: number }): Promise<void> {
  for (const hint of await run.inbox()) {
    hints.push(hint);
    run.note('hint', { hint, ...at });
  }
}

/** Each hint is a turn of its own (FACTS of the original). */
function question({ problem, run, hints }: Attempt): Message[] {
  return [
    { role: 'system', content: run.prompt('solver') },
    { role: 'user', content: problem.face.statement },
    ...hints.map((hint) => user(run.prompt('hint', { hint }))),
  ];
}

async function said({ run, settings }: Attempt, role: string, messages: readonly Message[]): Promise<string> {
  const { temperature, maxOutputTokens } = settings;
  const asked: ModelSettings = { temperature, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) };
  const reply = requireReply(await run.generate(role, { messages, settings: asked }));
  return textOf(reply.message);
}

async function orFailed<T>({ settings }: Attempt, work: () => Promise<T>): Promise<T | null> {
  if (settings.compat.failedCalls === 'end') return work();
  try {
    return await work();
  } catch (error) {
    if (error instanceof EffectFailed) return null;
    throw error;
  }
}

function statementOf({ face }: Problem): string {
  return face.statement.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n');
}

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });

/** The proof that came farthest, for when none is accepted. */
class Best {
  #text: string | null = null;
  #passes = -1;
  #attempt = 0;

  saw(text: string, { attempt: number, passes }: { attempt: number; passes: number }): void {
    if (passes < this.#passes) return;
    this.#text = text;
    this.#passes = passes;
    this.#attempt = number;
  }

  told(end: string) {
    return { end, bestAttempt: this.#attempt, bestPasses: Math.max(0, this.#passes) };
  }

  partial(detail: string): Solution {
    const how =
      this.#text === null
        ? ''
        : ` Handed in is the proof of attempt ${this.#attempt}, with ${this.#passes} passes in a row.`;
    const answer = this.#text === null ? {} : { answer: { type: 'text' as const, text: this.#text } };
    return { end: 'gave-up', detail: `${detail}${how}`, ...answer };
  }
}
