/**
 * Induction by a graph: hypotheses, each a graph of its own in a branch of its own, look for the rule
 * behind the train pairs; what they make of the test inputs is put to a vote, and the attempts are its first two.
 */
import type { BranchResult, Run, Solution } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import type { Examples, Grid } from '../../core/problem.ts';
import {
  type Augmentation,
  augment,
  createAugmentations,
  restore,
  symmetries,
  unchanged,
} from '../../grids/transforms.ts';
import { note } from '../../notes/induction.ts';
import { type Another, requestAlternative } from './another.ts';
import type { Line } from './asking.ts';
import { induceProgram } from './programs.ts';
import { inductionPrompts } from './prompts.ts';
import { hypothesisCount, type InductionSettings, inductionRoles, inductionSettings } from './settings.ts';
import type { Finished } from './state.ts';
import { induceInSteps } from './steps.ts';
import { agreement, attemptsOf, type Hypothesis, rank } from './vote.ts';
import { samplesOnce } from './words.ts';

export const inductionGraph = defineAgent({
  name: 'induction-graph',
  settings: inductionSettings,
  needs: ['examples'],
  roles: inductionRoles,
  usualTurns: 16,
  prompts: inductionPrompts,
  demands: ({ images, representation }) => ({
    images,
    languages: representation === 'steps' ? undefined : ['python'],
  }),

  async solve(problem, run, settings) {
    const { examples } = problem;
    const plans = plansOf(run, settings);
    const hints: string[] = [];
    const shared = { problem, examples, settings, hints, count: plans.length };
    const branches = Object.fromEntries(
      plans.map((plan) => [plan.name, (here: Run) => induce(here, plan, shared)] as const),
    );
    const isEnough = (ended: readonly BranchResult<Finished>[]): boolean =>
      settings.agree > 0 &&
      agreement(ended.flatMap((each) => (each.ok ? [each.value] : []))) >= settings.agree;
    const results = await run.until(branches, isEnough);
    // What the others broke on is of no account once enough of them agree.
    const corrupt = results.find((result) => !result.ok);
    if (corrupt && !corrupt.ok && !isEnough(results)) throw corrupt.error;
    const hypotheses = inOrder(plans, results);
    const passing = hypotheses.filter(({ candidates }) => candidates.some(({ passed }) => passed));
    const [first] = passing;
    const isAgreed = first && agreement(hypotheses) === passing.length;
    const line = lineOf(run, { number: 1, view: unchanged }, shared);
    // What a hypothesis says of another view would be wrong of the task as it is.
    const isPlain = settings.augment === 'none' || first?.name === plans[0]?.name;
    const rule = isPlain ? first?.rule : 'It was found in another view of the task, and is not told here.';
    const alternative =
      settings.anotherRule && isAgreed
        ? await requestAlternative(line, { ...first, rule: rule ?? '' })
        : null;
    return solutionOf(run, { hypotheses, another: alternative }, settings, examples.queries.length);
  },
});

type Plan = {
  readonly name: string;
  readonly number: number;
  readonly isProgram: boolean;
  readonly view: Augmentation;
};

/** In a pool every other one is a program. */
function plansOf(run: Run, settings: InductionSettings): readonly Plan[] {
  const { representation } = settings;
  const count = hypothesisCount(settings);
  const views = viewsOf(run, settings, count);
  return Array.from({ length: count }, (_, at) => {
    const isProgram = representation === 'programs' || (representation === 'pool' && at % 2 === 0);
    const name = `${isProgram ? 'program' : 'steps'}-${at + 1}`;
    return { name, number: at + 1, isProgram, view: views[at] ?? unchanged };
  });
}

/** The first one sees the task as it is. */
function viewsOf(run: Run, { augment: kind }: InductionSettings, count: number): readonly Augmentation[] {
  if (kind === 'none') return [];
  if (kind === 'symmetries') {
    const rotate = (at: number) => symmetries[at % symmetries.length] ?? 'same';
    return Array.from({ length: count }, (_, at) => ({ ...unchanged, symmetry: rotate(at) }));
  }
  const views = createAugmentations(count, () => run.random());
  return kind === 'both' ? views : views.map((view) => ({ ...view, symmetry: 'same' as const }));
}

type Shared = Pick<Line, 'problem' | 'examples' | 'settings' | 'hints' | 'count'>;

function lineOf(run: Run, { number, view }: Pick<Plan, 'number' | 'view'>, { examples, ...rest }: Shared) {
  const rotate = (grid: Grid): Grid => augment(grid, view);
  const seen: Examples = {
    pairs: examples.pairs.map(({ input, output }) => ({ input: rotate(input), output: rotate(output) })),
    queries: examples.queries.map(rotate),
  };
  const samples = samplesOnce(seen, rest.settings);
  return { ...rest, run, number, examples: seen, samples, restore: (grid: Grid) => restore(grid, view) };
}

async function induce(run: Run, plan: Plan, shared: Shared): Promise<Finished> {
  const { number, isProgram, view } = plan;
  const line = lineOf(run, plan, shared);
  const colours = [...view.colours];
  note(run, 'hypothesis', { number, form: isProgram ? 'program' : 'steps', view: { ...view, colours } });
  const finished = isProgram ? await induceProgram(line) : await induceInSteps(line);
  const { status, detail, steps } = finished;
  note(run, 'hypothesis-end', { status, detail, steps });
  return finished;
}

/** In the order of their numbers and not of their ends. */
function inOrder(plans: readonly Plan[], results: readonly BranchResult<Finished>[]): readonly Hypothesis[] {
  return plans.flatMap(({ name }) => {
    const result = results.find((each) => each.name === name);
    return result?.ok ? [{ name, ...result.value }] : [];
  });
}

function solutionOf(
  run: Run,
  { hypotheses, another }: { readonly hypotheses: readonly Hypothesis[]; readonly another: Another | null },
  settings: InductionSettings,
  queries: number,
): Solution {
  const isOf = (from: string) => Number(from === another?.hypothesis.name);
  const ranked = rank([...hypotheses, ...(another ? [another.hypothesis] : [])], queries).map((candidates) =>
    // What was looked at and found wrong comes second.
    another?.isFirst ? candidates.toSorted((a, b) => isOf(b.from) - isOf(a.from)) : candidates,
  );
  note(run, 'vote', {
    hypotheses: hypotheses.map(({ name, status, steps }) => ({ name, status, steps })),
    agreement: agreement(hypotheses),
    queries: ranked.map((candidates) =>
      candidates.slice(0, 5).map(({ passing, votes, score, from }) => ({ passing, votes, score, from })),
    ),
  });
  const completed = hypotheses.filter(({ status }) => status === 'completed').length;
  const answer = { answer: { type: 'grids', attempts: attemptsOf(ranked, settings.attempts) } } as const;
  const detail = detailOf(hypotheses, completed);
  if (completed > 0) return { end: 'answered', ...answer, detail };
  const isRejected = hypotheses.length > 0 && hypotheses.every((each) => each.isRefused);
  const isContextFull = hypotheses.length > 0 && hypotheses.every((each) => each.isContextFull);
  const limit = isContextFull ? 'context' : undefined;
  return { end: isRejected ? 'refused' : 'gave-up', limit, ...answer, detail };
}

function detailOf(hypotheses: readonly Hypothesis[], completed: number): string {
  const noun = hypotheses.length === 1 ? 'hypothesis reproduces' : 'hypotheses reproduce';
  const reasons = hypotheses.flatMap(({ name, status, detail, steps }) => {
    const why = detail && ` ${detail}`;
    if (status === 'failed_max_steps') return [`${name} has used up all ${steps} steps.${why}`];
    return detail ? [`${name}: ${detail}`] : [];
  });
  return [`${completed} of ${hypotheses.length} ${noun} the train pairs.`, ...reasons].join(' ');
}
