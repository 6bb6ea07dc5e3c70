/** ReAct's steps, what it is shown, and what is left when its history is summarised. */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/core/model.ts';
import { played, prints, refusal, wordsOf } from '../../support/ensemble.ts';
import { said } from '../../support/odd.ts';

const think = (code: string, rest = '') => `Thought: look.\nAction: Python Code\n${prints(code)}${rest}`;
const answer = 'Thought: that is it.\nFinal Answer: 42';
const react = (lines: Record<string, readonly (string | ReturnType<typeof said>)[]>, settings = {}) =>
  played({ agent: 'react', lines, settings });
const words = (message: Message | undefined) => JSON.stringify(message?.content);

describe('steps', () => {
  test('a program, its observation, then the answer; files stay from one program to the next', async () => {
    const first = 'Action:\n```python\nwrite notes.txt 41\nsay 41\n```';
    const second = '```python\nappend notes.txt ,42\n```';
    const { end, of, notes, events, replay } = await react({ solver: [first, second, answer] });
    expect(end).toMatchObject({ outcome: 'solved', solution: { end: 'answered', answer: { text: '42' } } });
    expect(words(of('solver')[1]?.messages.at(-1))).toContain('stdout:\\n41');
    expect(words(of('solver')[2]?.messages.at(-1))).toContain('notes.txt=41,42');
    expect(notes.samples[0]).toMatchObject({ steps: 3, summaries: 0, strategy: 'react', number: 0 });
    expect(events.filter(({ kind }) => kind === 'exec-end')).toHaveLength(2);
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('seven, and the seventh without an answer is no vote: its program is not run', async () => {
    const { end, of, notes, events } = await react({ solver: [think('1')] });
    expect(of('solver')).toHaveLength(7);
    expect(events.filter(({ kind }) => kind === 'exec-end')).toHaveLength(6);
    expect(words(of('solver')[1]?.messages.at(-1))).toContain('6 steps left');
    expect(words(of('solver')[6]?.messages.at(-1))).toContain('last step');
    expect(notes.samples[0]).toMatchObject({ failed: 'steps', answer: null, steps: 7 });
    expect(end).toMatchObject({ outcome: 'gave-up', solution: { end: 'gave-up' } });
  });

  test('an answer in the seventh step counts, even with a program before it', async () => {
    const { end } = await react({ solver: ['hm', think('1', '\nFinal Answer: 42')] }, { steps: 2 });
    expect(end.outcome).toBe('solved');
  });

  test('what it makes up behind a program is neither believed nor given back to it', async () => {
    const made = think('7', '\nObservation: 41\nFinal Answer: 41');
    const { end, of } = await react({ solver: [made, answer] });
    expect(end.outcome).toBe('solved');
    expect(wordsOf(of('solver')[1])).not.toContain('41');
    expect(words(of('solver')[1]?.messages.at(-1))).toContain('stdout:\\n7');
  });

  test('an answer before a program is the answer', async () => {
    const { end, of } = await react({ solver: [`${answer}\n\nChecked by:\n${prints('1')}`] });
    expect(end.outcome).toBe('solved');
    expect(of('solver')).toHaveLength(1);
  });

  test.each([
    ['no move', 'I need to think more about it.', 'neither a Python program'],
    ['an answer that is none', 'Final Answer:', 'No answer was found'],
    ['a program in another language', '```js\nconsole.log(42)\n```', 'neither a Python program'],
    ['a program that fails', '```python\nbroken\n```', 'did not compile'],
  ])('%s is told, and costs a step', async (_name, first, told) => {
    const { end, of, notes } = await react({ solver: [first, answer] });
    expect(words(of('solver')[1]?.messages.at(-1))).toContain(told);
    expect(notes.samples[0]?.steps).toBe(2);
    expect(end.outcome).toBe('solved');
  });

  const cut = (text: string) => ({ ...said(text), finish: 'length' }) as ReturnType<typeof said>;

  test('a reply that is cut off within its program is told so and nothing else, and costs no step', async () => {
    const { of, end, events, notes } = await react(
      { solver: [cut('```python\nsay 4'), think('1'), cut('Final Answer: 4'), answer] },
      { steps: 2 },
    );
    const said = of('solver').map(({ messages }) => messages.at(-1)?.content);
    expect(said[1]).toMatch(/^Your reply was cut off .*, so the program was not run\. Reply again/);
    expect(said[3]).toMatch(/^Your reply was cut off .*, so nothing in it counts\. Reply again/);
    expect(events.filter(({ kind }) => kind === 'exec-start')).toHaveLength(1);
    expect(notes.samples[0]).toMatchObject({ steps: 2, repairs: 2 });
    expect(end.outcome).toBe('solved');
  });

  test('cut off as often in a row as a reply is reminded, and once more, it has no answer', async () => {
    const { of, end, notes } = await react({ solver: [think('1'), cut('Thought: I')] });
    expect(of('solver')).toHaveLength(3);
    expect(notes.samples[0]).toMatchObject({ failed: 'cut-off', steps: 2, repairs: 1 });
    expect(end).toMatchObject({ outcome: 'malformed' });
    expect(end.solution?.detail).toMatch(/^The reply was cut off at its limit of tokens\./);
  });

  test('a refusal is told as such', async () => {
    const { end } = await react({ solver: [refusal] });
    expect(end).toMatchObject({ outcome: 'refused', solution: { end: 'refused' } });
  });
});

describe('a history that grows too long', () => {
  const long = 'x'.repeat(600);
  const lines = {
    solver: [think(`first ${long}`), think(`second ${long}`), think('third'), answer],
    summariser: ['Two programs were run; they printed first and second.'],
  };

  test('is summarised: prompt, question and last observation stay as they are, and it is charged', async () => {
    const { of, notes, end, events, replay } = await react(lines, { historyTokens: 400 });
    expect(end.outcome).toBe('solved');
    const [asked] = of('summariser');
    expect(wordsOf(asked)).toContain(`first ${long}`);
    expect(wordsOf(asked)).toContain('half of 80');
    const before = of('solver')[0]?.messages ?? [];
    const after = of('solver')[2]?.messages ?? [];
    expect(after.slice(0, 2)).toEqual(before);
    expect(after).toHaveLength(3);
    expect(words(after[2])).toContain('Two programs were run');
    expect(words(after[2])).toContain(`second ${long}`);
    expect(words(after[2])).not.toContain(`first ${long}`);
    expect(notes.samples[0]).toMatchObject({ steps: 4, summaries: 1 });
    const used = events.flatMap(({ kind, body }) =>
      kind === 'model-response' && 'usage' in body ? [body.usage?.tokens] : [],
    );
    const sum = used.reduce((all, tokens) => all + (tokens ? tokens.input + tokens.output : 0), 0);
    expect(notes.samples[0]?.tokens).toBe(sum);
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('stays as it is where the summariser refuses: the strategy ended there', async () => {
    const said = { ...lines, summariser: [refusal] };
    const { end, of, notes } = await played({
      agent: 'react',
      lines: said,
      settings: { historyTokens: 100 },
    });
    expect(end.outcome).toBe('solved');
    expect(of('summariser'), 'and is asked once').toHaveLength(1);
    expect(wordsOf(of('solver').at(-1))).toContain(`first ${long}`);
    expect(notes.samples[0]).toMatchObject({ summaries: 0, steps: 4, failed: null });
  });

  test('below the threshold it stays as it is', async () => {
    const { of, notes } = await react(lines, { historyTokens: 4_000 });
    expect(of('summariser')).toEqual([]);
    expect(of('solver')[3]?.messages).toHaveLength(8);
    expect(notes.samples[0]?.summaries).toBe(0);
  });

  test('one step alone is never summarised, however long its observation is', async () => {
    const { of } = await react({ solver: [think(long), answer] }, { historyTokens: 100 });
    expect(of('summariser')).toEqual([]);
  });
});
