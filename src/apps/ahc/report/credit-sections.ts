/** What paid off in a session, as tables: operators, hints, islands, groups of inputs, and the final choice. */

import { barChart } from '../../../cli/charts/bar-chart.ts';
import { type Cell, paragraph, type Section, tableOf } from '../../../cli/charts/page.ts';
import { clip, count, grouped } from '../../../text/format.ts';
import type { Credit } from '../session/credit.ts';
import type { ReportParts } from './parts.ts';

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

function cellsOf({ ahc }: ReportParts, credit: Credit): Cell[] {
  return [
    credit.made,
    credit.evaluated,
    credit.spared,
    credit.useless,
    credit.betterThanParents,
    credit.improvements,
    credit.improvements === 0 ? '–' : ahc.plainNumber(Math.round(credit.gain * 1e3) / 1e3),
    credit.tokens === null ? 'unknown' : grouped(credit.tokens),
  ];
}

const creditWords =
  'Spared: too much like another, or dropped by a race. Useless: did not compile, failed, or could not be read. Gain: what the best became better by, in points of the score.';

export function creditSections(parts: ReportParts): Section[] {
  const { ahc, seen } = parts;
  const { state, place } = seen;
  const creditFor = ahc.creditor(state, place.manifest);
  const islands = [...new Set(state.candidates.map(({ note }) => note.island))].sort((a, b) => a - b);
  const sections: Section[] = [
    {
      heading: 'Operators',
      body: [
        paragraph(creditWords),
        tableOf(
          ['operator', ...heads],
          ahc
            .creditByOperator(state, place.manifest)
            .map((credit) => [credit.operator, ...cellsOf(parts, credit)]),
        ),
      ].join('\n'),
    },
    {
      heading: 'Islands',
      body: tableOf(
        ['island', 'strategy', 'best', ...heads],
        islands.map((island) => [
          island,
          strategiesOf(parts, island),
          bestOf(parts, island),
          ...cellsOf(
            parts,
            creditFor(({ note }) => note.island === island),
          ),
        ]),
      ),
    },
  ];
  return [...sections, ...promptSection(parts), ...hintSection(parts)];
}

/** Those that it followed, one after the other: after a plateau a line may begin anew. */
function strategiesOf({ seen: { state } }: ReportParts, island: number): string {
  // Fewer strategies than islands are followed by several.
  const first = state.strategies[(island - 1) % Math.max(1, state.strategies.length)]?.name ?? '–';
  const later = state.courses.flatMap(({ anew }) => (anew?.island === island ? [anew.strategy] : []));
  return [first, ...later].map((name) => clip(name, 60)).join(', then ');
}

/** The user's own with their words; those of the search are told by their names. */
function promptSection(parts: ReportParts): Section[] {
  const { ahc, seen } = parts;
  const creditFor = ahc.creditor(seen.state, seen.place.manifest);
  const rows = ahc.promptsUsed(seen.state).map(({ name, words, candidates }) => [
    name,
    name.includes('[') ? clip(words, 120) : '–',
    ...cellsOf(
      parts,
      creditFor((each) => candidates.has(each)),
    ),
  ]);
  return rows.length === 0
    ? []
    : [{ heading: 'Prompts', body: tableOf(['prompt', 'your words', ...heads], rows) }];
}

function hintSection(parts: ReportParts): Section[] {
  const { ahc, seen } = parts;
  const { state, place } = seen;
  if (state.hints.length === 0) return [];
  const creditFor = ahc.creditor(state, place.manifest);
  const rows = state.hints.map(({ number, text }) => [
    number,
    clip(text, 120),
    ...cellsOf(
      parts,
      creditFor(({ note }) => note.hints.includes(number)),
    ),
  ]);
  const words = 'A program counts for every hint that was in its prompt.';
  return [{ heading: 'Hints', body: `${paragraph(words)}\n${tableOf(['hint', 'text', ...heads], rows)}` }];
}

function bestOf({ ahc, seen }: ReportParts, island: number): Cell {
  const { direction, scoring } = seen.place.manifest;
  const scoreOf = ahc.scoresOf(seen.state, seen.place.manifest);
  const scores = seen.state.candidates
    .filter(({ note }) => note.island === island)
    .flatMap(({ note }) => scoreOf(note.id) ?? []);
  if (scores.length === 0) return '–';
  const isMore = direction === 'maximise' || scoring === 'relative';
  return ahc.plainNumber(scores.reduce((a, b) => (isMore ? Math.max(a, b) : Math.min(a, b))));
}

export function groupSection({ ahc, seen }: ReportParts): Section | null {
  const features = ahc.standingsByFeature(seen.state, seen.place.manifest);
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
export function standingSection({ seen }: ReportParts): Section | null {
  const { final } = seen.state;
  if (!final) return null;
  const bars = final.standings.flatMap(({ id, gain, low, high }) =>
    gain === null
      ? []
      : [
          {
            name: id,
            value: gain,
            ...(low === null || high === null ? {} : { low, high }),
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

export function wordsSection({ seen }: ReportParts): Section | null {
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

export function candidateSection({ ahc, seen }: ReportParts): Section {
  const { candidates } = seen.state;
  const scoreOf = ahc.scoresOf(seen.state, seen.place.manifest);
  const rows = candidates.slice(-mostListed).map(({ note }) => {
    const score = scoreOf(note.id);
    return [
      note.id,
      note.island,
      note.operator,
      note.status,
      score === null ? '–' : ahc.plainNumber(score),
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
