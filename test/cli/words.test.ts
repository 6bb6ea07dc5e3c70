/** The pure parts: texts, labels, estimates, and a line for every kind of event. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { estimate, estimateText } from '../../src/cli/estimate.ts';
import { tellFailure } from '../../src/cli/failure.ts';
import type { Event, EventBodies, EventKind } from '../../src/core/event.ts';
import { noTotals } from '../../src/core/totals.ts';
import { noTokens } from '../../src/core/usage.ts';
import { describeEvent } from '../../src/notes/event-line.ts';
import {
  asCalled,
  clip,
  count,
  dollars,
  duration,
  harmless,
  harmlessJson,
  shellWord,
} from '../../src/text/format.ts';
import {
  costText,
  exitCodeOf,
  labelOf,
  limitsText,
  modelsText,
  outcomeText,
  tokensText,
} from '../../src/text/labels.ts';
import { noPaint, wantsColour } from '../../src/text/paint.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('texts', () => {
  test('times, amounts, counts', () => {
    expect([400, 9_940, 9_950, 59_600, 185_000, 7_800_000].map(duration)).toEqual([
      '0.4 s',
      '9.9 s',
      '10 s',
      '1 min 00 s',
      '3 min 05 s',
      '2 h 10 min',
    ]);
    expect([0, 0.00123, 0.5, 12.345].map(dollars)).toEqual(['$0.00', '$0.0012', '$0.50', '$12.35']);
    expect([count(1, 'run'), count(12_345, 'run')]).toEqual(['1 run', '12,345 runs']);
    expect([clip('abcdef', 4), clip('abc', 3)]).toEqual(['abc…', 'abc']);
  });

  test('controls are made visible, and escaped in JSON', () => {
    expect(harmless('a\x1b[31m\x07\r\nb\tc\x9b\u202e')).toBe('a␛[31m␇\nb\tc<U+009B><U+202E>');
    const json = harmlessJson({ text: '\x1b\x7f\x9b\u202e' }, 2);
    expect(json).toBe('{\n  "text": "\\u001b\\u007f\\u009b\\u202e"\n}');
    expect(JSON.parse(json)).toEqual({ text: '\x1b\x7f\x9b\u202e' });
  });

  test('commands are told as they were called', () => {
    expect(
      asCalled('Run `polya setup` or `./polya demo`; polya is not `polyandry`.', { calledAs: '../polya' }),
    ).toBe('Run `../polya setup` or `../polya demo`; polya is not `polyandry`.');
  });

  test('paths are told so that they can be pasted', () => {
    expect(['./polya', '/a b/polya', '/競技/x', "it's", '$x', ''].map(shellWord)).toEqual([
      ...['./polya', "'/a b/polya'", '/競技/x', "'it'\\''s'", "'$x'", "''"],
    ]);
  });

  test('colours', () => {
    expect(wantsColour(true, {})).toBe(true);
    expect(wantsColour(false, {})).toBe(false);
    expect(wantsColour(true, { NO_COLOR: '1' })).toBe(false);
    expect(wantsColour(true, { NO_COLOR: '' })).toBe(true);
    expect(wantsColour(true, { TERM: 'dumb' })).toBe(false);
  });
});

const price = { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.1, outputUsdPerMillion: 10 };
const live = { default: { spec: 'some/model', kind: 'live', price } } as const;
const unpriced = { default: { spec: 'some/model', kind: 'live', price: null } } as const;
const scripted = { default: { spec: 'scripted/x', kind: 'script', price } } as const;

describe('labels', () => {
  test('what is unknown is never nothing', () => {
    const totals = { ...noTotals, modelCalls: 2, costUsd: 0.5 };
    expect(costText(totals, live)).toBe('$0.50');
    expect(costText({ ...totals, callsOfUnknownCost: 1 }, unpriced)).toBe('at least $0.50');
    expect(costText({ ...noTotals, callsOfUnknownCost: 1 }, unpriced)).toBe('unknown');
    expect(costText(totals, scripted)).toBe('free (script)');
    expect(costText(totals, { ...live, grader: scripted.default })).toBe('$0.50');
    expect(tokensText({ ...noTotals, callsOfUnknownTokens: 1 })).toBe('unknown');
    expect(tokensText({ ...noTotals, callsOfUnknownTokens: 1, tokens: { ...noTokens, input: 7 } })).toBe(
      'at least 7',
    );
    expect(modelsText({ ...live, grader: scripted.default })).toMatch(
      /^default=some\/model, grader=scripted\/x \(script: /,
    );
    expect(labelOf('person')).toMatch(/typed/);
    expect(labelOf('live')).toBeNull();
  });

  test('outcomes and exit codes', () => {
    const stack = 'Error: at x';
    const codes = [
      { outcome: 'solved' },
      { outcome: 'scored' },
      { outcome: 'wrong' },
      { outcome: 'limit' },
      { outcome: 'cancelled' },
      { outcome: 'error', error: { name: 'x', message: '', unavailable: true } },
      { outcome: 'error', error: { name: 'x', message: '', stack } },
      {
        outcome: 'error',
        error: { name: 'x', message: '', stack, model: { kind: 'bad-request', retryable: false } },
      },
    ] as const;
    expect(codes.map(exitCodeOf)).toEqual([0, 0, 1, 1, 130, 3, 70, 1]);
    expect(outcomeText({ outcome: 'limit', limit: 'wallMs' })).toBe('limit (time)');
  });
});

describe('estimates', () => {
  const first = {
    role: 'solver',
    request: { messages: [{ role: 'user', content: 'x'.repeat(3_000) }] },
  } as const;

  test('tokens and dollars where the price is known, else unknown, else free', () => {
    const known = estimate({ models: live, limits: {} }, first);
    expect(known).toMatchObject({ free: null, turns: 12 });
    expect(known.tokens).toBeGreaterThan(90_000);
    expect(estimateText(known)).toMatch(/^about \$0\.\d+, about [\d,]+ tokens if it takes 12 turns/);
    expect(estimateText(estimate({ models: unpriced, limits: {} }, first))).toMatch(/^cost unknown/);
    expect(estimateText(estimate({ models: scripted, limits: {} }, first))).toBe('free (script)');
    expect(estimate({ models: live, limits: { toolCalls: 2 } }, first).turns).toBe(2);
  });

  test('limits', () => {
    expect(limitsText({ toolCalls: 5, modelCalls: 6, tokens: 7_000, costUsd: 1, wallMs: 90_000 })).toBe(
      '5 tool calls, 6 model calls, 7,000 tokens, $1.00, 1.5 min',
    );
    expect(limitsText({})).toBe('none');
  });
});

describe('a line for an event', () => {
  const told = <Kind extends EventKind>(kind: Kind, body: EventBodies[Kind], branch = '') => {
    const event = { seq: 1, atMs: 0, branch, ordinal: 1, attempt: 0, kind, body } as Event;
    const { text, isQuiet } = describeEvent(event, null);
    return isQuiet ? `(${text})` : text;
  };
  const ok = (result: Extract<EventBodies['clock'], { status: 'ok' }>['result']) =>
    ({ status: 'ok', result }) as const;

  test('models', () => {
    const message = (...content: object[]) => ok({ message: { content: content as never } });
    expect(told('model-request', { role: 'solver', model: 'm', messages: [{}] })).toBe(
      '(solver asks m: 1 message)',
    );
    expect(told('model-response', message({ type: 'text', text: 'One.\nTwo.' }), 'a/b')).toBe(
      '[a/b] “One. Two.”',
    );
    expect(told('model-response', message({ type: 'reasoning', text: 'Hm' }))).toBe('(thinks) Hm');
    expect(told('model-response', message({ type: 'tool-call', name: 'Go' }))).toBe('calls Go');
    expect(told('model-response', message())).toBe('(says nothing)');
    expect(told('model-response', { status: 'error', error: { name: 'rate-limit', message: 'Slow.' } })).toBe(
      '✘ rate-limit: Slow.',
    );
    expect(told('model-response', { status: 'cancelled', by: 'branch' })).toBe('✘ broken off');
    expect(told('model-response', { status: 'refused', limit: 'costUsd', max: 2 })).toBe(
      '✘ refused: it might take more than is left of the limit of $2.00 (budget)',
    );
    expect(told('model-response', { status: 'refused', limit: 'wallMs', max: 90_000 })).toBe(
      '✘ refused: the limit of 1 min 30 s (time) is reached',
    );
    expect(told('model-response', { status: 'refused', limit: 'tokens', max: 1e6 })).toBe(
      '✘ refused: it might take more than is left of the limit of 1,000,000 (tokens)',
    );
  });

  test('tools and programs', () => {
    expect(told('tool-call', { name: 'Run', args: { code: 'a\nb', n: 1 } })).toBe(
      '→ Run code: 2 lines, n: 1',
    );
    expect(told('tool-call', { name: 'Run', args: null })).toBe('→ Run (no readable arguments)');
    expect(told('tool-result', ok({ text: 'Fine' }))).toBe('← Fine');
    expect(told('tool-result', ok({ text: 'Bad', isError: true }))).toBe('← ✘ Bad');
    expect(told('exec-start', { language: 'python', source: 'x' })).toBe('→ a python program of 1 line');
    expect(told('exec-end', ok({ run: { verdict: 'ok', stdout: { text: '42' } } }))).toBe('← ok 42');
    expect(told('exec-start', { language: 'python', source: 'x', session: 'work' })).toBe(
      '→ a python program of 1 line, in the folder of work',
    );
    const again = (different: readonly string[]) =>
      told('exec-end', ok({ run: { verdict: 'ok' }, folder: { rebuilt: { calls: 3, different } } }));
    expect(again([])).toMatch(/made again by 3 earlier calls: with the same results/);
    expect(again(['main#3'])).toMatch(/made again by 3 earlier calls: main#3 came out differently/);
    expect(told('evaluate-start', { source: 'x', cases: ['1', '2'] })).toBe('(→ evaluation on 2 cases)');
    expect(told('evaluate-end', ok({ score: 1 }))).toBe('(← score 1)');
    expect(told('check-start', { answer: { type: 'text', text: 'nine' } })).toBe('(→ check of “nine”)');
    expect(told('check-end', ok({ pass: true, feedback: 'Good.' }))).toBe('← passed: Good.');
  });

  test('people, time, and the run itself', () => {
    expect(told('ask', { question: 'Which?' })).toBe('? Which?');
    expect(told('answer', ok({ text: 'This' }))).toBe('answered: This');
    expect(told('inbox', ok({ messages: [] }))).toBe('(nothing was told)');
    expect(told('inbox', ok({ messages: ['a', 'b'] }))).toBe('told: a / b');
    expect(told('clock', ok(5))).toBe('(5)');
    expect(told('grade-start', {})).toBe('(→ grading of no answer)');
    const answers = [
      [{ type: 'grids', attempts: [[[[1]], [[2]]], [[[3]]]] }, 'grids for 2 test inputs'],
      [{ type: 'source', language: 'cpp', source: 'int main() {\n}\n' }, 'a program of 2 lines'],
    ] as const;
    for (const [answer, words] of answers)
      expect(told('grade-start', { answer } as never)).toBe(`(→ grading of ${words})`);
    expect(told('grade-end', ok({ explanation: 'Right.' }))).toBe('(Right.)');
    expect(told('note', { kind: 'reminder', data: { number: 1 }, index: 0 })).toBe(
      'note: reminder number: 1',
    );
    expect(told('run-resume', { aliveMs: 2_000 })).toBe('resumed after 2.0 s');
    expect(told('stage-end', { stage: 'part1' })).toBe('✔ part1 is solved');
    expect(told('stage-start', { stage: 'part2' })).toBe('part2 begins');
    const error = { name: 'Error', message: 'Broken.' };
    expect(told('run-end', { outcome: 'error', solution: null, grade: null, error, aliveMs: 1 })).toBe(
      'error. Broken.',
    );
  });
});

describe('a defect', () => {
  const shellOf = (env: Record<string, string>) => {
    const told: string[] = [];
    const output = {
      write: (text: string) => void told.push(text),
      isTerminal: false,
      columns: 80,
      paint: noPaint,
      isClosed: false,
    };
    const unused = () => Promise.reject(new Error('unused'));
    const shell = {
      apps: [],
      env,
      folder: '/',
      calledAs: 'polya',
      out: output,
      err: output,
      isInteractive: false,
      person: null,
      isRoot: false,
      confirm: unused,
      readInput: unused,
      spawn: unused,
      streams: (): never => {
        throw new Error('unused');
      },
      onInterrupt: () => () => undefined,
      exit: (): never => {
        throw new Error('unused');
      },
    };
    return { shell, told };
  };

  afterEach(() => vi.unstubAllEnvs());

  test('is one line; its stack is kept in a file, and shown to who debugs', () => {
    vi.stubEnv('TMPDIR', temporaryFolder('defect'));
    const quiet = shellOf({});
    expect(tellFailure(quiet.shell, new TypeError('x is undefined'), false)).toBe(70);
    expect(quiet.told.join('')).toMatch(
      /^polya: This is a defect of Polya: x is undefined\n {2}The stack is in \/\S+stack\.txt\.\n/,
    );
    expect(quiet.told.join('')).not.toMatch(/\n\s+at /);
    const loud = shellOf({ POLYA_DEBUG: '1' });
    tellFailure(loud.shell, new TypeError('x is undefined'), false);
    expect(loud.told.join('')).toMatch(/\n\s+at /);
    tellFailure(loud.shell, 'thrown text', true);
    expect(loud.told.join('')).toContain('thrown text');
  });
});
