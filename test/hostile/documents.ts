/** Every document that the product makes, with one hostile text in all places where a model, a site or a program may write. */
import { batchPage } from '../../src/apps/ahc/batch/page.ts';
import { resultCsv, resultOf } from '../../src/apps/ahc/batch/result.ts';
import { foldSession } from '../../src/apps/ahc/session/fold.ts';
import { lineageDot, lineageSvg } from '../../src/apps/ahc/session/lineage.ts';
import { reportOf, reportPage } from '../../src/apps/ahc/session/report.ts';
import { withResult } from '../../src/apps/ahc/session/writer.ts';
import type { Content } from '../../src/apps/proof/export/content.ts';
import { markdownOf } from '../../src/apps/proof/export/markdown.ts';
import { barChart } from '../../src/cli/charts/bar-chart.ts';
import { lineChart } from '../../src/cli/charts/line-chart.ts';
import { folded, pageOf, paragraph, tableOf } from '../../src/cli/charts/page.ts';
import { csvField } from '../../src/cli/set-report.ts';
import { drawCollage } from '../../src/grids/collage.ts';
import { drawingSvg } from '../../src/grids/svg.ts';
import { dayPage, indexPage } from '../../src/practice/pages.ts';
import { outcome } from '../ahc/batch/outcome.ts';
import { facts, small } from '../ahc/session/journals.ts';

/** The title and the facts are ours but for what they quote. */
function contentWith(text: string): Content {
  return {
    title: text,
    facts: [['In words', text]],
    statement: text,
    hints: [{ from: text, hint: text }],
    proof: { heading: 'The accepted proof', text },
    attempts: [
      {
        heading: 'Attempt 1',
        plots: [{ name: 'passes', top: 1, blocks: '▁█' }],
        head: ['iteration', 'passes'],
        rows: [[text, 1]],
      },
    ],
    lists: [{ heading: 'The choice', lines: [text] }],
    rebuttals: [{ heading: 'Rebuttal', text }],
    reports: [{ heading: 'Report of grader 1', text }],
    findings: [{ heading: text, quote: text, text }],
  };
}

/** In every text below one of these keys. */
function filled<T>(value: T, keys: RegExp, text: string): T;
function filled(value: unknown, keys: RegExp, text: string): unknown {
  if (Array.isArray(value)) return value.map((each) => filled(each, keys, text));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    typeof inner === 'string' && keys.test(key) ? `${inner}${text}` : filled(inner, keys, text),
  ]);
  return Object.fromEntries(entries);
}

const ofModels =
  /^(?:text|operator|status|strategy|change|summary|detail|source|reason|because|words|label|feature|name|spec)$/;

function sessionPage(text: string): string {
  const state = foldSession(small);
  const manifest = { ...facts, name: text, contest: text, home: '', settings: {}, configured: {} } as never;
  const place = { folder: null as never, manifest };
  const report = reportOf({ place, status: 'completed', row: null, state, events: small });
  return reportPage({
    ...report,
    json: filled(report.json, ofModels, text),
    seen: { ...report.seen, state: filled(state, ofModels, text) },
  });
}

function batchWith(text: string) {
  const given = { session: text, problem: text, workspace: text, best: text };
  const outcomes = [0, 1].flatMap((combination) =>
    [1, 2].map((repeat) => outcome(combination, repeat, { ...given, text: `${combination}${text}` })),
  );
  return resultOf(outcomes, { set: text, name: text });
}

const labels = (text: string) => ({ title: text, x: text, y: text, heading: text });
const bars = (text: string) => [{ name: text, value: 1, text }];
const series = (text: string) =>
  [text, `${text}2`].map((name) => ({ name, as: 'dots' as const, points: [{ x: 1, y: 1, about: text }] }));

function chartPage(text: string): string {
  const chart = `${barChart(bars(text), { ...labels(text), isFromZero: true })}${lineChart(series(text), { ...labels(text), names: [text, text] })}`;
  return pageOf({
    title: text,
    subtitle: text,
    facts: [[text, text]],
    sections: [
      { heading: text, body: `${paragraph(text)}${folded(text, text)}${tableOf([text], [[text]])}${chart}` },
    ],
  });
}

const puzzle = { day: 1, title: 'A day', parts: ['<p>One.</p>', '<p>Two.</p>'] } as never;
const missing = [{ day: 2, stars: 1 }];

/** Whole documents of HTML. The practice sites are our own too. */
export const htmlDocuments: Readonly<Record<string, (text: string) => string>> = {
  'a session': sessionPage,
  'a batch': (text) => batchPage(batchWith(text)),
  charts: chartPage,
  'a practice day': (text) => dayPage(2000, puzzle, { name: text, stars: 1, answers: [text, text], missing }),
  'the practice site': (text) => indexPage([{ year: 2000, days: [] }], text),
};

export const pictures: Readonly<Record<string, (text: string) => string>> = {
  'a chart': (text) => lineChart(series(text), labels(text)),
  'bars of a chart': (text) => barChart(bars(text), { ...labels(text), isFromZero: true }),
  'a lineage': (text) => lineageSvg(filled(foldSession(small), ofModels, text), 'absolute', () => text),
  'the grids of a task': (text) =>
    drawingSvg(
      drawCollage({ title: text, rows: [{ label: text, input: [[1]], expected: [[2]], predicted: null }] }),
    ),
};

export const otherDocuments = {
  markdown: (text: string) => markdownOf(contentWith(text)),
  graphviz: (text: string) => lineageDot(filled(foldSession(small), ofModels, text), 'absolute'),
};

/** Tables, each with a column that holds the text alone. */
export const csvDocuments: Readonly<Record<string, (text: string) => string>> = {
  'a batch': (text) => resultCsv(batchWith(text)),
  'a field of a run-set': (text) => `a,b\n${csvField(text)},${csvField([text, 1])}\n`,
  'results of sessions': (text) => withResult('', [text, '2026', '1', '2', '3', '4', '5', text]),
};
