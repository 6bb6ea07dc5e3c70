/** The report of a session, folded from its journal: one value, as JSON and as a page. Pure. */
import { barChart } from '../../../cli/charts/bar-chart.ts';
import { lineChart, type Series } from '../../../cli/charts/line-chart.ts';
import {
  type Cell,
  folded,
  type Page,
  pageOf,
  paragraph,
  type Section,
  tableOf,
} from '../../../cli/charts/page.ts';
import { clip, count, duration, grouped, moment } from '../../../text/format.ts';
import { allModels, costText } from '../../../text/labels.ts';
import { promptsUsed } from '../knowledge.ts';
import {
  type Credit,
  creditByOperator,
  creditor,
  followed,
  isMoreBetter,
  milestonesOf,
  near,
  scoresOf,
  standingsByFeature,
} from './course.ts';
import { candidateOf } from './fold.ts';
import { lineageSvg } from './lineage.ts';
import type { SeenSession } from './look.ts';
import { plainNumber } from './names.ts';

type SessionReport = ReturnType<typeof reportOf>;

export function reportOf(seen: SeenSession) {
  const { state, place, status, events } = seen;
  const { manifest } = place;
  const { bestId, final } = state;
  const creditFor = creditor(state, manifest);
  const scoreOf = scoresOf(state, manifest);
  const json = {
    session: manifest.name,
    status,
    best: bestId === null ? null : { id: bestId, score: scoreOf(bestId) },
    course: milestonesOf(events).map((each) => ({ ...each, score: scoreOf(each.id) })),
    operators: creditByOperator(state, manifest),
    prompts: promptsUsed(state).map(({ name, words, candidates }) => ({
      name,
      words,
      ...creditFor((each) => candidates.has(each)),
    })),
    hints: state.hints.map(({ number, text }) => ({
      number,
      text,
      ...creditFor(({ note }) => followed(note, number)),
    })),
    groups: standingsByFeature(state, manifest),
    final,
  };
  return { seen, creditFor, scoreOf, json };
}

export function reportPage(report: SessionReport): string {
  const { place, status, state } = report.seen;
  const { manifest } = place;
  const way = manifest.direction === 'maximise' ? 'more' : 'less';
  const scores =
    manifest.scoring === 'relative'
      ? 'are shares of the best known, of 10⁹; more is better'
      : `as the contest counts them; ${way} is better`;
  // Replies that were written ahead are labelled wherever a result is shown.
  const script = isByScript(state) ? 'by a script, not by a model; ' : '';
  const sections = [
    ...courseSection(report),
    ...standingSection(report),
    ...creditSections(report),
    ...groupSection(report),
    lineageSection(report),
    ...changesSection(report),
    candidateSection(report),
    ...sourceSection(report),
  ];
  return pageOf({
    title: `${manifest.contest}: ${manifest.name}`,
    subtitle: `${status}; begun ${moment(manifest.createdAtMs)}; ${script}scores ${scores}`,
    facts: factsOf(report),
    sections: state.candidates.length > 0 ? sections : [nothingYet],
  });
}

const nothingYet = { heading: 'Nothing yet', body: '<p>No program was made in this session yet.</p>' };

function isByScript({ run }: SeenSession['state']): boolean {
  return Object.values(allModels(run)).some(({ kind }) => kind === 'script');
}

function factsOf({ seen: { state }, scoreOf }: SessionReport): Page['facts'] {
  const { run, bestId, setting, generation } = state;
  const { callsOfUnknownTokens, tokens, modelCalls } = run.totals;
  const unknown = callsOfUnknownTokens > 0 ? `, unknown of ${count(callsOfUnknownTokens, 'call')}` : '';
  const models = Object.entries(allModels(run)).map(([role, { spec }]) =>
    role === 'default' ? spec : `${role}: ${spec}`,
  );
  const best = candidateOf(state, bestId)?.note;
  const backend = best?.evaluation?.backend ?? run.header?.sandbox?.backend ?? '–';
  return [
    ['best', bestId === null ? '–' : `${numberOrDash(scoreOf(bestId))} (${bestId})`],
    ['generations', setting ? `${generation} of ${setting.maxGenerations}` : `${generation}`],
    ['programs', `${state.candidates.length}`],
    ['time alive', duration(run.aliveMs)],
    ['calls', `${modelCalls}`],
    ['tokens', `${grouped(tokens.input)} in, ${grouped(tokens.output)} out${unknown}`],
    ['cost', costText(run.totals, allModels(run))],
    ['models', models.join(', ')],
    [
      'programs were run by',
      backend === 'none' ? 'none: without a sandbox, with its user’s rights' : backend,
    ],
    ['ended because', state.over ?? run.end?.outcome ?? 'it has not'],
  ];
}

const numberOrDash = (value: number | null): string => (value === null ? '–' : plainNumber(value));

function courseSection({ seen, json }: SessionReport): Section[] {
  const scored = json.course.flatMap(({ score, ...each }) => (score === null ? [] : [{ ...each, score }]));
  if (scored.length === 0) return [];
  // The chart begins where the scores are: what the template came to would flatten all that was found since.
  const isNear = near(scored.map(({ score }) => score));
  const last = scored.findLast(({ isBest }) => isBest);
  const points = scored.filter((point) => point === last || isNear(point.score));
  const { aliveMs: endMs, totals } = seen.state.run;
  const along = (xOf: (point: (typeof points)[number]) => number, endX: number): Series[] => {
    const all = points.map((point) => {
      const about = `${point.id}: ${plainNumber(point.score)}`;
      return { isBest: point.isBest, x: xOf(point), y: point.score, about };
    });
    const best = all.filter(({ isBest }) => isBest);
    const end = best.at(-1);
    return [
      { name: 'best', as: 'steps', points: end ? [...best, { x: Math.max(end.x, endX), y: end.y }] : best },
      { name: 'every program that was run on all cases', as: 'dots', points: all },
    ];
  };
  const minutes = along(({ aliveMs }) => aliveMs / 60_000, endMs / 60_000);
  const tokens = along((point) => point.tokens, totals.tokens.input + totals.tokens.output);
  const far = scored.length - points.length;
  const left =
    far === 0 ? '' : ` ${count(far, 'program')} far from all others ${far === 1 ? 'is' : 'are'} not drawn.`;
  const words = `Mean score over the cases of the search; programs that were dropped early have none.${left}`;
  const body = [
    paragraph(words),
    lineChart(minutes, { title: 'Score over time', x: 'minutes alive', y: 'score' }),
    lineChart(tokens, { title: 'Score over tokens', x: 'tokens', y: 'score' }),
  ];
  return [{ heading: 'Course', body: body.join('\n') }];
}

/** The choice on cases that the search had not seen. */
function standingSection({ seen }: SessionReport): Section[] {
  const { final } = seen.state;
  if (!final) return [];
  const bars = final.standings.flatMap(({ id, gain, low, high }) => {
    const text = id === final.chosen ? 'chosen' : '';
    return gain === null
      ? []
      : [{ name: id, value: gain, low: low ?? undefined, high: high ?? undefined, text }];
  });
  const where =
    final.cases === 0 ? 'On no new cases' : `On ${count(final.cases, 'case')} that the search had not seen`;
  const words = paragraph(`${where}: ${final.because}`);
  const drawn = barChart(bars, {
    title: 'Gain over the first program on unseen cases',
    x: 'gain over the first program, points a case; line: 95 % interval of the paired mean',
    isFromZero: true,
  });
  return [{ heading: 'The final choice', body: `${words}\n${bars.length > 0 ? drawn : ''}` }];
}

export const creditColumns: Readonly<Record<string, (credit: Credit) => Cell>> = {
  made: ({ made }) => made,
  'run on all': ({ evaluated }) => evaluated,
  spared: ({ spared }) => spared,
  useless: ({ useless }) => useless,
  'better than parents': ({ betterThanParents }) => betterThanParents,
  'new best': ({ improvements }) => improvements,
  gain: ({ improvements, gain }) => (improvements === 0 ? '–' : plainNumber(Math.round(gain * 1e3) / 1e3)),
  tokens: ({ tokens }) => (tokens === null ? 'unknown' : grouped(tokens)),
};

const creditWords =
  'Spared: too much like another, or dropped by a race. Useless: did not compile, failed, or could not be read. Gain: what the best became better by, in points of the score.';

function creditSections(report: SessionReport): Section[] {
  const { seen, creditFor } = report;
  const { operators, prompts, hints } = report.json;
  const islands = [...new Set(seen.state.candidates.map(({ note }) => note.island))].sort((a, b) => a - b);
  const ofOperators = operators.map((credit) => ({ cells: [credit.operator], credit }));
  const ofIslands = islands.map((island) => ({
    cells: [island, strategiesOf(seen, island), bestOf(report, island)],
    credit: creditFor(({ note }) => note.island === island),
  }));
  // Prompts of the search are known by their names; the user's own are shown with their words.
  const ofPrompts = prompts.map(({ name, words, ...credit }) => ({
    cells: [name, name.includes('[') ? clip(words, 120) : '–'],
    credit,
  }));
  const ofHints = hints.map(({ number, text, ...credit }) => ({ cells: [number, clip(text, 120)], credit }));
  const hintWords = 'A program counts for every hint that was in its prompt.';
  return [
    ...creditSection('Operators', ['operator'], ofOperators, creditWords),
    ...creditSection('Islands', ['island', 'strategy', 'best'], ofIslands),
    ...creditSection('Prompts', ['prompt', 'your words'], ofPrompts),
    ...creditSection('Hints', ['hint', 'text'], ofHints, hintWords),
  ];
}

function creditSection(
  heading: string,
  head: readonly string[],
  rows: readonly { readonly cells: readonly Cell[]; readonly credit: Credit }[],
  words?: string,
): Section[] {
  if (rows.length === 0) return [];
  const cellsOf = Object.values(creditColumns);
  const drawn = tableOf(
    [...head, ...Object.keys(creditColumns)],
    rows.map(({ cells, credit }) => [...cells, ...cellsOf.map((cellOf) => cellOf(credit))]),
  );
  return [{ heading, body: words ? `${paragraph(words)}\n${drawn}` : drawn }];
}

/** All that the island followed: after a plateau it may begin anew. */
export function strategiesOf({ state }: Pick<SeenSession, 'state'>, island: number): string {
  // Fewer strategies than islands are followed by several.
  const first = state.strategies[(island - 1) % Math.max(1, state.strategies.length)]?.name ?? '–';
  const later = state.courses.flatMap(({ anew }) => (anew?.island === island ? [anew.strategy] : []));
  return [first, ...later].map((name) => clip(name, 60)).join(', then ');
}

function bestOf({ seen, scoreOf }: SessionReport, island: number): Cell {
  const scores = seen.state.candidates
    .filter(({ note }) => note.island === island)
    .flatMap(({ note }) => scoreOf(note.id) ?? []);
  if (scores.length === 0) return '–';
  const isMore = isMoreBetter(seen.place.manifest);
  return plainNumber(scores.reduce((a, b) => (isMore ? Math.max(a, b) : Math.min(a, b))));
}

function groupSection({ json: { groups: features } }: SessionReport): Section[] {
  if (features.length === 0) return [];
  const shown = (value: number | null): string =>
    value?.toLocaleString('en', { maximumSignificantDigits: 6 }) ?? '–';
  const tables = features.map(({ feature, groups }) => {
    const rows = groups.map(({ label, cases, first, best }) => {
      return [label, cases, shown(first), shown(best), change(first, best)];
    });
    return tableOf([feature, 'cases', 'first program', 'best program', 'change'], rows);
  });
  const words =
    'Mean points of a case: its score (less than zero where less is better), or with relative scoring its share of the better of the two.';
  return [{ heading: 'By groups of inputs', body: [paragraph(words), ...tables].join('\n') }];
}

function change(first: number | null, best: number | null): string {
  if (first === null || best === null || first === 0) return '–';
  const part = ((best - first) / Math.abs(first)) * 100;
  return `${part > 0 ? '+' : ''}${part.toFixed(1)} %`;
}

function lineageSection({ seen: { state, place }, scoreOf }: SessionReport): Section {
  const svg = lineageSvg(state, place.manifest.scoring, ({ id, status }) => {
    const score = scoreOf(id);
    return score === null ? status : plainNumber(score);
  });
  const words =
    'A column a generation, a colour an island; pale ones have no score, the large one is the best.';
  return { heading: 'Lineage', body: `${paragraph(words)}\n<div class="wide">${svg}</div>` };
}

function changesSection({ seen }: SessionReport): Section[] {
  const { courses, changes, migrations, trial } = seen.state;
  const rows: Cell[][] = [
    ...(trial?.ended ?? []).map((island) => [
      'generation 0',
      `island ${island} ended with its first program: there was room for the best alone`,
    ]),
    ...courses.map(({ generation, change }) => [`generation ${generation}`, `change of course: ${change}`]),
    ...changes.map(({ settings }) => ['', `settings: ${JSON.stringify(settings)}`]),
    ...migrations.map(({ id, from, to }) => [id, `went from island ${from} to island ${to}`]),
  ];
  if (rows.length === 0) return [];
  return [{ heading: 'What changed on the way', body: tableOf(['when', 'what'], rows) }];
}

const mostListed = 200;

function candidateSection({ seen, scoreOf }: SessionReport): Section {
  const { candidates } = seen.state;
  const rows = candidates
    .slice(-mostListed)
    .map(({ note: { id, island, operator, status, summary, detail } }) => [
      id,
      island,
      operator,
      status,
      numberOrDash(scoreOf(id)),
      clip(summary || detail, 120),
    ]);
  const left = candidates.length - rows.length;
  const words = left > 0 ? paragraph(`${left} older ones are not listed.`) : '';
  const head = ['program', 'island', 'operator', 'status', 'score', 'what it is'];
  return { heading: 'Programs', body: `${words}${tableOf(head, rows)}` };
}

function sourceSection({ seen: { state } }: SessionReport): Section[] {
  const best = candidateOf(state, state.bestId)?.note;
  if (!best) return [];
  return [{ heading: 'The best program', body: folded(`${best.id}: ${best.summary}`, best.source) }];
}
