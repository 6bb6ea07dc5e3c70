/** Data sets as they come: well-known ones, any columns, and everything that can be wrong with a file, by its line. */
import { array, assert, constantFrom, property, string, tuple, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../core/errors.ts';
import { type DataSetOptions, readDataSet } from './data-set.ts';

function read(text: string | Uint8Array, options: Partial<DataSetOptions> = {}) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return readDataSet(bytes, { path: 'set.jsonl', ...options });
}

const jsonl = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const flawsIn = (text: string, options: Partial<DataSetOptions> = {}) =>
  read(text, options).flaws.map(({ line, what }) => `${line}: ${what}`);

describe('what is read', () => {
  test('school problems: the gold answer stands behind ####', () => {
    const set = read(
      jsonl(
        { question: 'How many?', answer: 'It is <<2*9=18>>18.\n#### 18' },
        { question: 'How much?', answer: '#### no, rather\n#### 1,080' },
      ),
    );
    expect(set).toMatchObject({ goldForm: 'hashes', profile: 'number', flaws: [], name: 'set' });
    expect(set.questions.map(({ id, gold }) => [id, gold])).toEqual([
      ['1', '18'],
      ['2', '1,080'],
    ]);
  });

  test('competition problems: columns, ids, types', () => {
    const row = {
      problem: 'Find $x$.',
      solution: 'So \\boxed{5}',
      answer: '5',
      subject: 'Algebra',
      level: 2,
    };
    const set = read(jsonl({ ...row, unique_id: 'a/1' }, { ...row, unique_id: 'a/2', subject: null }));
    expect(set.columns).toEqual({
      question: 'problem',
      answer: 'answer',
      id: 'unique_id',
      types: ['subject', 'level'],
    });
    expect(set.questions.map(({ id, types }) => [id, types])).toEqual([
      ['a/1', { subject: 'Algebra', level: '2' }],
      ['a/2', { subject: 'none', level: '2' }],
    ]);
  });

  test('solutions that end in a box are gold answers too', () => {
    const solutions = ['We add.\nIt is \\boxed{\\frac{1}{2}}.', 'We add, thus $\\boxed{7}$'];
    const set = read(jsonl(...solutions.map((solution) => ({ problem: 'p', solution }))));
    expect(set.goldForm).toBe('boxed');
    expect(set.questions.map(({ gold }) => gold)).toEqual(['\\frac{1}{2}', '7']);
  });

  test('letters alone are choices', () => {
    const set = read(jsonl({ question: 'Which?', answer: 'B' }, { question: 'And?', answer: '(C)' }));
    expect(set.profile).toBe('choice');
    expect(read(jsonl({ question: 'Who?', answer: 'Ada' })).profile).toBe('math');
  });

  test('CSV and TSV, with any columns, quotes, line breaks and a byte order mark', () => {
    const csv = '\uFEFFno,"the text",right,kind\r\n7,"Say ""x"",\r\nplease",1/2,a\r\n\r\n8,Next,3,b\r\n';
    const columns = { question: 'the text', answer: 'right', id: 'no', types: ['kind'] };
    const set = read(csv, { path: '/data/my set.csv', ...columns });
    expect(set.name).toBe('my set');
    expect(set.questions).toEqual([
      { line: 2, id: '7', text: 'Say "x",\nplease', gold: '1/2', types: { kind: 'a' } },
      { line: 5, id: '8', text: 'Next', gold: '3', types: { kind: 'b' } },
    ]);
    expect(read('question\tanswer\na, b\t1\n', { path: 'x.tsv' }).questions[0]?.text).toBe('a, b');
    expect(read('question;answer\na, b;1,5\n', { path: 'x.csv' }).questions[0]?.gold).toBe('1,5');
    expect(read('question,answer\nq,1\n', { path: 'x.txt' }).questions).toHaveLength(1);
    expect(read('{"question":"q","answer":0}', { path: 'x.txt' }).questions[0]?.gold).toBe('0');
  });

  test('without gold answers nothing is graded', () => {
    expect(read(jsonl({ question: 'q' })).questions[0]?.gold).toBeNull();
    const empty = read(jsonl({ question: 'q', answer: '' }, { question: 'r', answer: ' ' }));
    expect(empty.questions.map(({ gold }) => gold)).toEqual([null, null]);
    expect(empty.flaws).toEqual([]);
    expect(flawsIn(jsonl({ question: 'q', answer: '' }), { answer: 'answer' })).toEqual([
      '1: its answer is empty',
    ]);
  });

  test('what was written is what is read', () => {
    const words = string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(
      (text) => text.trim() !== '',
    );
    const rows = array(tuple(words, words), { minLength: 1, maxLength: 8 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    assert(
      property(rows, constantFrom('jsonl', 'csv'), (pairs, form) => {
        const safe = pairs.map(([question, tag]) => ({ question, tag }));
        const text =
          form === 'jsonl'
            ? jsonl(...safe)
            : `question,tag\n${safe.map(({ question, tag }) => `${quoted(question)},${quoted(tag)}`).join('\n')}\n`;
        const set = read(text, { path: `x.${form}`, types: ['tag'] });
        expect(set.flaws).toEqual([]);
        expect(set.questions.map(({ text: question }) => question)).toEqual(
          safe.map(({ question }) => question),
        );
        expect(set.questions.map(({ types }) => types.tag)).toEqual(safe.map(({ tag }) => tag.trim()));
      }),
      { seed: 9, numRuns: 150 },
    );
  });

  test('any bytes are questions or an error that is told', () => {
    assert(
      property(uint8Array({ maxLength: 80 }), constantFrom('x.jsonl', 'x.csv', 'x'), (bytes, path) => {
        try {
          for (const { line } of read(bytes, { path }).flaws) expect(line).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
      { seed: 9, numRuns: 300 },
    );
  });
});

describe('what is wrong is named by its line', () => {
  const good = { id: 'a', question: 'q', answer: '1' };

  test('broken JSON, no object, questions and answers that are missing or none', () => {
    const text = [
      JSON.stringify(good),
      '{"id": "b", "question": "q", "answer": ',
      '17',
      '',
      JSON.stringify({ ...good, id: 'c', question: ' ' }),
      JSON.stringify({ ...good, id: 'd', answer: null }),
      JSON.stringify({ ...good, id: 'e', answer: '' }),
      JSON.stringify({ ...good, id: 'f', answer: ['1'] }),
      JSON.stringify({ ...good, id: 'g', question: { text: 'q' } }),
      JSON.stringify({ ...good, id: 'a' }),
      JSON.stringify({ ...good, id: '' }),
      JSON.stringify({ id: 'h', answer: '1' }),
      JSON.stringify({ ...good, id: 'i', answer: '\\frac{1}{2' }),
    ].join('\n');
    expect(flawsIn(text)).toEqual([
      expect.stringMatching(/^2: it is no JSON/),
      '3: it is JSON, but no object',
      '5: its question is empty',
      '6: its answer is missing',
      '7: its answer is empty',
      '8: its answer is no text and no number',
      '9: its question is no text',
      '10: its id "a" stands on line 1 already',
      '11: its id is empty',
      '12: its question is missing',
      '13: its answer cannot be read: braces are not balanced in "\\\\frac{1}{2"',
    ]);
  });

  test('gold answers that are not written like the others', () => {
    const set = (...answers: readonly string[]) =>
      jsonl(...answers.map((answer) => ({ question: 'q', answer })));
    expect(flawsIn(set('#### 1', '#### 2', '7', '####'))).toEqual([
      '3: its answer has no "####"',
      '4: there is nothing behind "####" in its answer',
    ]);
    expect(flawsIn(set('So\n\\boxed{1}', 'So\n\\boxed{2}', 'So\n\\boxed{3'))).toEqual([
      '3: its answer has no \\boxed{} that is closed',
    ]);
    expect(flawsIn(set('12', 'a lot'), { profile: 'number' })).toEqual([
      '2: its answer cannot be read: "a lot" is no number (others are read with --profile math)',
    ]);
    expect(flawsIn(set('A', 'Z'), { profile: 'choice' })).toEqual([
      '2: its answer cannot be read: "Z" is no letter from A to J (others are read with --profile math)',
    ]);
    expect(flawsIn(set('1', '2', 'It is 7.\n#### 7'))).toEqual([
      '3: its answer has a "####", which most have not',
    ]);
    expect(flawsIn(set('1', 'x'.repeat(9_000)))).toEqual(['2: its answer has more than 8000 characters']);
  });

  test('one that is no number among many numbers is a flaw: it made mathematics of all of them', () => {
    const set = (...answers: readonly string[]) =>
      jsonl(...answers.map((answer) => ({ question: 'q', answer })));
    const many = Array.from({ length: 20 }, (_, at) => `So.\n#### ${at}`);
    expect(read(set(...many, 'So.\n#### to do')).profile).toBe('number');
    expect(flawsIn(set(...many, 'So.\n#### to do'))[0]).toMatch(/^21: .*"to do" is no number/);
    const chars = Array.from({ length: 20 }, (_, at) => 'ABCD'[at % 4] ?? '');
    expect(read(set(...chars, '12')).profile).toBe('choice');
    expect(flawsIn(set(...chars, '12'))[0]).toMatch(/^21: .*"12" is no letter/);
    expect(read(set('So.\n#### 5', 'So.\n#### yes')), 'a mixture is one').toMatchObject({
      profile: 'math',
      flaws: [],
    });
    expect(read(set('It is #### 5', 'It is #### 6')), 'on one line too').toMatchObject({
      goldForm: 'hashes',
      profile: 'number',
      flaws: [],
    });
  });

  test('CSV lines of another length, quotes out of place, columns of one name', () => {
    const options = { path: 'x.csv' };
    expect(flawsIn('question,answer\nq,1\nr,2,3\ns\nt,4\n', options)).toEqual([
      '3: it has 3 fields, and there are 2 columns',
      '4: it has 1 fields, and there are 2 columns',
    ]);
    expect(flawsIn('question,answer\nq,1\nr,"2\ns,3\n', options)).toEqual([
      '3: a quotation mark that opens here or below is not closed',
    ]);
    expect(flawsIn('question,answer\nq,1\nr "x",2\n', options)).toEqual([
      '3: it is no CSV: a quotation mark is out of place',
    ]);
    expect(() => read('question,answer\n"r"y,2\ns,3\n', options)).toThrow(/line 2: it is no CSV/);
    expect(flawsIn('question,answer,answer\nq,1,2\n', options)).toEqual([
      '1: two columns are named "answer"',
    ]);
  });

  test.each([
    [
      'no column',
      () => read(jsonl({ q: 'x', a: '1' })),
      /no column that is known to hold questions.*"q", "a"/,
    ],
    ['another column', () => read(jsonl(good), { answer: 'gold' }), /no column "gold".*--answer-column/],
    ['another type', () => read(jsonl(good), { types: ['level'] }), /no column "level".*--type-column/],
    ['nothing', () => read(''), /There are no questions.*It is empty/],
    ['a head alone', () => read('question,answer\n', { path: 'x.csv' }), /There are no questions/],
    [
      'one JSON text',
      () => read('[{"question": "q"},\n{"question": "r"}]'),
      /line 1: the file is one JSON text/,
    ],
    ['UTF-16', () => read(new Uint8Array([0xff, 0xfe, 0x7b, 0])), /line 1: the file is UTF-16/],
    [
      'Latin-1',
      () =>
        read(
          new Uint8Array([
            ...new TextEncoder().encode(`${jsonl(good)}\n{"question": "caf`),
            0xe9,
            0x22,
            0x7d,
          ]),
        ),
      /line 2: the bytes are no UTF-8/,
    ],
    ['a picture', () => read(new Uint8Array([0x89, 0x50, 0x0a, 0x00])), /line 2: a zero byte/],
  ])('%s is an error that says what to do', (_name, work, message) => {
    expect(work).toThrow(message);
    expect(work).toThrow(UserError);
  });
});
