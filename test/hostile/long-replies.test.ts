/**
 * One reply freezes nothing: whatever sign is repeated, a text that is four times as long takes no more than a few times as
 * long to read. CPU time is compared where what is quadratic would take seconds, and what is linear takes milliseconds.
 */
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../src/agents/ensemble/planner.ts';
import { readInstruction, readOutputs, readProgram } from '../../src/agents/induction-graph/replies.ts';
import { sectionFrom } from '../../src/agents/kit/sections.ts';
import { confessionIn, withoutTalk } from '../../src/agents/proof/confession.ts';
import { verdictIn, yesOrNo } from '../../src/agents/proof/grader.ts';
import { placesIn, whyNowhere } from '../../src/agents/proof/proof-grader.ts';
import { objectIn } from '../../src/agents/search/asking.ts';
import { liftConstants } from '../../src/agents/search/constants.ts';
import { tokensOf } from '../../src/agents/search/novelty.ts';
import { functionsIn, ideaIn } from '../../src/agents/search/operators/carry-out.ts';
import { meaningByRules } from '../../src/agents/search/talk/rules.ts';
import { extract, profileNames } from '../../src/answers/index.ts';
import { rendered as asHtml } from '../../src/apps/proof/export/html.ts';
import { rendered as asLatex } from '../../src/apps/proof/export/latex.ts';
import { mathPieces } from '../../src/apps/proof/export/math.ts';
import type { ModelSuccess } from '../../src/core/model.ts';
import { readYaml } from '../../src/core/yaml.ts';
import { directivesOf } from '../../src/families/ahc/bundle.ts';
import { gluedIn, shapeOf } from '../../src/families/ahc/plain/format.ts';
import { stepsOfFormat } from '../../src/families/ahc/plain/output-shape.ts';
import { hintsIn } from '../../src/families/ahc/plain/styles.ts';
import { programIn } from '../../src/families/ahc/problem/grade.ts';
import { findGrids } from '../../src/grids/parse.ts';
import { refuseSecrets } from '../../src/models/cassette/record.ts';
import { codeBlocks } from '../../src/text/code-blocks.ts';
import { modelJson } from '../../src/text/model-json.ts';
import { piecesOf } from '../../src/text/passages.ts';

function replyOf(text: string): ModelSuccess {
  return {
    ok: true,
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    finish: 'stop',
    usage: { tokens: null, costUsd: null },
  };
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  ...{ grids: findGrids, 'mathematics in text': mathPieces, HTML: asHtml, LaTeX: asLatex, YAML: readYaml },
  ...Object.fromEntries(
    profileNames.map((profile) => [`answers (${profile})`, (text: string) => extract(text, { profile })]),
  ),
  ...{
    'a plan': readPlan,
    'blocks of code': codeBlocks,
    sections: (text) => sectionFrom(text, 'Summary', ['Proof']),
  },
  ...{
    instructions: (text) => readInstruction(replyOf(text)),
    programs: (text) => readProgram(replyOf(text)),
  },
  outputs: (text) => readOutputs(replyOf(text), { train: 2, test: 2 }),
  'an object': (text) => objectIn({ text }),
  quotes: (text) => placesIn(text)(text.slice(0, 1_000)),
  'why a quote is nowhere': (text) => whyNowhere(text, `${text.slice(0, 1_000)}?!x`),
  'a confession': (text) => confessionIn(`### Summary ###\n${text}\n### Detailed Solution ###\n${text}`),
  talk: (text) => [withoutTalk(text), withoutTalk(text, { isSummary: true })],
  ...{ 'a verdict': (text) => [verdictIn(text), verdictIn(`Verdict: ${text}`), yesOrNo(`yes${text}`)] },
  'JSON of a model': (text) => [modelJson(text), modelJson(`{"a":"${text}"}`)],
  ...{ constants: liftConstants, functions: functionsIn, 'an idea': (text) => ideaIn(text, 'none') },
  ...{ 'runs of tokens': (text) => tokensOf(text, false), 'a wish': meaningByRules, pieces: piecesOf },
  ...{ directives: (text) => directivesOf(text.split('\n')), 'a program': programIn },
  ...{ 'a format': shapeOf, 'words of a format': gluedIn, 'an output': stepsOfFormat },
  hints: (text) => hintsIn(text, text),
  secrets: (text) => expect(() => refuseSecrets(text)).not.toThrow(/stack/),
};

const signs = [...'`~"\'()[]{}<>|\\/*_#=+-.,:;!?&%$^0aé\n\t\r\u2028\u2029\ue000\u00a0 '];
const words = [
  ...[
    '```',
    '~~~',
    '```x\n',
    '```\u2028',
    '$$',
    '\\(',
    '\\[',
    '\\boxed{',
    '\\begin{align}',
    '\\text{',
    '\\message{',
  ],
  ...[
    '&#xe000;',
    '&amp;',
    '<answer>',
    'answer: ',
    'answer is ',
    'the ',
    '\n\n',
    '\r\n',
    '\n ',
    ' \u2028',
    '- ',
    '1. ',
  ],
  ...[
    '[[',
    '[1],',
    '[[1,',
    '0 0\n',
    '1,',
    '"a":',
    'a: [',
    '&a ',
    'k: 1\n',
    'PLAN:',
    '\nidea: ',
    'Train 1: ',
    'Done: ',
  ],
  ...[
    '// tune: ',
    'int a=5;',
    '"\\',
    "'\\",
    'R"(',
    '/*',
    '#include ',
    'f() {\n',
    'x^',
    '=0,',
    '0 < a, ',
    'Cookie:',
    '-eyJ',
  ],
];
const odd = [...'`[$"\\(.\n \u2028'];

/** What grows with the square takes 16 times as long. The least of three tries is what the reader needs. */
function expectLinear(read: (text: string) => unknown, unit: string, length: number): void {
  const whole = unit.repeat(length / unit.length);
  let long = cpuMs(() => read(whole));
  if (long < 200) return;
  const quarter = unit.repeat(length / 4 / unit.length);
  let short = cpuMs(() => read(quarter));
  for (let again = 0; again < 2 && long / short >= 9; again++) {
    long = Math.min(
      long,
      cpuMs(() => read(whole)),
    );
    short = Math.min(
      short,
      cpuMs(() => read(quarter)),
    );
  }
  expect(
    long / short,
    `${JSON.stringify(unit)}: ${quarter.length} characters ${short} ms, ${whole.length} ${long} ms`,
  ).toBeLessThan(9);
}

function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

describe.each(Object.entries(readers))('%s', (_name, read) => {
  test('a sign or a word that is repeated', () => {
    for (const unit of [...signs, ...words]) expectLinear(read, unit, 48_000);
  });

  test('two signs in turn', () => {
    for (const one of odd)
      for (const other of odd) if (one !== other) expectLinear(read, one + other, 32_000);
  });
});

test('a run of backticks with a line separator behind each hung the reader of grids for minutes', () => {
  expect(findGrids(`${'`\u2028'.repeat(100_000)}\n1 2\n3 4`)).toMatchObject([
    {
      grid: [
        [1, 2],
        [3, 4],
      ],
    },
  ]);
  expect(findGrids('1 2\u20283 4\u2029')).toMatchObject([
    {
      grid: [
        [1, 2],
        [3, 4],
      ],
    },
  ]);
});

test('what ends a list as none ends those within it, and a list that is whole is found', () => {
  expect(findGrids(`${'['.repeat(100_000)}(`)).toEqual([]);
  expect(findGrids(`[${'['.repeat(50)} [[1, 2], [3, 4]], foo(1)`)).toMatchObject([
    {
      grid: [
        [1, 2],
        [3, 4],
      ],
    },
  ]);
  expect(findGrids('['.repeat(20_000) + ']'.repeat(20_000)).length).toBeLessThan(20_000);
});
