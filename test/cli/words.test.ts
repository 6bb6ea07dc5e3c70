/** The pure parts: texts, labels, estimates, and a line for every kind of event. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { estimate, estimateText } from '../../src/cli/estimate.ts';
import { printFailure } from '../../src/cli/failure.ts';
import { noTotals } from '../../src/core/totals.ts';
import { noTokens } from '../../src/core/usage.ts';
import { asCalled, escapeControls, escapedJson, shellWord } from '../../src/text/format.ts';
import { costText, exitCodeOf, labelOf, modelsText, outcomeText, tokensText } from '../../src/text/labels.ts';
import { noPaint } from '../../src/text/paint.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('texts', () => {
  test('controls are made visible, and escaped in JSON', () => {
    expect(escapeControls('a\x1b[31m\x07\r\nb\tc\x9b\u202e')).toBe('a␛[31m␇\nb\tc<U+009B><U+202E>');
    const json = escapedJson({ text: '\x1b\x7f\x9b\u202e' }, 2);
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
    expect(printFailure(quiet.shell, new TypeError('x is undefined'), false)).toBe(70);
    expect(quiet.told.join('')).toMatch(
      /^polya: This is a defect of Polya: x is undefined\n {2}The stack is in \/\S+stack\.txt\.\n/,
    );
    expect(quiet.told.join('')).not.toMatch(/\n\s+at /);
    const loud = shellOf({ POLYA_DEBUG: '1' });
    printFailure(loud.shell, new TypeError('x is undefined'), false);
    expect(loud.told.join('')).toMatch(/\n\s+at /);
    printFailure(loud.shell, 'thrown text', true);
    expect(loud.told.join('')).toContain('thrown text');
  });
});
