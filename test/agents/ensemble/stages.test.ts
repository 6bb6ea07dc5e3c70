/** The four stages of the ensemble, each of their branches once, through the store; every run is replayed. */

import { describe, expect, test } from 'vitest';
import { coded } from '../../support/coded.ts';
import { failure, planned, played, prints, refusal, states, wordsOf } from '../../support/ensemble.ts';
import { said } from '../../support/odd.ts';
import { toyInfo } from '../../support/toy-sandbox.ts';

const python = { planner: [planned('Use Python')] };
const reasoning = { planner: [planned('Use Reasoning')] };
const text = (value: string) => ({ type: 'text', text: value });

describe('plan', () => {
  test('Python asks two programs and a chain; the plan goes to both, the type to the chain', async () => {
    const { end, notes, of, asked, replay } = await played({
      lines: {
        ...python,
        'program-1': [prints('42')],
        'chain-1': [states('43')],
        'program-2': [prints('42')],
      },
    });
    expect(end).toMatchObject({ outcome: 'solved', solution: { end: 'answered', answer: text('42') } });
    expect(new Set(asked.map(({ place }) => place))).toEqual(
      new Set(['planner', 'program-1', 'program-2', 'chain-1']),
    );
    for (const place of ['program-1', 'chain-1']) expect(wordsOf(of(place)[0])).toContain('Add, then halve.');
    expect(wordsOf(of('chain-1')[0])).toContain('of this type: Math');
    expect(wordsOf(of('program-1')[0])).not.toContain('of this type');
    expect(of('planner')[0]?.output?.name).toBe('plan');
    expect(notes.plan).toMatchObject({
      recommendation: 'python',
      recommended: 'stated',
      reading: 'structured',
    });
    expect(notes.decision).toMatchObject({ by: 'vote', samples: [1, 3], answer: text('42') });
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('reasoning asks two chains and react, which is told the question alone', async () => {
    const { end, of, notes } = await played({
      lines: { ...reasoning, 'chain-1': [states('1')], 'chain-2': [states('42')], 'react-1': [states('42')] },
      settings: { earlyStop: false },
    });
    expect(end.outcome).toBe('solved');
    expect(wordsOf(of('react-1')[0])).not.toMatch(/Add, then halve|of this type/);
    expect(wordsOf(of('react-1')[0])).toContain('half of 80');
    expect(notes.samples.map(({ name }) => name)).toEqual(['chain-1', 'chain-2', 'react-1']);
  });

  test('three labelled fields do as well, and what is recommended there counts', async () => {
    const plan =
      '**PROBLEM_TYPE:** Math\n**PLAN:**\n1. Add.\n2. Halve.\n**STRATEGY_RECOMMENDATION:** Use Python';
    const lines = {
      planner: [plan],
      'program-1': [prints('42')],
      'program-2': [prints('42')],
      'chain-1': [states('1')],
    };
    const { notes, of } = await played({ lines });
    expect(notes.plan).toMatchObject({
      reading: 'labelled',
      recommendation: 'python',
      plan: '1. Add.\n2. Halve.',
    });
    const labelled = await played({ lines, settings: { planner: 'labelled' } });
    expect(labelled.of('planner')[0]?.output).toBeUndefined();
    expect(wordsOf(labelled.of('planner')[0])).toContain('STRATEGY_RECOMMENDATION');
    expect(wordsOf(of('planner')[0])).not.toContain('STRATEGY_RECOMMENDATION');
  });

  test.each([
    ['an unknown recommendation', planned('Use Magic'), { recommended: 'unknown', reading: 'structured' }],
    ['no recommendation', { plan: 'Add.' }, { recommended: 'missing', reading: 'structured' }],
    ['no plan at all', 'I would rather not plan.', { recommended: 'missing', reading: 'none', plan: '' }],
    [
      'a planner that refuses',
      refusal,
      { recommended: 'missing', reading: 'none', detail: 'The planner refused.' },
    ],
    ['a planner that only thinks', failure('malformed'), { recommended: 'missing', reading: 'none' }],
  ] as const)('%s means reasoning, and is counted', async (_name, plan, found) => {
    const lines = {
      planner: [plan],
      'chain-1': [states('42')],
      'chain-2': [states('42')],
      'react-1': [states('42')],
    };
    const { end, notes, of } = await played({ lines });
    expect(end.outcome).toBe('solved');
    expect(notes.plan).toMatchObject({ recommendation: 'reasoning', ...found });
    if (notes.plan?.plan === '') expect(wordsOf(of('chain-1')[0])).not.toContain('this plan');
  });

  test('labels in the place of JSON are read as they are: they cost a second call', async () => {
    const plan = 'PROBLEM_TYPE: Math\nPLAN: Add.\nSTRATEGY_RECOMMENDATION: Use Reasoning';
    const lines = {
      planner: [plan, planned('Use Python')],
      'chain-1': [states('42')],
      'chain-2': [states('42')],
    };
    const { notes, of } = await played({ lines });
    expect(of('planner')).toHaveLength(1);
    expect(of('planner')[0]?.output?.repair, 'nor does the run ask again').toBe(false);
    expect(notes.plan).toMatchObject({ reading: 'labelled', recommendation: 'reasoning' });
  });

  test('a planner that says nothing of the kind is asked once more, for labels', async () => {
    const plan = 'PROBLEM_TYPE: Math\nPLAN: Add.\nSTRATEGY_RECOMMENDATION: Use Python';
    const lines = {
      ...python,
      planner: ['Well.', plan],
      'program-1': [prints('42')],
      'program-2': [prints('42')],
    };
    const { notes, of } = await played({ lines });
    expect(of('planner')).toHaveLength(2);
    expect(of('planner')[1]?.output).toBeUndefined();
    expect(wordsOf(of('planner')[1])).toMatch(/Well\..*STRATEGY_RECOMMENDATION/);
    expect(notes.plan).toMatchObject({ reading: 'labelled', recommendation: 'python' });
  });

  test('a provider that is not there ends the run, to be resumed', async () => {
    const { end } = await played({ lines: { planner: [failure('auth')] } });
    expect(end.outcome).toBe('error');
    expect(end.again).toHaveLength(1);
  });

  test('the strategies are a setting', async () => {
    const { notes } = await played({
      lines: { ...python, 'react-1': [states('42')], 'react-2': [states('42')] },
      settings: { strategies: { python: ['react', 'react'] } },
    });
    expect(notes.samples.map(({ name }) => name)).toEqual(['react-1', 'react-2']);
  });
});

describe('the reviewer', () => {
  const chains = { 'chain-1': [states('41')], 'chain-2': [states('41')], 'react-1': [states('40')] };
  const logic = { planner: [planned('Use Reasoning', 'Logic')] };
  const reviews = {
    'chain-1/reviewer': ['The halving is wrong.\n\nFinal answer: 42'],
    'chain-2/reviewer': [states('42')],
  };
  const putOff = {
    'chain-1-review/reviewer': reviews['chain-1/reviewer'],
    'chain-2-review/reviewer': reviews['chain-2/reviewer'],
  };
  const isReviewer = ({ place }: { readonly place: string }) => place.endsWith('reviewer');

  test.each(['Logic', 'Common Sense'])(
    'looks a second time for %s, and what it corrects counts',
    async (type) => {
      const { end, of, notes } = await played({
        lines: { planner: [planned('Use Reasoning', type)], ...chains, ...reviews },
        settings: { spareReviews: false },
      });
      expect(end.outcome).toBe('solved');
      expect(wordsOf(of('chain-1/reviewer')[0])).toContain('It is $41$.');
      expect(notes.samples[0]).toMatchObject({ review: 'changed', answer: text('42') });
    },
  );

  describe('two reviews out of twelve calls changed nothing: where answers agree they are spared', () => {
    const differing = { ...chains, 'chain-2': [states('42')] };

    test('two chains that agree decide without a second look', async () => {
      const { asked, notes, replay } = await played({ lines: { ...logic, ...chains, ...putOff } });
      expect(asked.map(({ place }) => place).toSorted()).toEqual(['chain-1', 'chain-2', 'planner']);
      expect(notes.decision).toMatchObject({ by: 'vote', answer: text('41') });
      expect(notes.samples.map(({ review }) => review)).toEqual([null, null]);
      expect(replay).toMatchObject({ isSame: true });
    });

    test('where they differ both are looked at, before a third is asked', async () => {
      const { end, asked, of, notes, replay } = await played({
        lines: { ...logic, ...differing, ...putOff },
      });
      expect(end.outcome).toBe('solved');
      expect(asked.filter(isReviewer)).toHaveLength(2);
      expect(of('react-1')).toEqual([]);
      expect(wordsOf(of('chain-1-review/reviewer')[0])).toContain('It is $41$.');
      expect(notes.samples).toHaveLength(2);
      expect(notes.samples[0]).toMatchObject({ name: 'chain-1', review: 'changed', answer: text('42') });
      expect(notes.samples[1]).toMatchObject({ name: 'chain-2', review: 'confirmed' });
      expect(replay).toMatchObject({ isSame: true });
    });

    test.each([
      [
        'one vote alone decides',
        { votesToWin: 1, strategies: { reasoning: ['chain'] } },
        ['chain-1-review/reviewer'],
      ],
      ['everybody is asked', { earlyStop: false }, ['chain-1/reviewer', 'chain-2/reviewer']],
    ])('where %s, nothing is spared', async (_name, settings, places) => {
      const { end, asked, replay } = await played({
        lines: { ...logic, ...chains, ...reviews, ...putOff },
        settings,
      });
      expect(end.outcome).toBe('solved');
      expect(asked.filter(isReviewer).map(({ place }) => place)).toEqual(places);
      expect(replay).toMatchObject({ isSame: true });
    });

    test('a chain that came to nothing has none, and the other one is looked at', async () => {
      const { end, asked } = await played({
        lines: {
          ...logic,
          ...putOff,
          'chain-1': [states('41')],
          'react-1': [states('42')],
          'chain-2': [refusal],
        },
      });
      expect(end.outcome).toBe('solved');
      expect(asked.filter(isReviewer).map(({ place }) => place)).toEqual(['chain-1-review/reviewer']);
    });

    test('a limit that refuses a review leaves the answer as it was', async () => {
      const { end, notes } = await played({
        lines: { ...logic, ...differing, ...putOff },
        limits: { modelCalls: 3 },
      });
      expect(end.outcome).toBe('gave-up');
      expect(notes.samples).toMatchObject([{ answer: text('41') }, { answer: text('42') }]);
      expect(notes.decision).toMatchObject({ by: 'plurality', answer: text('41') });
    });

    test('a reviewer who is not there ends the run, to be resumed', async () => {
      const gone = {
        'chain-1-review/reviewer': [failure('auth')],
        'chain-2-review/reviewer': [states('42')],
      };
      const { end } = await played({ lines: { ...logic, ...differing, ...gone } });
      expect(end).toMatchObject({ outcome: 'error', again: [expect.anything()] });
    });
  });

  test('does not for Math, and one without an answer changes nothing', async () => {
    const math = await played({ lines: { ...reasoning, ...chains } });
    expect(math.asked.some(({ place }) => place.endsWith('reviewer'))).toBe(false);
    const vague = await played({
      settings: { earlyStop: false },
      lines: {
        planner: [planned('Use Reasoning', 'logic puzzle')],
        ...chains,
        'chain-1/reviewer': ['I am not sure about any of this. '.repeat(20)],
        'chain-2/reviewer': [states('41.0')],
      },
    });
    const reviews = vague.notes.samples.map(({ review }) => review);
    expect(reviews.slice(0, 2)).toEqual(['unclear', 'confirmed']);
    expect(vague.end.solution?.answer).toMatchObject({ type: 'text' });
  });
});

describe('a reviewer who refuses or fails', () => {
  const cut = { ...said('There are 40 and 4, so that'), finish: 'length' } as const;
  test.each([
    ['refuses', refusal],
    ['fails', failure('malformed')],
    ['is cut off', cut],
  ])(
    'one that %s takes no answer away: it was dropped, and two right chains lost the vote',
    async (_, line) => {
      const { end, notes } = await played({
        lines: {
          planner: [planned('Use Reasoning', 'Logic')],
          'chain-1': [states('42')],
          'chain-2': [states('42')],
          'react-1': [states('40')],
          'chain-1/reviewer': [line],
          'chain-2/reviewer': [line],
        },
        settings: { earlyStop: false },
      });
      expect(end.outcome).toBe('solved');
      expect(notes.samples[0]).toMatchObject({ review: 'unclear', answer: text('42'), failed: null });
      expect(notes.samples[0]?.detail).not.toBe('');
      expect(notes.decision).toMatchObject({ by: 'vote', samples: [1, 2] });
    },
  );
});

test('a chain that was cut off has no answer yet: the number it had come to was one', async () => {
  const cut = { ...said('First 80 + 4 = 84'), finish: 'length' } as const;
  const { of, end } = await played({ agent: 'chain', lines: { solver: [cut, states('42')] } });
  expect(wordsOf(of('solver')[1])).toContain('cut off');
  expect(end.outcome).toBe('solved');
  const boxed = { ...said('It is \\boxed{42}. To be sure, let us add 80 and'), finish: 'length' } as const;
  const stated = await played({ agent: 'chain', lines: { solver: [boxed] } });
  expect(stated.end).toMatchObject({ outcome: 'malformed' });
  expect(stated.end.solution?.detail).toContain('It would have answered 42');
  const how = 'The reply was cut off at its limit of tokens.';
  expect(stated.notes.samples[0]).toMatchObject({ failed: 'cut-off', cut: how, answer: null });
});

describe('program', () => {
  const others = { 'program-2': [prints('1')], 'chain-1': [states('42')] };

  test.each([
    ['does not run', '```python\nbroken\n```', 'did not compile'],
    ['prints nothing', '```python\n#\n```', 'printed nothing'],
    ['is not there', 'It is 42.', 'no Python program'],
    ['ends in no answer', prints('\\boxed{'), 'cannot be read as an answer'],
    ['prints its error and ends well', prints('Error: could not solve it'), 'tells of a failure'],
    ['prints what no function has returned', prints('None'), 'tells of a failure'],
  ])('one that %s is repaired, with what went wrong', async (_name, first, trouble) => {
    const { notes, of, end } = await played({
      lines: { ...python, ...others, 'program-1': [first, prints('42')] },
      settings: { earlyStop: false },
    });
    expect(end.outcome).toBe('solved');
    expect(notes.samples[0]).toMatchObject({ repairs: 1, answer: text('42') });
    const repair = of('program-1')[1]?.messages ?? [];
    expect(repair.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.stringify(repair.at(-1))).toContain(trouble);
    if (first.includes('broken')) expect(JSON.stringify(repair.at(-1))).toContain('broken');
  });

  test('after two repairs it has no vote', async () => {
    const { notes, of } = await played({
      lines: { ...python, ...others, 'program-1': ['nothing'], 'program-2': [prints('42')] },
      settings: { earlyStop: false },
    });
    expect(of('program-1')).toHaveLength(3);
    expect(notes.samples[0]).toMatchObject({ failed: 'program', repairs: 2, answer: null });
    expect(notes.decision).toMatchObject({ by: 'vote', samples: [2, 3] });
  });

  test('one whose model refuses its repair tells that there was one', async () => {
    const { notes } = await played({
      lines: { ...python, ...others, 'program-1': ['nothing', refusal], 'program-2': [prints('42')] },
      settings: { earlyStop: false },
    });
    expect(notes.samples[0]).toMatchObject({ failed: 'refused', repairs: 1, answer: null });
  });

  test('the last line that is not blank is the answer, whatever stands above it', async () => {
    const { end } = await played({
      agent: 'program',
      lines: { solver: ['```python\nsay 17 is no answer\nsay  42 \nsay  \n```'] },
    });
    expect(end).toMatchObject({ outcome: 'solved', solution: { answer: text('42') } });
  });

  test('a reply that was cut off within its program is not run', async () => {
    const cut = { ...said('```python\nsay 4'), finish: 'length' } as const;
    // A complete block behind which a reply was cut off "did not lead to an answer": it had never been run.
    const behind = { ...said(`${prints('41')}\nThis pri`), finish: 'length' } as const;
    for (const first of [cut, behind]) {
      const { of, end, notes } = await played({
        agent: 'program',
        lines: { solver: [first, prints('42')] },
      });
      const again = of('solver')[1]?.messages.at(-1)?.content;
      expect(again).toMatch(/^Your reply was cut off at its limit of tokens, so the program was not run\. /);
      expect(notes.samples[0]).toMatchObject({ repairs: 1 });
      expect(end.outcome).toBe('solved');
    }
  });
});

describe('the vote', () => {
  test('counts what is equal as mathematics, and says so', async () => {
    const { notes, end } = await played({
      spec: { problem: { question: 'One half?', answer: '1/2' } },
      lines: {
        ...python,
        'program-1': [prints('0.5')],
        'program-2': [prints('\\frac{2}{4}')],
        'chain-1': [states('0.25')],
      },
      settings: { earlyStop: false },
    });
    expect(end.outcome).toBe('solved');
    expect(notes.vote?.clusters.map(({ samples }) => samples)).toEqual([[1, 3], [2]]);
    expect(notes.vote?.explanation).toBe(
      '"0.5": 2 votes (program-1, program-2); "0.25": 1 vote (chain-1). "0.5" won, 2 are needed.',
    );
  });

  test('one vote is enough where the settings say so: the text of the specification', async () => {
    const lines = {
      ...python,
      'program-1': [prints('42')],
      'program-2': [prints('1')],
      'chain-1': [states('2')],
    };
    const { notes, end } = await played({ lines, settings: { votesToWin: 1 } });
    expect(end.outcome).toBe('solved');
    expect(notes.vote).toMatchObject({ isTie: true, winner: 0 });
    expect(notes.vote?.explanation).toContain('tied at the top');
    const undecided = await played({
      lines: { ...lines, 'self-correction': [states('9')] },
      settings: { votesToWin: 1, ties: 'undecided' },
    });
    expect(undecided.notes.decision).toMatchObject({ by: 'self-correction', answer: text('9') });
  });

  test('weights count, and are told', async () => {
    const { notes } = await played({
      lines: { ...python, 'program-1': [prints('1')], 'program-2': [prints('1')], 'chain-1': [states('42')] },
      settings: { weights: { chain: 2.5 } },
    });
    expect(notes.decision).toMatchObject({ by: 'vote', answer: text('42') });
    expect(notes.vote?.explanation).toContain('"42": weight 2.5 (chain-1)');
  });

  test('one after the other, the third is never asked when two agree, and what that saved is an estimate', async () => {
    const { notes, asked } = await played({
      lines: { ...reasoning, 'chain-1': [states('42')], 'chain-2': [states('42')] },
      settings: { atOnce: 1 },
    });
    expect(asked.map(({ place }) => place)).toEqual(['planner', 'chain-1', 'chain-2']);
    expect(notes.vote?.spared).toEqual([{ strategy: 'react', begun: false }]);
    expect(notes.vote?.savedTokensEstimate).toBe(notes.samples[0]?.tokens);
    expect(notes.vote).toMatchObject({ asked: 2, extra: 0 });
  });

  test('at once, what is still in flight is broken off when it cannot change anything', async () => {
    const slow = {
      'react-1': ['Thought: no.', 'Thought: no.', 'Thought: no.', 'Thought: no.', states('1')],
    };
    const { notes, events } = await played({
      lines: { ...reasoning, 'chain-1': [states('42')], 'chain-2': [states('42')], ...slow },
      settings: { certainty: null },
    });
    expect(notes.vote?.spared).toEqual([{ strategy: 'react', begun: true }]);
    expect(notes.samples).toHaveLength(2);
    expect(
      events.filter(({ branch, kind }) => branch === 'react-1' && kind === 'model-request').length,
    ).toBeLessThan(5);
  });

  test('while it is close more samples are asked for, up to so many', async () => {
    const lines = {
      ...reasoning,
      'chain-1': [states('42')],
      'chain-2': [states('1')],
      'react-1': [states('2')],
      'chain-3': [states('3')],
      'chain-4': [states('42')],
    };
    const { notes } = await played({ lines, settings: { maxSamples: 6 } });
    expect(notes.vote).toMatchObject({ asked: 5, extra: 2 });
    expect(notes.decision).toMatchObject({ by: 'vote', samples: [1, 5] });
    const fewer = await played({
      lines: { ...lines, 'self-correction': [states('42')] },
      settings: { maxSamples: 4 },
    });
    expect(fewer.notes.vote).toMatchObject({ asked: 4, winner: null });
    expect(fewer.notes.decision).toMatchObject({ by: 'self-correction' });
  });

  test('where nobody has an answer, nothing is close', async () => {
    const { notes } = await played({
      lines: {
        planner: ['no plan'],
        'chain-1': ['Hm. '.repeat(200)],
        'chain-2': [refusal],
        'react-1': [refusal],
        'self-correction': [states('42')],
      },
      settings: { maxSamples: 9 },
    });
    expect(notes.vote).toMatchObject({ asked: 3, clusters: [] });
    expect(notes.samples.map(({ failed }) => failed)).toEqual(['no-answer', 'refused', 'refused']);
  });
});

describe('self-correction and what comes after it', () => {
  const split = {
    ...reasoning,
    'chain-1': [states('41')],
    'chain-2': [states('43')],
    'react-1': [states('44')],
  };
  const lost = { ...reasoning, 'chain-1': [refusal], 'chain-2': [refusal], 'react-1': [refusal] };
  const one = { ...lost, 'chain-2': [states('42')] };

  test('three answers: it is told the question and all of them', async () => {
    const { end, notes, of } = await played({ lines: { ...split, 'self-correction': [states('42')] } });
    expect(end.outcome).toBe('solved');
    const words = wordsOf(of('self-correction')[0]);
    for (const part of ['half of 80', '- 41', '- 43', '- 44']) expect(words).toContain(part);
    expect(notes.decision).toMatchObject({
      by: 'self-correction',
      samples: [],
      selfCorrection: { failed: null },
    });
  });

  test('no answer at all: it is told that', async () => {
    const { notes, of } = await played({ lines: { ...lost, 'self-correction': [states('42')] } });
    expect(wordsOf(of('self-correction')[0])).toContain('None of those who tried');
    expect(notes.vote?.explanation).toBe('There is no vote: none of 3 samples came to an answer.');
    expect(notes.decision?.by).toBe('self-correction');
  });

  test('one answer and two failures are no win: two votes are needed', async () => {
    const { notes } = await played({ lines: { ...one, 'self-correction': [states('7')] } });
    expect(notes.vote?.explanation).toContain('2 of 3 samples came to no answer');
    expect(notes.decision).toMatchObject({ by: 'self-correction', answer: text('7') });
  });

  test.each([
    ['plurality', 'plurality', text('42'), 'answered'],
    ['abstain', 'abstention', null, 'gave-up'],
  ] as const)('a self-correction that yields nothing: %s', async (fallback, by, answer, end) => {
    const lines = { ...one, 'self-correction': ['I do not know. '.repeat(60)] };
    const run = await played({ lines, settings: { fallback } });
    expect(run.of('self-correction')).toHaveLength(2);
    expect(run.notes.decision).toMatchObject({ by, answer, selfCorrection: { failed: 'no-answer' } });
    expect(run.end.solution?.end).toBe(end);
    expect(run.end.solution?.detail).toContain(fallback);
    expect(run.replay).toMatchObject({ complete: true, isSame: true });
  });

  test('nothing at all to hand in is told as such', async () => {
    const { end, notes } = await played({ lines: { ...lost, 'self-correction': [refusal] } });
    expect(notes.decision).toMatchObject({ by: 'abstention', answer: null });
    expect(end).toMatchObject({ outcome: 'gave-up', solution: { end: 'gave-up' } });
  });

  test('it can be left out', async () => {
    const { asked, notes } = await played({ lines: split, settings: { selfCorrection: false } });
    expect(asked.some(({ place }) => place === 'self-correction')).toBe(false);
    expect(notes.decision).toMatchObject({ by: 'plurality', answer: text('41'), selfCorrection: null });
  });
});

describe('trouble', () => {
  test('a limit leaves what there is: the votes decide if they can, else the most votes', async () => {
    const lines = {
      ...reasoning,
      'chain-1': [states('42')],
      'chain-2': [states('42')],
      'react-1': ['Thought: no.'],
    };
    const won = await played({ lines, limits: { modelCalls: 3 }, settings: { atOnce: 1, votesToWin: 1.5 } });
    expect(won.notes.decision?.by).toBe('vote');
    const { end, notes } = await played({ lines, limits: { modelCalls: 2 }, settings: { atOnce: 1 } });
    expect(notes.samples[1]).toMatchObject({ failed: 'limit', answer: null });
    expect(notes.decision).toMatchObject({ by: 'plurality', answer: text('42') });
    expect(end.solution).toMatchObject({ end: 'gave-up', detail: expect.stringContaining('modelCalls') });
  });

  test('a sandbox that is not there ends the run, unless the vote is decided without it', async () => {
    const lines = {
      ...python,
      'program-1': [prints('1')],
      'chain-1': [states('42')],
      'chain-2': [states('42')],
    };
    const { noSandbox } = await import('../../support/no-sandbox.ts');
    const world = { io: { sandbox: { ...noSandbox, info: async () => toyInfo } } };
    const broken = await played({ lines, world, settings: { strategies: { python: ['program', 'chain'] } } });
    expect(broken.end).toMatchObject({ outcome: 'error', error: { unavailable: true } });
    const decided = await played({
      lines,
      world,
      settings: { earlyStop: false, strategies: { python: ['program', 'chain', 'chain'] } },
    });
    expect(decided.end.outcome).toBe('solved');
  });

  test('a sandbox without Python is told before anything is asked; chains alone need none', async () => {
    const world = { sandboxInfo: { ...toyInfo, toolchains: [] } };
    for (const agent of ['ensemble', 'program', 'react'])
      await expect(played({ lines: {}, world, agent })).rejects.toThrow(coded('no-toolchain'));
    const settings = { strategies: { python: ['chain', 'chain'], reasoning: ['chain', 'chain'] } };
    const lines = { ...python, 'chain-1': [states('42')], 'chain-2': [states('42')] };
    expect((await played({ lines, world, settings })).end.outcome).toBe('solved');
  });

  test('a script that has come to its end is nobody’s vote: it is told', async () => {
    const { end } = await played({
      lines: { ...python, 'program-1': [prints('1')], 'program-2': [prints('2')] },
    });
    expect(end).toMatchObject({ outcome: 'error', error: { name: 'script-exhausted' } });
  });

  test.each([
    [{ votesToWin: 4 }, /no answer could win/],
    [{ weights: { poem: 1 } }, /poem/],
    [{ strategies: { pyhton: ['chain'] } }, /pyhton/],
    [{ maxSamples: 2 }, /strategies.python alone are 3/],
    [{ strategies: { python: [] } }, /python/],
    [{ strategies: { python: ['poetry'] } }, /poetry|chain/],
    [{ votes: 3 }, /has no setting votes/],
  ])('settings that cannot be meant are refused before anything is asked: %j', async (settings, message) => {
    await expect(played({ lines: {}, settings })).rejects.toThrow(message);
  });

  test('a problem without answers to compare is refused by name', async () => {
    const spec = { family: 'toy', problem: {} };
    await expect(played({ lines: {}, spec })).rejects.toThrow(coded('problem-lacks-capability'));
  });
});
