/** Replies to questions: the answer that a careful reader takes from each is found, and equal to it. */
import { describe, expect, test } from 'vitest';
import { readReply } from '../../src/agents/ensemble/asking.ts';
import { extract, openAnswers } from '../../src/answers/index.ts';
import type { Problem } from '../../src/core/problem.ts';
import { type Case, casesOf, finishOf, missesIn } from './suite.ts';

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
  const { answer } = readReply(problemOf(each.form), { text: each.reply, finish: finishOf(each) });
  const text = answer?.type === 'text' ? answer.text : null;
  const { answer: gold = null } = each.takes;
  if (typeof gold !== 'string' || text === null) return gold === text;
  return answers.equal(gold, text, {}).equal;
}

describe('of the replies to questions', () => {
  test.each([
    ['single-call', ['solver']],
    ['chain', ['solver', 'reviewer']],
    ['ensemble', ['solver', 'reviewer']],
  ] as const)('%s: the answer is found', (agent, roles) => {
    const cases = casesOf(agent, ...roles).filter(isOfAnswer);
    const misses = missesIn(cases, isRead);
    expect(misses, `${cases.length - misses.length} of ${cases.length}`).toEqual([]);
  });
});
