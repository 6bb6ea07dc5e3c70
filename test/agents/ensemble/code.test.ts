/** Programs in what models write, and what a model is told of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountOf, accountText, isErrorLine, lastLine } from '../../../src/agents/ensemble/program.ts';
import type { StepResult } from '../../../src/core/sandbox.ts';
import { codeBlocks, firstPythonIn, pythonIn } from '../../../src/text/code-blocks.ts';

describe('a program', () => {
  test.each([
    ['```python\nx\n```', 'x'],
    ['```py\nx\n```', 'x'],
    ['```Python3 title="a.py"\nx\n```', 'x'],
    ['~~~python\nx\n~~~', 'x'],
    ['```\nx\n```', 'x'],
    ['1. so:\n   ```python\n   if x:\n       y\n   ```', 'if x:\n    y'],
    ['```python\na\n```\nbetter:\n```python\nb\n```\nIt prints:\n```\n42\n```', 'b'],
    ['````python\n"""\n```\n"""\n````', '"""\n```\n"""'],
    ['```python\r\nx\r\n```\r\n', 'x\r'],
    ['```python\nx', 'x'],
  ])('in %j is %j', (text, code) => {
    expect(pythonIn(text)?.code).toBe(code);
  });

  test.each([
    '',
    'x = 1',
    '`x`',
    '```js\nx\n```',
    '```python\n\n```',
    '```python x```',
    '```output\n42\n```',
  ])('is not in %j', (text) => {
    expect(pythonIn(text)).toBeNull();
  });

  test('the first one is another than the last', () => {
    expect(firstPythonIn('```\nout\n```\n```python\na\n```\n```python\nb\n```')?.code).toBe('a');
  });

  test('of any lines comes out as it went in, at its place', () => {
    const line = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[`~\r\n]/g, ''));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), line, line, (code, before, after) => {
        const block = `\`\`\`python\n${code.join('\n')}\n\`\`\`\n`;
        const text = `${before}\n${block}${after}`;
        const [found] = codeBlocks(text);
        expect(found).toMatchObject({ code: code.join('\n'), isClosed: true, language: 'python' });
        expect(text.slice(found?.start, found?.end)).toBe(block);
      }),
      { seed: 9, numRuns: 300 },
    );
  });
});

const output = (text: string) => ({ text, bytes: text.length, cut: false });
const step = (verdict: StepResult['verdict'], stdout = '', stderr = ''): StepResult => ({
  verdict,
  exitCode: verdict === 'exit' ? 3 : null,
  signal: verdict === 'signal' ? 'SIGSEGV' : null,
  stdout: output(stdout),
  stderr: output(stderr),
  wallMs: 10_300,
  cpuMs: 1,
  peakMemoryBytes: 1,
});

describe('an account', () => {
  test.each([
    ['exit', 'status 3'],
    ['signal', 'SIGSEGV'],
    ['wall', 'too long and was ended after 10.3 s'],
    ['cpu', 'too long'],
    ['memory', 'more memory'],
    ['processes', 'more processes'],
    ['disk', 'wrote more'],
    ['output', 'printed far more'],
    ['cancelled', 'broken off'],
  ] as const)('of %s says %s', (verdict, words) => {
    expect(accountText(accountOf({ compile: null, run: step(verdict, 'a', 'Trace') }, 400))).toMatch(
      new RegExp(`^The program failed: .*${words}.*\\nstdout:\\na\\nstderr:\\nTrace$`),
    );
  });

  test('of silence says so, and long output keeps its beginning and its end', () => {
    expect(accountText(accountOf({ compile: null, run: step('ok') }, 400))).toContain('printed nothing');
    const long = accountText(
      accountOf({ compile: null, run: step('ok', `begin${'x'.repeat(9_000)}end`) }, 400),
    );
    expect(long).toMatch(/begin[\s\S]*8608 characters left out[\s\S]*end/);
    expect(long.length).toBeLessThan(500);
  });

  test('the last line', () => {
    expect(lastLine('a\n 42 \n\n \n')).toBe('42');
    expect(lastLine(' \n')).toBe('');
  });

  test.each([
    'Error: could not solve it',
    'An error occurred while solving',
    'ValueError: math domain error',
    'Exception (no root)',
    'Traceback (most recent call last):',
    'error',
    'None',
    'nan',
    'Failed to converge',
    'Could not find a solution',
    'Unable to solve the equation',
  ])('%j is a failure that a program has printed', (line) => {
    expect(isErrorLine(line)).toBe(true);
  });

  test.each([
    '42',
    'No solution',
    'Cannot be determined',
    'none',
    'Nan',
    'Terrorist',
    'Errors and omissions',
    'Nonempty',
    'The error term',
    'oo',
    'False',
  ])('%j may be an answer', (line) => {
    expect(isErrorLine(line)).toBe(false);
  });
});
