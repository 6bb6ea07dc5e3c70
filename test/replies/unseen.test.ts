/**
 * 300 replies by two writers who had seen neither readers nor prompts, with what a careful person takes from each; `null`
 * where such a person would ask. What is read of them may only grow, and what is guessed only shrink.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { extract, openAnswers } from '../../src/answers/index.ts';
import type { Json } from '../../src/core/json.ts';
import { answerIn } from '../../src/families/arc/answer.ts';
import { goldFormOf, profileFor } from '../../src/families/qa/data-set.ts';
import { pythonIn } from '../../src/text/code-blocks.ts';
import { jsonInReply } from '../../src/text/model-json.ts';
import { bare } from './suite.ts';

type Kind = 'answer' | 'grid' | 'program' | 'object';
type Row = {
  readonly id: string;
  readonly kind: Kind;
  readonly question: string;
  readonly reply: string;
  readonly takes: Json;
};
/** `asked`: nothing is read, and nothing should be. `unread`: something should be. */
type Outcome = 'right' | 'asked' | 'unread' | 'wrong';

const rows = readFileSync(join(import.meta.dirname, 'unseen.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);
const answers = await openAnswers();

/** Whether what is read is what is meant; null where nothing is read. */
const readers: Readonly<Record<Kind, (row: Row) => boolean | null>> = {
  answer({ reply, takes }) {
    const gold = typeof takes === 'string' ? takes : null;
    const profile = gold === null ? 'math' : profileFor(goldFormOf([gold]), [gold]);
    const { answer } = extract(reply, { profile });
    return answer && gold !== null && answers.equal(gold, answer.text).equal;
  },
  grid({ question, reply, takes }) {
    const named = Math.max(1, ...Object.keys(takes ?? {}).map(Number));
    const isOfTwo =
      /\btest(?:\s?inputs?)? ?2\b(?![×x])|tests? 1 and 2|inputs 1 and 2|(?:two|both|zwei) test/i;
    const answer = answerIn(reply, Math.max(named, isOfTwo.test(question) ? 2 : 1));
    return answer.type === 'grids' ? isDeepStrictEqual(answer.attempts, Object.values(takes ?? {})) : null;
  },
  program({ reply, takes }) {
    const program = pythonIn(reply);
    const unspaced = (text: string) => bare(text).replaceAll(/[ \t]+$/gm, '');
    return program?.isClosed ? typeof takes === 'string' && unspaced(program.code) === unspaced(takes) : null;
  },
  object({ reply, takes }) {
    const object = jsonInReply(reply);
    return typeof object === 'object' ? isDeepStrictEqual(object, takes) : null;
  },
};

function outcomeOf(row: Row): Outcome {
  const isRight = readers[row.kind](row);
  if (isRight === null) return row.takes === null ? 'asked' : 'unread';
  return isRight && row.takes !== null ? 'right' : 'wrong';
}

/** At first: answers 47 right, 55 wrong; grids 25 and 4; programs 15 and 17; objects 10 and 3. */
test.each([
  ['answer', { right: 47, wrong: 45 }],
  ['grid', { right: 39, wrong: 2 }],
  ['program', { right: 15, wrong: 17 }],
  ['object', { right: 10, wrong: 3 }],
] as const)('%s: read as a careful person reads it', (kind, { right, wrong }) => {
  const counts = { right: 0, asked: 0, unread: 0, wrong: 0 };
  for (const row of rows.filter((each) => each.kind === kind)) counts[outcomeOf(row)] += 1;
  expect(counts.right, JSON.stringify(counts)).toBeGreaterThanOrEqual(right);
  expect(counts.wrong, JSON.stringify(counts)).toBeLessThanOrEqual(wrong);
});
