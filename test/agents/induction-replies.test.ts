/** What models reply to the induction graph, read: any form, any order, anything missing; and what programs leave behind. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { programRequest, readTransformed } from '../../src/agents/induction-graph/programs.ts';
import { readInstruction, readOutputs, readProgram } from '../../src/agents/induction-graph/replies.ts';
import type { ProgramResult } from '../../src/core/agent.ts';
import type { ModelSuccess } from '../../src/core/model.ts';
import { formatGrid, gridFormats } from '../../src/grids/grid.ts';
import { gridOf, gridText } from '../../src/notes/induction.ts';

function reply(text: string, more: Partial<ModelSuccess> = {}): ModelSuccess {
  return {
    ok: true,
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    finish: 'stop',
    usage: { tokens: null, costUsd: null },
    ...more,
  };
}

/** At least two cells: one digit alone may as well be a number in a sentence. */
const grid = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 6 }))
  .chain(([height, width]) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
  );
const outputs = fc.array(fc.option(grid), { minLength: 1, maxLength: 5 });

describe('outputs', () => {
  test('whatever is missing, in whatever order they come: each lies at its sample', () => {
    fc.assert(
      fc.property(
        outputs,
        outputs,
        fc.constantFrom(...gridFormats),
        fc.boolean(),
        fc.infiniteStream(fc.boolean()),
        (train, test_, format, isText, coins) => {
          const said = (kind: string, all: typeof train) => {
            const told = all
              .map((each, at) => ({ kind, sample: at + 1, grid: each }))
              // A null is sometimes said and sometimes left out.
              .filter(({ grid: each }) => each !== null || coins.next().value);
            return coins.next().value ? told.toReversed() : told;
          };
          const all = [...said('Train', train), ...said('Test', test_)];
          const of = (kind: string) =>
            all
              .filter((each) => each.kind === kind)
              .map(({ sample, grid: each }) => ({ sample, grid: each && formatGrid(each, format) }));
          const text = isText
            ? all
                .map(
                  ({ kind, sample, grid: each }) =>
                    `${kind} ${sample}:\n${each ? formatGrid(each, format) : 'unchanged'}`,
                )
                .join('\n\n')
            : JSON.stringify({ status: '', train_outputs: of('Train'), test_outputs: of('Test') });
          const read = readOutputs(reply(text), { train: train.length, test: test_.length });
          expect(read.problems).toEqual([]);
          expect(read.outputs).toEqual({ train, test: test_ });
          expect(read.extra).toBe(0);
        },
      ),
      { seed: 7, numRuns: 150 },
    );
  });

  test('no text makes it fail, or gives a grid to a sample that is not there', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json(), fc.string({ unit: fc.constantFrom(...'Train 12:\n[]0,`') })),
        (text) => {
          const read = readOutputs(reply(text), { train: 2, test: 1 });
          expect(read.outputs.train).toHaveLength(2);
          expect(read.outputs.test).toHaveLength(1);
          readInstruction(reply(text));
          readProgram(reply(text));
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });

  test('numbers that are texts count; what is no number, or counted from 0, moves no grid to another sample', () => {
    const [one, two] = [[[1, 1]], [[2, 2]]];
    const read = (train_outputs: object[]) =>
      readOutputs(reply(JSON.stringify({ status: '', train_outputs, test_outputs: [] })), {
        train: 2,
        test: 1,
      });
    const texts = read([
      { sample: '2', grid: two },
      { sample: ' 1', grid: one },
    ]);
    expect(texts).toMatchObject({ outputs: { train: [one, two] }, extra: 0, problems: [] });
    expect(read([{ sample: 'second', grid: two }])).toMatchObject({
      outputs: { train: [null, null] },
      extra: 1,
      isReadable: false,
    });
    const fromZero = read([
      { sample: 0, grid: one },
      { sample: 1, grid: two },
    ]);
    expect(fromZero.outputs.train).toEqual([null, null]);
    expect(fromZero.problems).toEqual(['train samples are numbered from 1, not from 0.']);
    expect(fromZero.isReadable).toBe(false);
    const [, unnumbered] = read([{ grid: null }, { grid: two }]).outputs.train;
    expect(unnumbered).toEqual(two);
  });

  test('the later of two for one sample counts', () => {
    const twice = reply('Train 1:\n1 1\n1 1\nTrain 1:\n2 2\n2 2\nTest 1:\n1 2\n3');
    const read = readOutputs(twice, { train: 1, test: 1 });
    expect(read.outputs.train).toEqual([
      [
        [2, 2],
        [2, 2],
      ],
    ]);
    expect(read.problems[0]).toMatch(/^test 1: The grid/);
  });
});

describe('instructions', () => {
  test('come as an object, as JSON in a fence, or as labelled lines', () => {
    const wanted = { text: 'Do it.', revises: 2, done: false, rationale: 'r', confidence: 'low' };
    const object = { instruction: 'Do it.', revises: 2, done: false, rationale: 'r', confidence: 'low' };
    const forms = [
      reply('', { object }),
      reply(JSON.stringify(object)),
      reply(`So:\n\`\`\`json\n${JSON.stringify(object)}\n\`\`\``),
      reply('Instruction: Do it.\nRevises: 2\nDone: no\nRationale: r\nConfidence: low'),
    ];
    for (const form of forms) expect(readInstruction(form)).toEqual({ ok: true, value: wanted });
    expect(readInstruction(reply('```json\n{ broken\n```\nInstruction: Do it.'))).toMatchObject({
      value: { text: 'Do it.', revises: null, confidence: 'medium' },
    });
    expect(readInstruction(reply('Instruction: none\nDone: yes'))).toMatchObject({
      value: { text: '', done: true },
    });
    expect(readInstruction(reply(''))).toMatchObject({ ok: false, problem: expect.any(String) });
  });

  test('programs come from the last fence, or whole', () => {
    const program = 'def transform(grid):\n    return grid\n';
    const fenced = reply(`First:\n\`\`\`python\nx = 1\n\`\`\`\nThen:\n\`\`\`python\n${program}\`\`\``);
    expect(readProgram(fenced)).toEqual({ ok: true, value: { source: program, rationale: 'First:' } });
    expect(readProgram(reply('', { object: { rationale: 'r', program } }))).toMatchObject({
      value: { source: program },
    });
    expect(readProgram(reply('I cannot.'))).toMatchObject({ ok: false });
  });
});

describe('what a program leaves behind', () => {
  const ended = (verdict: string, stdout = '', stderr = ''): ProgramResult => {
    const output = (text: string) => ({ text, bytes: text.length, cut: false });
    const run = {
      verdict,
      exitCode: 3,
      signal: null,
      stdout: output(stdout),
      stderr: output(stderr),
      wallMs: 1,
      cpuMs: 1,
      peakMemoryBytes: 1,
    };
    return { backend: 'test', compile: null, run } as ProgramResult;
  };
  const inputs = [[[1]], [[2]]];

  test.each([
    ['ok', 'It ended before it came to this grid.'],
    ['exit', 'It ended with exit status 3.'],
    ['cpu', 'Its CPU time was used up.'],
    ['wall', 'Its time was used up.'],
    ['memory', 'It took more memory than there is.'],
    ['output', 'It wrote more than it may.'],
    ['signal', 'It was ended (signal).'],
  ])('%s: what was finished counts, the rest says why it is missing', (verdict, words) => {
    const made = readTransformed(
      ended(verdict, 'noise\n{"index":0,"grid":[[7]]}\n{"index":', 'x'.repeat(5_000)),
      inputs,
    );
    expect(made[0]).toEqual({ grid: [[7]], error: null });
    expect(made[1]?.error?.startsWith(words)).toBe(true);
    expect(made[1]?.error?.length).toBeLessThan(1_400);
  });

  test('a program that shared its processor with many was ended by the clock, with most of its CPU time left', () => {
    const { cpuMs = 0, wallMs = 0 } =
      programRequest('def transform(grid): return grid', inputs, 0.2).limits ?? {};
    expect(cpuMs).toBe(2_400);
    expect(wallMs / cpuMs).toBeGreaterThan(10);
  });

  test('it is given inputs alone', () => {
    const { stdin, files } = programRequest('def transform(grid): return grid', inputs, 2);
    expect(JSON.parse(stdin ?? '')).toEqual({ inputs, seconds: 2 });
    expect(Object.keys(files ?? {})).toEqual(['solution.py']);
    expect(readTransformed({ ...ended('ok'), run: null }, inputs)[0]?.error).toBe('It did not compile.');
  });
});

test('grids in notes come back as they were', () => {
  fc.assert(
    fc.property(fc.option(grid), (each) => {
      expect(gridOf(gridText(each))).toEqual(each);
    }),
    { seed: 7 },
  );
});
