/** What real models write in calls of the tools, in the styles of several, and what the tools make of it. */
import { describe, expect, test } from 'vitest';
import { answerOf, isOneValue, programOf } from '../../src/families/aoc/arguments.ts';
import { type Fixture, type Session, startFixture } from './fixture.ts';
import { sandboxOf } from './sandbox-of.ts';
import { talkingSandbox } from './talking-sandbox.ts';

const echo = () => sandboxOf(({ source, input }) => ({ out: `${source.length}:${input.slice(0, 9)}\n` }));
const posts = ({ asked }: Fixture) => asked.filter((request) => request.startsWith('POST')).length;
const fence = '```';

async function opened(made = echo(), lang = 'python') {
  const fixture = await startFixture({ sandbox: made.sandbox });
  // The talking sandbox has one toolchain, so that the language is told by the reference alone.
  const session = await fixture.open({ site: 'practice', year: 2000, day: 1, lang, user: 'ada' });
  return { fixture, session, asked: made.asked, [Symbol.asyncDispose]: () => fixture.site.close() };
}

describe('one program, several inputs', () => {
  test('runs on each of them, and says which is which', async () => {
    await using made = await opened();
    const { session, asked } = made;
    const result = await session.play('RunGeneratedCode', {
      code: 'solve()',
      inputs: ['1 2', 'puzzle', '3'],
    });
    expect(asked.map(({ input }) => input.slice(0, 3))).toEqual(['1 2', expect.any(String), '3']);
    expect(asked[1]?.input.length).toBeGreaterThan(1_000);
    expect(result.text).toMatch(
      /^p1, input 1: ok; CPU 0.01 s\nstdout:\n7:1 2\np1, puzzle: ok; CPU 0.01 s\nstdout:\n7:[\s\S]*\np1, input 3: ok; CPU 0.01 s\nstdout:\n7:3$/,
    );
    expect(result).toMatchObject({ data: { failed: false, program: 'p1', runs: [{}, {}, {}] } });
    expect(result.isError).toBeUndefined();
  });

  test('in the form of the specification too', async () => {
    await using made = await opened();
    const { session, asked } = made;
    await session.play('RunGeneratedCode', { lang: 'Python', code: 'solve()', input: '1 2' });
    await session.play('RunGeneratedCode', { lang: 'python', code: 'solve()' });
    expect(asked.map(({ input }) => input.length > 1_000)).toEqual([false, true]);
  });

  test.each([
    ['a text', { inputs: 'one' }, ['one']],
    ['a text of lines', { inputs: '1\n2\n' }, ['1\n2\n']],
    ['a list within a text', { inputs: '["a", "b\\nc"]' }, ['a', 'b\nc']],
    ['a text that is JSON', { input: '["a"]' }, ['["a"]']],
    ['a list of numbers within a text', { inputs: '[1,2]' }, ['1', '2']],
    ['an empty text', { input: '' }, ['']],
    ['a list of one', { inputs: ['one'] }, ['one']],
    ['numbers', { inputs: [7, 8] }, ['7', '8']],
    ['both names', { inputs: ['a'], input: 'b' }, ['a', 'b']],
    ['nothing, as some providers want it written', { inputs: null, input: null, lang: null }, [null]],
    ['an empty list', { inputs: [] }, [null]],
    ['the puzzle by its name', { inputs: ['puzzle'] }, [null]],
    ['the puzzle by another name', { input: '<puzzle input>' }, [null]],
    ['the puzzle as null', { inputs: ['ex', null] }, ['ex', null]],
    ['the puzzle in four words', { inputs: ['the full puzzle input'] }, [null]],
    ['the puzzle as a file', { inputs: ['input.txt', 'puzzle_input.txt'] }, [null, null]],
    ['the real input', { inputs: ['my real input', 'Full input', 'INPUT'] }, [null, null, null]],
    ['a list of Python within a text', { inputs: "['a', 'it\\'s \"b\"\\n',]" }, ['a', 'it\'s "b"\n']],
    ['lists within a text', { inputs: '[[1],[2]]' }, ['[[1],[2]]']],
    [
      'words that name nothing',
      { inputs: ['abcdef', 'testing input lines'] },
      ['abcdef', 'testing input lines'],
    ],
  ])('inputs as %s', async (_, args, inputs) => {
    await using made = await opened();
    const { session, asked } = made;
    const result = await session.play('RunGeneratedCode', { code: 'solve()', ...args });
    expect(result.isError).toBeUndefined();
    expect(asked.map(({ input }) => (input.length > 1_000 ? null : input))).toEqual(inputs);
  });

  test.each([
    ['objects', { code: 'x()', inputs: [{ name: 'example', text: '1' }] }, 'inputs'],
    ['an example by its name', { code: 'x()', inputs: ['example'] }, 'inputs'],
    ['an example of a part', { code: 'x()', inputs: ['example 1', 'puzzle'] }, 'inputs'],
    ['the example of the statement', { code: 'x()', input: 'the example from the statement' }, 'inputs'],
    ['a file of an example', { code: 'x()', inputs: ['example.txt'] }, 'inputs'],
    ['too many', { code: 'x()', inputs: Array(11).fill('1') }, 'inputs'],
    ['no code', {}, 'no-program'],
    ['blank code', { code: ' \n' }, 'no-program'],
    ['code as a number', { code: 12 }, 'no-program'],
    ['the name of a file', { code: 'solution.py' }, 'no-program'],
    ['a wish', { code: 'same as before' }, 'no-program'],
    ['a wish in lines', { code: 'Run it again.\nOn the puzzle, please.' }, 'no-program'],
    ['two names', { code: 'p1 or p2' }, 'no-program'],
    ['a number', { program: '2' }, 'unknown-program'],
    ['the file of a program that was never sent', { code: 'p3.py' }, 'unknown-program'],
    ['a program that was never sent', { code: 'p7' }, 'unknown-program'],
    ['another language', { code: 'x()', lang: 'cpp' }, 'other-language'],
    ['a language that is none', { code: 'x()', lang: 5 }, 'other-language'],
  ])('%s: the result says what to do, and nothing is run', async (_, args, mistake) => {
    await using made = await opened();
    const { session, asked } = made;
    const result = await session.play('RunGeneratedCode', args);
    expect(result).toMatchObject({ isError: true, data: { mistake } });
    expect(result.text.length).toBeGreaterThan(20);
    expect(asked).toEqual([]);
  });

  test('a program that was sent is named', async () => {
    await using made = await opened();
    const { session, asked } = made;
    const code = 'print(1)\n';
    expect((await session.play('RunGeneratedCode', { code, inputs: ['1'] })).text).toMatch(/^p1, input 1: /);
    expect((await session.play('RunGeneratedCode', { code: 'print(2)' })).text).toMatch(/^p2, puzzle: /);
    // Sent again, it has the same name.
    expect((await session.play('RunGeneratedCode', { code, inputs: ['2'] })).text).toMatch(/^p1, /);
    for (const name of ['p1', ' P1 ', '`p1`', 'program p1', 'p1.py', '1', 'Use p1 again', 'same as p1']) {
      const again = await session.play('RunGeneratedCode', { code: name, inputs: ['3'] });
      expect(again).toMatchObject({ data: { program: 'p1' } });
      expect(asked.at(-1)).toEqual({ source: code, input: '3' });
    }
    await session.play('RunGeneratedCode', { program: 'p2', code: '' });
    expect(asked.at(-1)?.source).toBe('print(2)');
    const unknown = await session.play('RunGeneratedCode', { code: 'p3' });
    expect(unknown.text).toBe('There is no program p3. So far there are: p1, p2. Send its code.');
  });

  test.each([
    ['a fence', `${fence}python\nprint(1)\n${fence}`],
    ['a fence and an end of line', `${fence}py\nprint(1)\n${fence}\n`],
    ['a fence glued to the code', `${fence}\nprint(1)${fence}`],
    ['a sentence before it', `Here is the program:\n\n${fence}python\nprint(1)\n${fence}`],
    ['tildes', '~~~\nprint(1)\n~~~'],
  ])('code in %s is the code', async (_, code) => {
    await using made = await opened();
    await made.session.play('RunGeneratedCode', { code });
    expect(made.asked.at(-1)?.source).toBe('print(1)');
    await made.session.play('RunGeneratedCode', { code: 'p1' });
    expect(made.asked.at(-1)?.source).toBe('print(1)');
  });

  test('a fence within a program stays', async () => {
    await using made = await opened();
    const code = `"""\nUsage:\n${fence}\nrun\n${fence}\n"""\nprint(1)`;
    await made.session.play('RunGeneratedCode', { code });
    expect(made.asked.at(-1)?.source).toBe(code);
  });

  test('one compile error is told once', async () => {
    await using made = await opened(sandboxOf(() => ({ compile: 'main.cpp:1:1: error: no' })));
    const { session, asked } = made;
    const result = await session.play('RunGeneratedCode', {
      code: 'int main() {',
      inputs: ['1', '2', 'puzzle'],
    });
    expect(result).toMatchObject({ isError: true, data: { phase: 'compile', program: 'p1' } });
    expect(result.text).toBe('p1: compile error; CPU 0.01 s\nstderr:\nmain.cpp:1:1: error: no');
    expect(asked).toHaveLength(1);
  });

  test('a failure on one input does not hide the others, and counts', async () => {
    const made = sandboxOf(({ input }) =>
      input === 'bad' ? { verdict: 'exit', exitCode: 3, err: 'Boom\n' } : { out: '5\n' },
    );
    await using place = await opened(made);
    const result = await place.session.play('RunGeneratedCode', {
      code: 'x()',
      inputs: ['good', 'bad', 'good'],
    });
    expect(result).toMatchObject({ isError: true, data: { verdict: 'exit', exitCode: 3 } });
    expect(result.text).toBe(
      'p1, input 1: ok; CPU 0.01 s\nstdout:\n5\np1, input 2: exit 3; CPU 0.01 s\nstdout:\n\nstderr:\nBoom\np1, input 3: ok; CPU 0.01 s\nstdout:\n5',
    );
  });
});

describe('limits', () => {
  const starved = { verdict: 'wall', wallMs: 30_000, cpuMs: 1_882, exitCode: null } as const;

  test('a run that was not given its CPU is tried again, once, within the call', async () => {
    const made = sandboxOf((_, number) => (number === 1 ? starved : { out: '42\n' }));
    await using place = await opened(made);
    const result = await place.session.play('RunGeneratedCode', { code: 'x()' });
    expect(made.asked).toHaveLength(2);
    expect(result.text).toBe(
      'p1, puzzle: ok; CPU 0.01 s; tried again, because at first it got 1.88 s\nstdout:\n42',
    );
    expect(result).toMatchObject({ data: { failed: false, before: { verdict: 'wall', cpuMs: 1_882 } } });
  });

  test('where that is no help, the result says so, and the other inputs are not tried twice', async () => {
    const made = sandboxOf(() => starved);
    await using place = await opened(made);
    const result = await place.session.play('RunGeneratedCode', { code: 'x()', inputs: ['1', '2'] });
    expect(made.asked).toHaveLength(3);
    expect(result).toMatchObject({ isError: true, data: { verdict: 'wall' } });
    expect(result.text).toContain(
      'p1, input 1: ended at the wall limit of 30 s; CPU 1.88 s: the machine is busy, or the program waits',
    );
  });

  test('one that waits without using its CPU is not run for the whole limit again', async () => {
    const made = sandboxOf(() => ({
      verdict: 'wall',
      wallMs: 30_000,
      cpuMs: 20,
      exitCode: null,
      out: 'so far\n',
    }));
    await using place = await opened(made);
    const result = await place.session.play('RunGeneratedCode', { code: 'x()' });
    expect(made.asked).toHaveLength(1);
    expect(result.text).toContain('CPU 0.02 s: the program waits for something\nstdout:\nso far');
  });

  test('one that used up its CPU is not tried again', async () => {
    const made = sandboxOf(() => ({ verdict: 'wall', cpuMs: 9_900 }));
    await using place = await opened(made);
    await place.session.play('RunGeneratedCode', { code: 'x()' });
    expect(made.asked).toHaveLength(1);
  });

  test.each([
    ['cpu', 'the CPU limit of 10 s'],
    ['memory', 'the memory limit of 512 MiB'],
    ['disk', 'the disk limit of 61 MiB'],
    ['processes', 'the limit of 64 processes'],
    ['output', 'the output limit of 15 MiB'],
  ] as const)('%s: told as a number', async (verdict, words) => {
    await using place = await opened(sandboxOf(() => ({ verdict, exitCode: null })));
    const result = await place.session.play('RunGeneratedCode', { code: 'x()' });
    expect(result.text).toContain(`p1, puzzle: ended at ${words}; CPU`);
  });

  test('output that is too long leaves little behind, however many inputs', async () => {
    const made = sandboxOf(({ input }) => ({ out: (input === 'short' ? 'abc\n' : 'noise\n').repeat(1_400) }));
    await using place = await opened(made);
    const whole = await place.session.play('RunGeneratedCode', { code: 'x()', inputs: ['short'] });
    expect(whole.text).toContain(`stdout:\n${'abc\n'.repeat(1_400).trimEnd()}`);
    const long = await place.session.play('RunGeneratedCode', { code: 'x()' });
    expect(long.text).toContain('More than 6000 characters are shown in excerpt.');
    expect(long.text).toMatch(/\[… \d+ bytes cut …\]/);
    expect(long.text.length).toBeLessThan(1_300);
    expect(long.data?.stdout).toBe('noise\n'.repeat(1_400));
    const many = await place.session.play('RunGeneratedCode', { code: 'x()', inputs: Array(10).fill('x') });
    expect(many.text.length).toBeLessThan(3_000);
  });
});

describe('excerpts of inputs', () => {
  test('the first look is short; up to 6,000 characters are shown where asked for', async () => {
    await using made = await opened();
    const { session, fixture } = made;
    const first = await session.play('DownloadInput', {});
    expect(first.text.length).toBeLessThan(600);
    const whole = await session.play('DownloadInput', { from: 0, length: 6000 });
    const input = whole.text.split('\n\n')[1] ?? '';
    expect(input.length).toBeGreaterThan(2_000);
    const read = async (args: Record<string, number | string>) =>
      (await session.play('DownloadInput', args)).text;
    expect(await read({ from: 10, length: 20 })).toBe(
      `Characters 10 to 29 of ${input.length}, counted from 0:\n\n${input.slice(10, 30)}`,
    );
    expect(await read({ from: '10', length: '20' })).toBe(await read({ from: 10, length: 20 }));
    expect(await read({ length: 20 })).toBe(await read({ from: 0, length: 20 }));
    expect(await read({ from: 5 })).toBe(await read({ from: 5, length: 999_999 }));
    expect(fixture.asked.length).toBeGreaterThan(0);
  });

  test.each([
    { from: -1 },
    { from: 'start' },
    { from: 1.5 },
    { length: [] },
    { from: 1e7 },
    { year: 'last' },
  ])('%j: the result says what to do', async (args) => {
    await using made = await opened();
    expect(await made.session.play('DownloadInput', args)).toMatchObject({
      isError: true,
      data: { mistake: expect.any(String) },
    });
  });
});

describe('answers', () => {
  const submitted = async (answer: unknown) => {
    await using made = await opened({ sandbox: talkingSandbox, asked: [] });
    const { fixture, session } = made;
    const [one] = await fixture.truth();
    const written = typeof answer === 'function' ? answer(one) : answer;
    const result = await session.play('SubmitAnswer', { answer: written });
    return { result, posts: posts(fixture) };
  };

  test.each([
    ['a number', (one: string) => Number(one)],
    ['a text with spaces around it', (one: string) => `  ${one}\n`],
    ['code', (one: string) => `\`${one}\``],
    ['bold', (one: string) => `**${one}**`],
    ['quotes', (one: string) => `"${one}"`],
    ['a full stop behind it', (one: string) => `${one}.`],
    ['a list of one', (one: string) => [one]],
    ['a list of one within a text', (one: string) => `[${one}]`],
    ['a formula', (one: string) => `$${one}$`],
    ['a list of one in quotes', (one: string) => `["${one}"]`],
  ])('as %s', async (_, write) => {
    expect((await submitted(write)).result).toMatchObject({ data: { verdict: 'right' } });
  });

  test.each([
    'not sure: 12 or 13',
    '12 or 13',
    'The answer is 12',
    'Answer: 12',
    'maybe 12?',
    '12?',
    '12/13',
    '12|13',
    '12or13',
    '~12',
    '12steps',
    '12kg',
    '-3.5km',
    '12 steps',
    '[7, 3]',
    'yes, it is, 12',
    'I could not find it.',
    'unknown',
    'N/A',
    'None',
    '???',
    '<answer>',
    '{{answer}}',
    'part 1: 12, part 2: 13',
    '7, 3',
    '12 (from the example)',
    'vielleicht 12',
    'たぶん12',
    '12か13',
    '####..\n.#..#.\n####..',
  ])('%j is refused before it is sent', async (answer) => {
    const { result, posts: sent } = await submitted(answer);
    expect(result).toMatchObject({ isError: true, data: { verdict: 'no-value', source: 'local' } });
    expect(result.text).toContain('one number or one word without spaces');
    expect(sent).toBe(0);
  });

  // Forms of answers of the years until now: numbers, words, letters read from dots, hashes, lists, coordinates, signs.
  test.each([
    '12',
    '-5',
    '0',
    '3.5',
    'EFJKZLBL',
    'tknk',
    'f77a0e6e',
    'co,de,ka,ta',
    '235,113',
    '90,269,16',
    answerOf({ answer: '1, 2, 3' }),
    answerOf({ answer: '[1, 2, 3]' }),
    '12ab',
    '0x1f',
    'a12steps',
    '4,6,3,5,6,3,5,2,1,0',
    '2=-1=0',
    '1-12',
    'DDRRRD',
    '5DB3',
    'p1',
    'NaNcy',
  ])('%j can be an answer', (answer) => {
    expect(isOneValue(answer)).toBe(true);
  });

  test.each([
    ['nothing', {}],
    ['null', { answer: null }],
    ['a truth', { answer: true }],
    ['an object', { answer: { part1: 12 } }],
    ['a list of two', { answer: [12, 13] }],
    ['a number that lost digits', { answer: 2 ** 60 }],
  ])('%s: the result says what to do, and nothing is sent', async (_, args) => {
    await using made = await opened();
    const { session, fixture } = made;
    const result = await session.play('SubmitAnswer', args as Parameters<Session['play']>[1]);
    expect(result).toMatchObject({ isError: true, data: { mistake: 'no-answer' } });
    expect(result.text).toContain('Give `answer` as one string');
    expect(posts(fixture)).toBe(0);
  });

  test('the day may be left out, or written as text; another one is refused', async () => {
    await using made = await opened();
    const play = (args: Record<string, string | number>) =>
      made.session.play('SubmitAnswer', { answer: '-7', ...args });
    expect(await play({ year: 2000, day: 2 })).toMatchObject({ data: { mistake: 'other-puzzle' } });
    expect(await play({ year: '2000', day: '1' })).toMatchObject({ data: { verdict: 'too-low' } });
    expect(await play({})).toMatchObject({ data: { verdict: 'too-low', source: 'memory' } });
  });
});

test('what a model pours out is read at once', () => {
  const many = 200_000;
  for (const text of ['\n', '`', '*', ' ', '~~~\n', '```\n', 'p', '1,']) {
    const poured = text.repeat(many / text.length);
    expect(programOf({ code: `x()${poured}` }, []).name).toBe('p1');
    expect(answerOf({ answer: `a${poured}b` })).toHaveLength(poured.length + 2);
    expect(isOneValue(`${poured}?`)).toBe(false);
  }
});
