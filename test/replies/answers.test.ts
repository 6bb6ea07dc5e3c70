/** Replies to questions: the answer that a careful reader takes from each is found, and equal to it. */
import { describe, expect, test } from 'vitest';
import { moveIn } from '../../src/agents/ensemble/react.ts';
import { assistant, readAnswer } from '../../src/agents/kit/asking.ts';
import { extract, openAnswers, profileNames } from '../../src/answers/index.ts';
import type { Answer, Problem } from '../../src/core/problem.ts';
import { bare, type Case, casesOf, finishOf, missesIn } from './suite.ts';

const answers = await openAnswers();

const profiles = { number: 'number', math: 'math', choice: 'choice' } as const;

type Form = keyof typeof profiles;

function isForm(form: string | undefined): form is Form {
  return form !== undefined && form in profiles;
}

function problemOf(profile: Form): Problem {
  return {
    spec: {
      ...{
        family: 'qa',
        id: '',
        title: '',
        reference: {},
        contentHash: '',
        statement: [],
        stages: [],
        detail: {},
      },
      brief: { task: '', answerFormat: '', criteria: '', environment: '' },
    },
    parse(reply) {
      const { answer, how } = extract(reply, { profile });
      return answer ? { type: 'text', text: answer.text } : { type: 'misfit', feedback: how };
    },
  };
}

const isOfAnswer = ({ form, takes }: Case): boolean =>
  isForm(form) && 'answer' in takes && !('program' in takes);

function isRead(each: Case): boolean {
  if (!isForm(each.form)) return false;
  if (finishOf(each) !== 'stop') return isTaken(each, null);
  const read = readAnswer(problemOf(each.form), each.reply);
  return isTaken(each, read.ok ? read.value : null);
}

function isUnread({ form, reply }: Case): boolean {
  return isForm(form) && !readAnswer(problemOf(form), reply).ok;
}

function isTaken(each: Case, answer: Answer | null): boolean {
  const text = answer?.type === 'text' ? answer.text : null;
  const { answer: gold = null } = each.takes;
  if (typeof gold !== 'string' || text === null) return gold === text;
  return answers.equal(gold, text, {}).equal;
}

/** As its question says, in several languages: then no program is run any more. */
const isLast = ({ question }: Case) => /^(?:step 7 of 7|last step|最後のステップ)/.test(question);

function isMoveRead(each: Case): boolean {
  if (!isForm(each.form)) return false;
  const reply = { text: each.reply, finish: finishOf(each), message: assistant(each.reply) } as const;
  const move = moveIn(problemOf(each.form), reply, { mayAct: !isLast(each) });
  const { program } = each.takes;
  if (typeof program === 'string') return move.kind === 'action' && bare(move.code) === bare(program);
  return move.kind !== 'action' && isTaken(each, move.kind === 'answer' ? move.answer : null);
}

// Their last sentence holds several numbers, and nothing marks the answer: they are asked about, and never read wrongly.
const asked = new Set(['single-call-189', 'single-call-200', 'single-call-203']);

// A box that holds "Unknown" may be an answer; more often its writer has none.
const arguable = new Set(['chain-138']);

describe('of the replies to questions', () => {
  test.each([
    ['single-call', ['solver']],
    ['chain', ['solver', 'reviewer']],
    ['ensemble', ['solver', 'reviewer']],
  ] as const)('%s: the answer is found', (agent, roles) => {
    const cases = casesOf(agent, ...roles).filter((each) => isOfAnswer(each) && !arguable.has(each.id));
    const misses = missesIn(cases, (each) => (asked.has(each.id) ? isUnread(each) : isRead(each)));
    expect(misses, `${cases.length - misses.length} of ${cases.length}`).toEqual([]);
  });

  test('react: the action or the answer is found', () => {
    const misses = missesIn(casesOf('react', 'solver'), isMoveRead);
    expect(misses).toEqual([]);
  });

  test.each(profileNames)('a refusal is no vote, however the answer was asked for: %s', (profile) => {
    const cases = ['single-call', 'chain', 'react'].flatMap((agent) => casesOf(agent));
    const refusals = cases.filter(
      (each) => each.takes.why === 'refusal' && isForm(each.form) && !('summary' in each.takes),
    );
    expect(refusals.length).toBeGreaterThan(70);
    expect(missesIn(refusals, ({ reply }) => extract(reply, { profile }).answer === null)).toEqual([]);
  });
});
