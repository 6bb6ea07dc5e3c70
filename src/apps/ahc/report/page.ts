/** The report of a session as a page: course, credit, groups of inputs, lineage, programs, cost. Pure. */
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
import { clip, count, dollars, duration, grouped, moment } from '../../../text/format.ts';
import { allModels } from '../../../text/labels.ts';
import type { Counting, Credit } from '../session/course.ts';
import { candidateOf } from '../session/fold.ts';
import { lineageSvg } from '../session/lineage.ts';
import type { SeenSession } from '../session/look.ts';
import { plainNumber } from '../session/names.ts';
import type { SessionReport } from './report.ts';

export function reportPage(report: SessionReport): string {
  const { seen } = report;
  const { place, status, state } = seen;
  const { manifest } = place;
  const page: Page = {
    title: `${manifest.contest}: ${manifest.name}`,
    subtitle: `${status}; begun ${moment(manifest.createdAtMs)}; ${scriptWords(seen)}scores ${scoreWords(manifest)}`,
    facts: factsOf(report),
    sections: [
      courseSection(report),
      standingSection(report),
      ...creditSections(report),
      groupSection(report),
      lineageSection(report),
      wordsSection(report),
      candidateSection(report),
      sourceSection(report),
    ].filter((each): each is Section => each !== null),
  };
  return state.candidates.length > 0 ? pageOf(page) : pageOf({ ...page, sections: [nothingYet] });
}

const nothingYet: Section = {
  heading: 'Nothing yet',
  body: '<p>No program was made in this session yet.</p>',
};

function scoreWords({ direction, scoring }: Counting): string {
  if (scoring === 'relative') return 'are shares of the best known, of 10⁹; more is better';
  return direction === 'maximise'
    ? 'as the contest counts them; more is better'
    : 'as the contest counts them; less is better';
}

/** Replies that were written ahead are labelled wherever a result is shown. */
function scriptWords({ state }: SeenSession): string {
  const models = Object.values(allModels(state.run));
  return models.some(({ kind }) => kind === 'script') ? 'by a script, not by a model; ' : '';
}

function factsOf({ seen, scoreOf }: SessionReport): Page['facts'] {
  const { state } = seen;
  const { run, bestId, setting } = state;
  const { totals } = run;
  const best = candidateOf(state, bestId);
  const score = scoreOf(bestId ?? '');
  const isFree = scriptWords(seen) !== '' && totals.costUsd === 0 && totals.callsOfUnknownCost === 0;
  const paid =
    totals.callsOfUnknownCost > 0 ? `unknown (${dollars(totals.costUsd)} is known)` : dollars(totals.costUsd);
  const tokens = `${grouped(totals.tokens.input)} in, ${grouped(totals.tokens.output)} out`;
  const unknown =
    totals.callsOfUnknownTokens > 0 ? `, unknown of ${count(totals.callsOfUnknownTokens, 'call')}` : '';
  const backend = best?.note.evaluation?.backend ?? run.header?.sandbox?.backend ?? '–';
  return [
    ['best', bestId === null ? '–' : `${score === null ? '–' : plainNumber(score)} (${bestId})`],
    ['generations', setting ? `${state.generation} of ${setting.maxGenerations}` : `${state.generation}`],
    ['programs', `${state.candidates.length}`],
    ['time alive', duration(run.aliveMs)],
    ['calls', `${totals.modelCalls}`],
    ['tokens', `${tokens}${unknown}`],
    ['cost', isFree ? 'free (script)' : paid],
    ['models', modelWords(allModels(run))],
    [
      'programs were run by',
      backend === 'none' ? 'none: without a sandbox, with its user’s rights' : backend,
    ],
    ['ended because', state.over ?? run.end?.outcome ?? 'it has not'],
  ];
}

function modelWords(models: Readonly<Record<string, { readonly spec: string }>>): string {
  return Object.entries(models)
    .map(([role, { spec }]) => (role === 'default' ? spec : `${role}: ${spec}`))
    .join(', ');
}

function courseSection({ seen, scoreOf, milestones }: SessionReport): Section | null {
  const points = milestones.flatMap((milestone) => {
    const score = scoreOf(milestone.id);
    return score === null ? [] : [{ ...milestone, score }];
  });
  if (points.length === 0) return null;
  const { aliveMs: endMs, totals } = seen.state.run;
  const along = (xOf: (point: (typeof points)[number]) => number, endX: number): Series[] => {
    const placed = (some: typeof points) =>
      some.map((point) => ({
        x: xOf(point),
        y: point.score,
        about: `${point.id}: ${plainNumber(point.score)}`,
      }));
    const best = placed(points.filter(({ isBest }) => isBest));
    const end = best.at(-1);
    return [
      { name: 'best', as: 'steps', points: end ? [...best, { x: Math.max(end.x, endX), y: end.y }] : best },
      { name: 'every program that was run on all cases', as: 'dots', points: placed(points) },
    ];
  };
  const minutes = along(({ aliveMs }) => aliveMs / 60_000, endMs / 60_000);
  const tokens = along((point) => point.tokens, totals.tokens.input + totals.tokens.output);
  const charts = [
    lineChart(minutes, { title: 'Score over time', x: 'minutes alive', y: 'score' }),
    lineChart(tokens, { title: 'Score over tokens', x: 'tokens', y: 'score' }),
  ];
  const words = 'Mean score over the cases of the search; programs that were dropped early have none.';
  return { heading: 'Course', body: [paragraph(words), ...charts].join('\n') };
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

function sourceSection({ seen }: SessionReport): Section | null {
  const best = candidateOf(seen.state, seen.state.bestId);
  if (!best) return null;
  return {
    heading: 'The best program',
    body: folded(`${best.note.id}: ${best.note.summary}`, best.note.source),
  };
}

const heads = [
  'made',
  'run on all',
  'spared',
  'useless',
  'better than parents',
  'new best',
  'gain',
  'tokens',
];

function cellsOf(credit: Credit): Cell[] {
  return [
    credit.made,
    credit.evaluated,
    credit.spared,
    credit.useless,
    credit.betterThanParents,
    credit.improvements,
    credit.improvements === 0 ? '–' : plainNumber(Math.round(credit.gain * 1e3) / 1e3),
    credit.tokens === null ? 'unknown' : grouped(credit.tokens),
  ];
}

const creditWords =
  'Spared: too much like another, or dropped by a race. Useless: did not compile, failed, or could not be read. Gain: what the best became better by, in points of the score.';

function creditSections(report: SessionReport): Section[] {
  const { seen, operators, prompts, hints, creditFor } = report;
  const islands = [...new Set(seen.state.candidates.map(({ note }) => note.island))].sort((a, b) => a - b);
  const sections: Section[] = [
    {
      heading: 'Operators',
      body: [
        paragraph(creditWords),
        tableOf(
          ['operator', ...heads],
          operators.map((credit) => [credit.operator, ...cellsOf(credit)]),
        ),
      ].join('\n'),
    },
    {
      heading: 'Islands',
      body: tableOf(
        ['island', 'strategy', 'best', ...heads],
        islands.map((island) => [
          island,
          strategiesOf(seen, island),
          bestOf(report, island),
          ...cellsOf(creditFor(({ note }) => note.island === island)),
        ]),
      ),
    },
  ];
  const promptRows = prompts.map(({ name, words, credit }) => [
    name,
    // Prompts of the search are known by their names; the user's own are shown with their words.
    name.includes('[') ? clip(words, 120) : '–',
    ...cellsOf(credit),
  ]);
  const hintRows = hints.map(({ number, text, credit }) => [number, clip(text, 120), ...cellsOf(credit)]);
  if (promptRows.length > 0)
    sections.push({ heading: 'Prompts', body: tableOf(['prompt', 'your words', ...heads], promptRows) });
  if (hintRows.length > 0) {
    const words = paragraph('A program counts for every hint that was in its prompt.');
    sections.push({ heading: 'Hints', body: `${words}\n${tableOf(['hint', 'text', ...heads], hintRows)}` });
  }
  return sections;
}

/** All that the island followed: after a plateau it may begin anew. */
function strategiesOf({ state }: SeenSession, island: number): string {
  // Fewer strategies than islands are followed by several.
  const first = state.strategies[(island - 1) % Math.max(1, state.strategies.length)]?.name ?? '–';
  const later = state.courses.flatMap(({ anew }) => (anew?.island === island ? [anew.strategy] : []));
  return [first, ...later].map((name) => clip(name, 60)).join(', then ');
}

function bestOf({ seen, scoreOf }: SessionReport, island: number): Cell {
  const { direction, scoring } = seen.place.manifest;
  const scores = seen.state.candidates
    .filter(({ note }) => note.island === island)
    .flatMap(({ note }) => scoreOf(note.id) ?? []);
  if (scores.length === 0) return '–';
  const isMore = direction === 'maximise' || scoring === 'relative';
  return plainNumber(scores.reduce((a, b) => (isMore ? Math.max(a, b) : Math.min(a, b))));
}

function groupSection({ groups: features }: SessionReport): Section | null {
  if (features.length === 0) return null;
  const tables = features.map(({ feature, groups }) =>
    tableOf(
      [feature, 'cases', 'first program', 'best program', 'change'],
      groups.map(({ label, cases, first, best }) => [
        label,
        cases,
        shown(first),
        shown(best),
        change(first, best),
      ]),
    ),
  );
  const words =
    'Mean points of a case: its score (less than zero where less is better), or with relative scoring its share of the better of the two.';
  return { heading: 'By groups of inputs', body: [paragraph(words), ...tables].join('\n') };
}

function shown(value: number | null): string {
  return value === null ? '–' : value.toLocaleString('en', { maximumSignificantDigits: 6 });
}

function change(first: number | null, best: number | null): string {
  if (first === null || best === null || first === 0) return '–';
  const part = ((best - first) / Math.abs(first)) * 100;
  return `${part > 0 ? '+' : ''}${part.toFixed(1)} %`;
}

/** The choice on cases that the search had not seen. */
function standingSection({ seen }: SessionReport): Section | null {
  const { final } = seen.state;
  if (!final) return null;
  const bars = final.standings.flatMap(({ id, gain, low, high }) =>
    gain === null
      ? []
      : [
          {
            name: id,
            value: gain,
            low: low ?? undefined,
            high: high ?? undefined,
            text: id === final.chosen ? 'chosen' : '',
          },
        ],
  );
  const where =
    final.cases === 0 ? 'On no new cases' : `On ${count(final.cases, 'case')} that the search had not seen`;
  const words = `${where}: ${final.because}`;
  const drawn = barChart(bars, {
    title: 'Gain over the first program on unseen cases',
    x: 'gain over the first program, points a case; line: 95 % interval of the paired mean',
    isFromZero: true,
  });
  return { heading: 'The final choice', body: [paragraph(words), bars.length > 0 ? drawn : ''].join('\n') };
}

function wordsSection({ seen }: SessionReport): Section | null {
  const { courses, changes, migrations, trial } = seen.state;
  const rows: Cell[][] = [
    ...(trial?.ended ?? []).map((island) => [
      'generation 0',
      `island ${island} ended with its first program: there was room for the best alone`,
    ]),
    ...courses.map(({ generation, change: what }) => [
      `generation ${generation}`,
      `change of course: ${what}`,
    ]),
    ...changes.map(({ settings }) => ['', `settings: ${JSON.stringify(settings)}`]),
    ...migrations.map(({ id, from, to }) => [id, `went from island ${from} to island ${to}`]),
  ];
  return rows.length === 0
    ? null
    : { heading: 'What changed on the way', body: tableOf(['when', 'what'], rows) };
}

const mostListed = 200;

function candidateSection({ seen, scoreOf }: SessionReport): Section {
  const { candidates } = seen.state;
  const rows = candidates.slice(-mostListed).map(({ note }) => {
    const score = scoreOf(note.id);
    return [
      note.id,
      note.island,
      note.operator,
      note.status,
      score === null ? '–' : plainNumber(score),
      clip(note.summary || note.detail, 120),
    ];
  });
  const left = candidates.length - rows.length;
  const words = left > 0 ? paragraph(`${left} older ones are not listed.`) : '';
  return {
    heading: 'Programs',
    body: `${words}${tableOf(['program', 'island', 'operator', 'status', 'score', 'what it is'], rows)}`,
  };
}
