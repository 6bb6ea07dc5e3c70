/** What a search learns from its candidates and from earlier sessions, and the wording that it chooses by it. */

import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { describeCut } from '../../core/cut-off.ts';
import { mean } from '../../core/statistics/bootstrap.ts';
import { write } from '../../notes/evolution.ts';
import { modelSettings, user } from '../kit/asking.ts';
import { ask, line, Meter, objectIn, opening, type Spent } from './asking.ts';
import { standingText } from './frame.ts';
import type { Program } from './population.ts';
import { ofUseIn, type Search, scaleOf, type Wording, type WordingKind } from './search.ts';
import { offered } from './sources.ts';
import { insightsText, outcomeText, readInsights } from './tried.ts';

/** Records a settled candidate: the attempt, what it gained and cost, and its place in the archive. */
export function learnFrom(search: Search, program: Program, spent: Spent): void {
  const { id, parents, operator, summary, status, island, outcomes, parameters } = program;
  const gain = gainOf(search, program);
  if (parents.length > 0) search.tried.add({ id, parents, operator, summary, status, island, gain });
  if (status === 'evaluated') search.archive.add(program, search.root, scaleOf(search));
  // Trials run on an eighth of the cases, and on more while they are ahead: about a quarter in all.
  const trials = operator === 'tune' ? (search.settings.tuneEvaluations * search.cases.search.length) / 4 : 0;
  const cost = search.choices.costs.of(spent, outcomes.length + trials);
  search.choices.operators.learn(operator, { gain, cost });
  const { role } = parameters;
  const arm = armOf(program);
  if (arm !== null) search.choices.wordings.learn(arm, { gain, cost });
  // What a first program costs says nothing of changes.
  if (typeof role === 'string' && parents.length > 0) search.choices.proposers.learn(role, { gain, cost });
}

/** Mean points against its parent on the cases of both; null where one of them was not run on all. */
function gainOf({ points, settings, programs }: Search, { status, parents, outcomes }: Program) {
  const parent = programs.find(({ id }) => id === parents[0]);
  if (status !== 'evaluated' || !parent) return null;
  return mean(points.differences(parent.outcomes, outcomes, settings) ?? []);
}

/** Words of the user or of earlier sessions, drawn evenly or chosen by gain per cost; null: the search's own. */
export function chosenWording(search: Search, run: Run, kind: WordingKind): Wording | null {
  const own = ownWordings(search, kind);
  if (search.settings.wordingChoice === 'even') return drawnFrom(own, run);
  const all = [...own, ...search.adopted.filter((each) => each.kind === kind)];
  if (all.length === 0) return null;
  // The search's own words compete with the others.
  const arms = new Map<string, Wording | null>([
    ...all.map((each) => [nameOfArm(kind, each.words), each] as const),
    [nameOfArm(kind, ''), null] as const,
  ]);
  return arms.get(search.choices.wordings.choose([...arms.keys()]) ?? '') ?? null;
}

function ownWordings({ settings }: Search, kind: WordingKind): readonly Wording[] {
  const texts = { change: settings.mutationPrompts, crossover: settings.crossoverPrompts }[kind];
  return texts.map((words, at) => ({ kind, name: `${namesOf[kind]}[${at}]`, words }));
}

const kinds = ['change', 'crossover'] as const;
const namesOf = { change: 'mutation_prompts', crossover: 'crossover_prompts' } as const;

/** Null where no wording was chosen: for other operators, and for hints. */
function armOf({ operator, parents, parameters }: Program): string | null {
  const { prompt, wording = '' } = parameters;
  const isOne = operator === 'change' || (operator === 'crossover' && parents.length === 2);
  if (!isOne || prompt === undefined || prompt === 'directed') return null;
  return nameOfArm(operator, String(wording));
}

/** Empty words: the search's own. */
function nameOfArm(kind: WordingKind, words: string): string {
  return `${kind} ${words}`;
}

export function drawnFrom<T>(items: readonly T[], run: Run): T | null {
  return items.length === 0 ? null : (items[Math.floor(run.random() * items.length)] ?? null);
}

const mostCharacters = 4_000;
const mostWords = 12;

/**
 * Looks up once what earlier sessions learned of such problems. Prompts for changes show it, and with `wordingChoice`
 * `bandit` the choice among words begins with what they gained there.
 */
export async function lookUpKnowledge(search: Search, run: Run): Promise<void> {
  if (!search.settings.knowledge) return;
  const { problem_type_tags: tags, extracted_keywords: words } = search.analysis;
  const keywords = [...new Set([...tags, ...words])].slice(0, mostWords);
  const found = await offered(run, search.problem, 'knowledge_search', { keywords });
  const text = found?.text.trim().slice(0, mostCharacters).toWellFormed() ?? '';
  const isNews = text !== '' && found?.data?.found !== 0;
  if (isNews) search.learned = `What earlier sessions learned; measured there, to be checked here:\n${text}`;
  const earlier = credits.safeParse(found?.data?.prompts).data ?? [];
  if (search.settings.wordingChoice === 'bandit') takeCredit(search, earlier);
  write(run, 'learned', { text: isNews ? text : '', wordings: search.adopted.map(({ words }) => words) });
}

const credits = z.array(
  z.object({
    kind: z.enum(kinds),
    words: z.string(),
    made: z.int().nonnegative(),
    better: z.int().nonnegative(),
  }),
);

type Credit = z.infer<typeof credits>[number];

/** Older sessions count as no more than so many tries: this one has programs of its own. */
const mostTries = 8;

function takeCredit(search: Search, found: readonly Credit[]): void {
  search.adopted = adoptable(search, found);
  const given = [...kinds.flatMap((kind) => ownWordings(search, kind)), ...search.adopted];
  const own = kinds.map((kind) => ({ kind, words: '' }));
  const arms = new Set([...own, ...given].map(({ kind, words }) => nameOfArm(kind, words)));
  for (const [arm, all] of Map.groupBy(found, ({ kind, words }) => nameOfArm(kind, words))) {
    const made = sumOf(all, 'made');
    if (!arms.has(arm) || made === 0) continue;
    const tries = Math.min(mostTries, made);
    search.choices.wordings.remember(arm, { tries, gains: (tries * sumOf(all, 'better')) / made });
  }
}

const mostAdopted = 3;
const leastHits = 2;

/** Words of earlier sessions that paid more than once, and more often than the search's own. The best first. */
function adoptable(search: Search, found: readonly Credit[]): readonly Wording[] {
  return kinds.flatMap((kind) => {
    const own = new Set(ownWordings(search, kind).map(({ words }) => words));
    const all = found.filter((each) => each.kind === kind);
    const usual = rateOf(all.filter(({ words }) => words === ''));
    return all
      .filter((each) => each.words !== '' && !own.has(each.words) && each.better >= leastHits)
      .filter((each) => rateOf([each]) > usual)
      .toSorted((a, b) => rateOf([b]) - rateOf([a]))
      .slice(0, mostAdopted)
      .map(({ words }, at) => ({ kind, name: `learned_${namesOf[kind]}[${at}]`, words }));
  });
}

const rateOf = (all: readonly Credit[]): number => sumOf(all, 'better') / Math.max(1, sumOf(all, 'made'));

function sumOf(all: readonly Credit[], key: 'made' | 'better'): number {
  return all.reduce((sum, each) => sum + each[key], 0);
}

/** Every `insightsEvery` candidates the adviser says what worked; an unreadable reply changes nothing. */
export async function gatherInsights(search: Search, run: Run): Promise<void> {
  const { insightsEvery } = search.settings;
  if (insightsEvery === 0 || search.tried.count - search.insightsAt < insightsEvery) return;
  search.insightsAt = search.tried.count;
  const meter = new Meter();
  const question = {
    role: 'adviser',
    messages: [...opening(run, search.problem), user(questionOf(search, run))],
    settings: modelSettings({ ...search.settings, temperature: null }),
    use: ofUseIn(search),
  } as const;
  const reply = await ask(run, question, meter);
  const found = reply.ok ? readInsights(objectIn(reply)) : null;
  if (found) search.insights = found;
  const { tokens, calls } = meter.spent;
  write(run, 'insights', {
    after: search.insightsAt,
    summary: found?.summary ?? '',
    recommendations: found?.recommendations ?? [],
    because: found
      ? ''
      : reply.ok
        ? (describeCut(reply) ?? 'The reply is not of the form that was asked for.')
        : reply.why,
    tokens,
    calls,
  });
}

function questionOf(search: Search, run: Run): string {
  const latest = search.tried.latest(Math.min(search.settings.insightsEvery, 40));
  const tried = latest.map((each) => `- ${each.operator}, ${line(each.summary)}: ${outcomeText(each)}`);
  return run.prompt('insights', {
    standing: standingText(search),
    tried: tried.join('\n'),
    before: insightsText(search.insights),
  });
}
