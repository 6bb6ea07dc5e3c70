/** What is handed in: the program in a model's reply, and its score over the cases as the contest counts them. */
import type { Answer, EffectContext, Grade, Mismatch, Submission } from '../../../core/problem.ts';
import { type ProgramEvaluation, pointsOf } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { codeBlocks, selectProgram } from '../../../text/code-blocks.ts';
import { type Contest, sourceLimitBytes } from '../workspace.ts';
import type { ContestInfo } from './facts.ts';
import { type ContestProblem, measureProgram } from './measure.ts';

/** Neither right nor wrong, unless nothing of it works. */
export async function gradeProgram(
  problem: ContestProblem,
  { answer, withinMs }: Submission,
  context: EffectContext,
): Promise<Grade> {
  if (answer?.type !== 'source') {
    const explanation = answer ? 'The answer is no program.' : 'No program was handed in.';
    return { correct: false, explanation };
  }
  const { cases: names, contest } = problem.facts;
  const isEnough = timeOver(context, withinMs);
  const asked = { source: answer.source, names, isEnough };
  const { evaluation, best } = await measureProgram(problem, asked, context);
  const { compiled, message, backend } = evaluation;
  // What a busy machine left open is worth neither something nor nothing.
  const cases = evaluation.cases.filter(({ verdict }) => verdict !== 'NJ');
  if (!compiled) {
    const explanation = `It does not compile: ${message.split('\n')[0]}`;
    return { correct: false, explanation, data: { backend } };
  }
  const { length: failed } = cases.filter(({ verdict }) => verdict !== 'AC');
  const score = scoreOf({ cases }, best, contest);
  return {
    score: score ?? undefined,
    correct: failed === cases.length && cases.length === evaluation.cases.length ? false : undefined,
    explanation: explanationOf(
      score,
      { cases, unjudged: evaluation.cases.length - cases.length },
      problem.facts,
    ),
    data: { backend, failed, cases: [...cases] },
  };
}

/** Fewer would say too little of it, however late it is. */
const fewest = 10;

/** Once it was so, it stays so: what is in flight then may still end. */
function timeOver({ io }: EffectContext, withinMs: number | undefined) {
  if (withinMs === undefined) return undefined;
  const endMs = io.clock.now() + withinMs;
  let isOver = false;
  return (done: number): boolean => {
    isOver ||= done >= fewest && io.clock.now() >= endMs;
    return isOver;
  };
}

/**
 * The mean of the cases; of a contest with relative scores in points of 10^9. A case that is not AC is worth nothing,
 * which is no number where less is better and scores are added up as they are.
 */
export function scoreOf(
  { cases }: Pick<ProgramEvaluation, 'cases'>,
  best: Readonly<Record<string, number>>,
  contest: Contest,
): number | null {
  const isRelative = contest.scoring === 'relative';
  const points = cases.map((each) => pointsOf(each, contest, best[each.name] ?? null));
  if (cases.every(({ score }) => score === null)) return null;
  if (isRelative) return Math.round(1e9 * (mean(points.map((each) => each ?? 0)) ?? 0));
  if (contest.direction === 'minimise' && points.includes(null)) return null;
  return mean(cases.map(({ score }) => score ?? 0));
}

function explanationOf(
  score: number | null,
  { cases, unjudged }: Pick<ProgramEvaluation, 'cases'> & { readonly unjudged: number },
  { contest, cases: requests }: ContestInfo,
): string {
  const unit = contest.scoring === 'relative' ? ' points of 1,000,000,000 for the best known' : '';
  const text = score?.toLocaleString('en-US', { maximumFractionDigits: 2 });
  const worth = text === undefined ? 'It has no score' : `Mean ${text}${unit}`;
  const failed = cases.filter(({ verdict }) => verdict !== 'AC');
  const [first] = failed;
  const verdicts = first
    ? `${failed.length} not AC, the first is ${first.name}: ${first.verdict} ${first.message}`.trim()
    : 'all AC';
  const { length } = cases;
  const many =
    length + unjudged < requests.length
      ? `${length} of ${requests.length} cases, for want of time`
      : unjudged > 0
        ? `${length} of ${requests.length} cases, for the machine was too busy to judge the others`
        : `${requests.length} cases`;
  return `${worth} over ${many}; ${verdicts}.`;
}

const cpp = /^(c\+\+|cpp|cc|cxx|c)?(\d+)?$/i;

/** Of the blocks that have a `main`, the one that is meant: before it stand drafts and pieces. */
export function programIn(reply: string): Answer | Mismatch {
  const { blocks, isOpen } = blocksOf(reply);
  const isBare = blocks.length === 0 && !isOpen && hasMain(reply);
  const source = selectProgram(blocks.filter(hasMain)) ?? (isBare ? bare(reply) : undefined);
  if (source === undefined)
    return programMismatch(isOpen ? 'cut' : blocks.length > 0 ? 'no main' : 'no block');
  if (new TextEncoder().encode(source).length > sourceLimitBytes) return programMismatch('too long');
  return { type: 'source', language: 'cpp', source };
}

/** A block that is not closed is cut off, unless all its braces are. */
function blocksOf(reply: string): { readonly blocks: readonly string[]; readonly isOpen: boolean } {
  const all = codeBlocks(reply.replaceAll('\r\n', '\n'));
  const whole = all.filter(({ isClosed, code }) => isClosed || isBalanced(code));
  const blocks = whole.filter(({ language }) => cpp.test(language)).map(({ code }) => `${code.trimEnd()}\n`);
  return { blocks, isOpen: whole.length < all.length };
}

function isBalanced(code: string): boolean {
  return code.trimEnd().endsWith('}') && code.split('{').length === code.split('}').length;
}

function hasMain(source: string): boolean {
  return /\bmain\s*\(/.test(source) && /#\s*include|\bimport\s+std\b/.test(source);
}

/** A program and nothing else, without a fence around it; words before it are no part of it. */
function bare(reply: string): string | undefined {
  const from = reply.search(/^[ \t]*(\/\/|\/\*|#)/m);
  return from < 0 ? undefined : `${reply.slice(from).trim()}\n`;
}

const feedback = {
  cut: 'The block of code is not closed: the reply was cut off, or its last fence is missing.',
  'no main': 'No block of code is a whole program: none has both an #include and a main.',
  'no block': 'There is no block of code.',
  'too long': `The program is longer than the judge takes (${sourceLimitBytes} bytes).`,
} as const;

function programMismatch(why: keyof typeof feedback): Mismatch {
  return {
    type: 'misfit',
    feedback: `${feedback[why]} Send one complete C++ program, in one block fenced by \`\`\`cpp and \`\`\`.`,
  };
}
