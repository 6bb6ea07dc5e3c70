/** Every document that the product makes, with one hostile text in all places where a model, a site or a program may write. */
import { resultCsv, resultOf } from '../../src/apps/ahc/batch/result.ts';
import { withResult } from '../../src/apps/ahc/session/folder.ts';
import type { Content } from '../../src/apps/proof/export/content.ts';
import { markdownOf } from '../../src/apps/proof/export/markdown.ts';
import { csvField } from '../../src/cli/set-report.ts';
import { drawCollage } from '../../src/grids/collage.ts';
import { renderSvg } from '../../src/grids/svg.ts';
import { dayPage, indexPage } from '../../src/practice/pages.ts';
import { outcome } from '../ahc/batch/outcome.ts';

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

function batchWith(text: string) {
  const given = { session: text, problem: text, workspace: text, best: text };
  const outcomes = [0, 1].flatMap((combination) =>
    [1, 2].map((repeat) => outcome(combination, repeat, { ...given, text: `${combination}${text}` })),
  );
  return resultOf(outcomes, { set: text, name: text });
}

const puzzle = { day: 1, title: 'A day', parts: ['<p>One.</p>', '<p>Two.</p>'] } as never;
const missing = [{ day: 2, stars: 1 }];

/** Whole documents of HTML. The practice sites are our own too. */
export const htmlDocuments: Readonly<Record<string, (text: string) => string>> = {
  'a practice day': (text) => dayPage(2000, puzzle, { name: text, stars: 1, answers: [text, text], missing }),
  'the practice site': (text) => indexPage([{ year: 2000, days: [] }], text),
};

export const pictures: Readonly<Record<string, (text: string) => string>> = {
  'the grids of a task': (text) =>
    renderSvg(
      drawCollage({ title: text, rows: [{ label: text, input: [[1]], expected: [[2]], predicted: null }] }),
    ),
};

export function proofMarkdown(text: string): string {
  return markdownOf(contentWith(text));
}

/** Tables, each with a column that holds the text alone. */
export const csvDocuments: Readonly<Record<string, (text: string) => string>> = {
  'a batch': (text) => resultCsv(batchWith(text)),
  'a field of a run-set': (text) => `a,b\n${csvField(text)},${csvField([text, 1])}\n`,
  'results of sessions': (text) => withResult('', [text, '2026', '1', '2', '3', '4', '5', text]),
};
