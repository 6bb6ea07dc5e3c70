/**
 * Every reader of what a model, a site or a program wrote. One test holds each of them linear, `npm run fuzz` feeds them
 * with anything; a reader throws what it explains, and nothing else. A test of the house asks for those that are missing.
 */

import { parseRecommendation, readPlan, typeNamed } from '../../src/agents/ensemble/planner.ts';
import { isErrorLine } from '../../src/agents/ensemble/program.ts';
import { readInstruction, readOutputs, readProgram } from '../../src/agents/induction-graph/replies.ts';
import { cutBefore, cutBehind, sectionFrom, textBefore } from '../../src/agents/kit/sections.ts';
import { draftIn } from '../../src/agents/proof/attempt.ts';
import { readReport } from '../../src/agents/proof/grader.ts';
import { placesIn, whyNowhere } from '../../src/agents/proof/quotes.ts';
import { clause, extractIdea, objectIn } from '../../src/agents/search/asking.ts';
import { constantsNamed, liftConstants, readRange } from '../../src/agents/search/constants.ts';
import { blocksIn } from '../../src/agents/search/operators/blocks-in-reply.ts';
import { functionsIn } from '../../src/agents/search/operators/change.ts';
import { extractProgram } from '../../src/agents/search/operators/proposal-in-reply.ts';
import { familyNamed } from '../../src/agents/search/population.ts';
import { affirmedOption, choiceLetter } from '../../src/answers/extraction/choice.ts';
import { withoutNotes } from '../../src/answers/extraction/notes.ts';
import { unmarkedCandidates } from '../../src/answers/extraction/unmarked.ts';
import { extract, isRefusal, profileNames } from '../../src/answers/index.ts';
import { pageOfStatement } from '../../src/apps/ahc/intake/own-statement.ts';
import { parseTaskPage } from '../../src/apps/ahc/intake/page.ts';
import { toStatementMarkdown } from '../../src/apps/ahc/intake/problem.ts';
import { parseSchedule } from '../../src/apps/ahc/intake/source.ts';
import { splitMath } from '../../src/apps/proof/export/math.ts';
import { renderedForPage } from '../../src/apps/proof/export/page-html.ts';
import { csvCell } from '../../src/core/csv.ts';
import { describePartialText, excerpt } from '../../src/core/cut-off.ts';
import { ExplainedError } from '../../src/core/errors.ts';
import type { ModelSuccess } from '../../src/core/model.ts';
import { readYaml } from '../../src/core/yaml.ts';
import { parseDirectives } from '../../src/families/ahc/bundle.ts';
import { parseLayer } from '../../src/families/ahc/config/layer.ts';
import { featureNames } from '../../src/families/ahc/features.ts';
import { scoreIn } from '../../src/families/ahc/judge/verdict.ts';
import { programIn } from '../../src/families/ahc/problem/grade.ts';
import {
  answerOf,
  inputsOf,
  isOneValue,
  programOf,
  ToolMisuseError,
} from '../../src/families/aoc/arguments.ts';
import { parseGuesses } from '../../src/families/aoc/guesses.ts';
import {
  hasLogInLink,
  parseDayPage,
  parseReply,
  plainText,
  toMarkdown as puzzleMarkdown,
} from '../../src/families/aoc/page.ts';
import { languageOf } from '../../src/families/aoc/reference.ts';
import { answerIn } from '../../src/families/arc/answer.ts';
import { rubricFrom } from '../../src/families/proof/family.ts';
import { problemsIn } from '../../src/families/proof/problems.ts';
import { firstTexLine, readTexDocument } from '../../src/families/proof/tex-document.ts';
import { recordsOf } from '../../src/families/qa/records.ts';
import { placeGrids } from '../../src/grids/assignment.ts';
import { findGrids, parseGrids } from '../../src/grids/parse.ts';
import { linesOf } from '../../src/grids/parse-text.ts';
import { rawFinishOf, readFinishReason, unknownFinishNotice } from '../../src/models/finish-reasons.ts';
import { assertNoSecrets } from '../../src/models/record-script.ts';
import { redact } from '../../src/models/redact.ts';
import { parseToolArgs } from '../../src/models/reply.ts';
import { parseScript } from '../../src/models/script-file.ts';
import { durationMs, waitIn } from '../../src/models/wait-value.ts';
import { gridOf } from '../../src/notes/induction.ts';
import { toMarkdown } from '../../src/pages/markdown.ts';
import { digestMessages } from '../../src/sandbox/messages/digest.ts';
import { readGnuMessages } from '../../src/sandbox/messages/gnu.ts';
import {
  readLineMessages,
  readPythonMessages,
  readRustMessages,
} from '../../src/sandbox/messages/readers.ts';
import { codeBlocks, firstPythonIn, pythonIn } from '../../src/text/code-blocks.ts';
import { codeTokens, cppTokens, lineCounter } from '../../src/text/cpp-tokens.ts';
import { escapeControls, oneLine } from '../../src/text/format.ts';
import { describeJsonError } from '../../src/text/json-faults.ts';
import { renderMarkup } from '../../src/text/markup.ts';
import { endOfObject, jsonInReply, modelJson } from '../../src/text/model-json.ts';
import { namedCallsIn } from '../../src/text/named-calls.ts';
import { escapeForTerminal } from '../../src/text/paint.ts';
import { splitText } from '../../src/text/passages.ts';
import { fitToWidth, padded, widthOf, wrapped, wrapWords } from '../../src/text/wrap.ts';
import { containsWrittenCall, parseWrittenCalls } from '../../src/text/written-calls.ts';

function replyOf(text: string): ModelSuccess {
  return {
    ok: true,
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    finish: 'stop',
    usage: { tokens: null, costUsd: null },
  };
}

const toolA = { name: 'a', parameters: ['b'], required: ['b'] };

export const readers: Readonly<Record<string, (text: string) => unknown>> = {
  ...{
    grids: findGrids,
    'mathematics in text': splitMath,
    'HTML of the page': renderedForPage,
    YAML: readYaml,
  },
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
  'an object': (text) => objectIn({ text, finish: 'stop' }),
  quotes: (text) => placesIn(text)(text.slice(0, 1_000)),
  'why a quote is nowhere': (text) => whyNowhere(text, `${text.slice(0, 1_000)}?!x`),
  'a draft': (text) => draftIn(`### Summary ###\n${text}\n### Detailed Solution ###\n${text}`),
  notes: withoutNotes,
  'a report of a grader': (text) =>
    readReport(
      { text: `Findings: ${text}\nVerdict: ${text}`, object: undefined },
      { grading: 'verdict', passPoints: 7 },
    ),
  'calls in words': (text) => [
    parseWrittenCalls(text),
    containsWrittenCall(`<tool_call>${text}`, [toolA]),
    ...[`<a><b>${text}`, `a(b="${text}`, `a(b=[${text}`, `Action: a\nAction Input: ${text}`].map((each) =>
      namedCallsIn(each, [toolA]),
    ),
    describeJsonError(`{"a": "${text}`),
  ],
  'an excerpt': (text) => [excerpt(text), describePartialText(text)],
  'JSON of a model': (text) => [modelJson(text), modelJson(`{"a":"${text}"}`), endOfObject(`{${text}`, 0)],
  ...{
    constants: liftConstants,
    functions: functionsIn,
    'an idea': (text) => [extractIdea(text, 'none'), clause(text)],
  },
  pieces: splitText,
  directives: (text) => parseDirectives(text.split('\n')),
  'a program': programIn,
  'names of a format': featureNames,
  secrets: (text) => explained(() => assertNoSecrets(text)),
  'an object of a reply': jsonInReply,
  arguments: parseToolArgs,
  places: blocksIn,
  'the program of a reply': (text) => extractProgram(text),
  'Python in a reply': (text) => [pythonIn(text), firstPythonIn(text)],
  'lines of C++': (text) => [
    constantsNamed(text, 'a'),
    lineCounter(text)(text.length),
    cppTokens(text),
    codeTokens(text),
  ],
  'a name of a plan': (text) => [typeNamed(text), parseRecommendation(text)],
  'a passage': (text) => [
    textBefore(text, 'Proof'),
    cutBehind(text, 'x'),
    cutBefore(text, 'x'),
    familyNamed(text),
    isErrorLine(text),
  ],
  'wishes of a person': (text) => readRange(text, false),
  ...{
    'grids of a task': (text) => parseGrids(text, 2),
    'lines of grids': (text) => linesOf(text),
    'places of grids': (text) => placeGrids(text, findGrids(text)),
    'an answer in grids': (text) => answerIn(text, 2),
    'a grid of a note': gridOf,
  },
  refusal: isRefusal,
  'a letter of a choice': choiceLetter,
  'an option without a mark': affirmedOption,
  'an answer that nothing marks': (text) => unmarkedCandidates(text, 'any'),
  'a call of a puzzle': (text) =>
    explained(() => [
      programOf({ code: text }, []),
      languageOf(text),
      answerOf({ answer: text }),
      isOneValue(text),
      inputsOf({ inputs: text }),
    ]),
  ...{
    'a page': (text) => toMarkdown(text),
    'a page in a table': (text) => toMarkdown(`<table><tr><td>${text}`),
    'a page in a format': (text) => toMarkdown(`<pre>${text}`),
  },
  'a page of a puzzle': (text) => [
    parseDayPage(`<article class="day-desc">${text}`),
    puzzleMarkdown(text),
    plainText(text),
    hasLogInLink(text),
  ],
  'the end of a reply': (text) => [readFinishReason(text), rawFinishOf(text), unknownFinishNotice(text)],
  'a wait': (text) => [waitIn(text, 0), durationMs(text)],
  'a verdict of a site': (text) => explained(() => [parseReply(`<article>${text}`), parseGuesses(text)]),
  'a page of a contest': (text) =>
    explained(() => [
      parseTaskPage(text),
      parseTaskPage(pageOfStatement(text)),
      parseSchedule(text),
      toStatementMarkdown(text, String),
    ]),
  'what a tool says': (text) => scoreIn(`${text}\nScore = 1\n${text}`),
  'what a compiler says': (text) =>
    [readGnuMessages, readRustMessages, readPythonMessages, readLineMessages].map((read) =>
      digestMessages(text, read),
    ),
  'a table of questions': (text) =>
    explained(() => [recordsOf(text, 'a.csv'), recordsOf(text, 'a.jsonl'), recordsOf(text, 'a.tsv')]),
  'a document in TeX': (text) => [readTexDocument(text), firstTexLine(text)],
  'problems of a file': (text) => explained(() => [problemsIn(text, 'a.md'), rubricFrom(text, 'a.yaml')]),
  'files of a user': (text) => explained(() => [parseScript(text, 'a.yaml'), parseLayer('a', text)]),
  ...{
    'a text for people': (text) => [
      escapeControls(text),
      escapeForTerminal(text, '4711'),
      renderMarkup(text),
      oneLine(text),
      csvCell(text),
      wrapped(text, 80),
      widthOf(text),
      fitToWidth(text, 80),
      padded(text, 80),
      wrapWords(text, 80),
    ],
  },
  'a text with secrets': (text) => redact(text, ['a-secret-of-mine']),
};

/** What a user is told is no fault of the reader. */
function explained<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof ExplainedError || error instanceof ToolMisuseError) return error.message;
    throw error;
  }
}
