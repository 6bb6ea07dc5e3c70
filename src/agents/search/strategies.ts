/** Strategies: the user's, else a model's, asked for once more where the reply cannot be read, else the usual ones. */

import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { cutFeedback } from '../../core/cut-off.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Problem } from '../../core/problem.ts';
import { type EvolutionNotes, type Strategy, write } from '../../notes/evolution.ts';
import { type ProblemAnalysis, problemAnalysis } from '../../notes/problem-analysis.ts';
import { modelSettings, outputForm, user } from '../kit/asking.ts';
import { firstMessages, objectIn, type Rejected, requestReply } from './asking.ts';
import { familyNamed, familyOf } from './population.ts';
import type { EvolutionSettings } from './settings.ts';
import { knownEntries, type Sources, sourcesOf } from './sources.ts';

export const strategyPrompts = {
  devise: `{{analysis}}{{sources}}

Name {{count}} strategies for this problem. Each is followed by a separate line of search that knows nothing of the others, so they must differ in what the program does, not in its details: another state, another neighbourhood, another order in which decisions are made. Two annealers over the same solution are one strategy.{{known}}

For each:
- "name": short.
- "family": the algorithm at its heart, in one or two words: simulated annealing, beam search, greedy construction, hill climbing, dynamic programming, monte carlo, constraint propagation, flow or matching, decomposition …
- "idea": how it goes here: what a state is, what the moves or extensions are, how the score is updated in O(small), what is computed before the clock starts, what is done with the last tenth of the time. Somebody must be able to write the program from it.
- "reasons": why it should do well here: sizes, steps a second that the time limit allows, shape of the score; and what it would fail on.
- "library": names in the algorithm library that the program should include; none if none helps.
- "contests": ids of past contests whose approaches it borrows; none if none fits.

The strongest first. Reply with one JSON object {"strategies": [...]} and nothing else.`,
  fields: `What this problem is, field by field:

{{fields}}

`,
  strategySources: `Algorithm library (a program that says #include "NAME.hpp" gets the code put in):
{{library}}

Past contests like this one, and what did well in them:
{{contests}}`,
  strategyKnown: `

These are followed already; yours differ from them as much as from one another:
{{known}}`,
  strategiesUnreadable: `The reply holds no strategy of the form that was asked for.

Send the whole object again with {{count}} strategies, and nothing else.`,
};

type StrategyRequest = {
  readonly settings: EvolutionSettings;
  /** How many are wanted. */
  readonly count: number;
  /** Strategies that are followed already: new ones differ from them. */
  readonly known: readonly Strategy[];
  readonly rejected?: Rejected<readonly Strategy[]>;
};

/** As many as are wanted, or fewer. Notes them behind the known ones, as `strategies`. */
export async function requestStrategies(
  run: Run,
  problem: Problem,
  analysis: ProblemAnalysis,
  strategyRequest: StrategyRequest,
): Promise<readonly Strategy[]> {
  const { settings, count, known, rejected } = strategyRequest;
  const input = (rejected ? [] : (settings.strategies ?? [])).filter(
    ({ name }) => !known.some((each) => each.name === name),
  );
  const found: Found =
    input.length > 0
      ? { strategies: input.slice(0, count), origin: 'given' }
      : await promptStrategies(
          { run, devising: strategyRequest, sources: await sourcesOf(run, problem) },
          problem,
          analysis,
        );
  write(run, 'strategies', { ...found, strategies: [...known, ...found.strategies] });
  return found.strategies;
}

type Task = { readonly run: Run; readonly devising: StrategyRequest; readonly sources: Sources };

type Found = EvolutionNotes['strategies'];

function questionOf({ run, devising, sources }: Task, analysis: ProblemAnalysis): string {
  const { count, known, rejected } = devising;
  const { settings } = devising;
  const { library, contests } = sources;
  const isEmpty = library === '' && contests === '';
  const question = run.prompt('devise', {
    analysis: fieldsText(run, settings, analysis),
    count: String(count),
    sources: isEmpty
      ? ''
      : run.prompt('strategySources', {
          library: library || 'empty.',
          contests: contests || 'none is known.',
        }),
    known: known.length === 0 ? '' : run.prompt('strategyKnown', { known: formatStrategies(known) }),
  });
  if (!rejected) return question;
  const { before, reason } = rejected;
  return `${question}\n\n${run.prompt('rejectedBefore', { before: formatStrategies(before), reason })}`;
}

/** Of a model's analysis what the statement before it does not say; of its user's all, for it may correct the statement. */
export function fieldsText(
  run: Run,
  { analysis: own, confirm }: Pick<EvolutionSettings, 'analysis' | 'confirm'>,
  analysis: ProblemAnalysis,
): string {
  const isTheirs = own !== null || confirm;
  const isSaid = (name: string): boolean =>
    !isTheirs && name !== 'problem_type_tags' && name in problemAnalysis.shape;
  const fields = Object.entries(analysis).filter(([name, value]) => !isSaid(name) && !isEmpty(value));
  if (fields.length === 0) return '';
  return run.prompt('fields', { fields: JSON.stringify(Object.fromEntries(fields)) });
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const text = z.string().trim();

const proposed = z.object({
  name: text.min(1),
  family: text.default(''),
  idea: text.min(1),
  reasons: text.default(''),
  library: z.array(text).default([]),
  contests: z.array(text).default([]),
});

/** `family`: its name, of the known ones where it is one. */
type ProposedStrategy = z.infer<typeof proposed>;

const listed = z.object({ strategies: z.array(proposed).min(1) });

const output = outputForm('strategies', listed, { io: 'input', repair: false });

/** The first reply, and a second one where the first cannot be read. */
async function promptStrategies(task: Task, problem: Problem, analysis: ProblemAnalysis): Promise<Found> {
  const { run, devising } = task;
  const messages = [...firstMessages(run, problem), user(questionOf(task, analysis))];
  const question = { role: 'strategist', settings: modelSettings(devising.settings), output } as const;
  const first = await requestReply(run, { ...question, messages });
  if (!first.ok) return filledUp(task, [], 'fallback');
  const proposals = proposalsIn(objectIn(first));
  if (proposals.length > 0) return filledUp(task, proposals, 'model');
  const error = cutFeedback(first) ?? run.prompt('strategiesUnreadable', { count: String(devising.count) });
  const second = await requestReply(run, {
    ...question,
    messages: [...messages, first.message, user(error)],
  });
  const corrected = second.ok ? proposalsIn(objectIn(second)) : [];
  return filledUp(task, corrected, corrected.length === 0 ? 'fallback' : 'corrected');
}

function proposalsIn(object: JsonObject | null): readonly ProposedStrategy[] {
  const list = Array.isArray(object?.strategies) ? object.strategies : [];
  return list.flatMap((each) => {
    const { data } = proposed.safeParse(each);
    return data ? [{ ...data, family: familyNamed(data.family || familyOf(data)) }] : [];
  });
}

function uniqueProposals(
  proposals: readonly ProposedStrategy[],
  { known }: StrategyRequest,
): readonly ProposedStrategy[] {
  const families = new Set(known.map(familyOf));
  return proposals.filter(({ family }) => {
    const isNew = !families.has(family);
    families.add(family);
    return isNew;
  });
}

/** The proposals of different families, filled up with usual strategies of other families. */
function filledUp(
  { devising, sources }: Task,
  proposals: readonly ProposedStrategy[],
  origin: Found['origin'],
) {
  const { count, known } = devising;
  const strategies = uniqueProposals(proposals, devising).map(({ family: _, library, ...each }) => ({
    ...each,
    library: [...knownEntries(library, sources.entries)],
  }));
  const families = new Set([...known, ...strategies].map(familyOf));
  const siblings = usualStrategies.filter((each) => !families.has(familyOf(each)));
  return { strategies: [...strategies, ...siblings].slice(0, count), origin };
}

function formatStrategies(strategies: readonly Strategy[]): string {
  return strategies
    .map(({ name, idea, reasons, library, contests }, at) =>
      [
        `${at + 1}. ${name}: ${idea}`,
        ...(reasons ? [`   Why: ${reasons}`] : []),
        ...(library.length > 0 ? [`   Library: ${library.join(', ')}`] : []),
        ...(contests.length > 0 ? [`   Past contests: ${contests.join(', ')}`] : []),
      ].join('\n'),
    )
    .join('\n');
}

/** What takes the place of strategies that a model did not name. */
export const usualStrategies: readonly Strategy[] = [
  ['Simulated annealing', 'Small moves from a valid solution, with differences of the score computed fast.'],
  ['Greedy construction', 'A greedy construction whose order and weights are randomised and repeated.'],
  ['Beam search', 'A beam over partial solutions, with an evaluation that looks ahead.'],
  ['Decomposition', 'Parts solved one by one, then joined and improved at their borders.'],
].map(([name = '', idea = '']) => ({ name, idea, reasons: '', library: [], contests: [] }));
