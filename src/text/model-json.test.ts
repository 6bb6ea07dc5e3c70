/** TeX in the JSON of models, with single backslashes, with doubled ones, and among line breaks that are meant. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonInReply, modelJson } from './model-json.ts';

const said = (json: string) => modelJson(`{"a":"${json}"}`);

describe('TeX inside JSON: `\\neq` became a line break, `\\frac` a form feed', () => {
  test.each([
    String.raw`so $a \neq 0$`,
    String.raw`\frac{1}{2} \times 3`,
    String.raw`$\beta \rho \tau \theta \nu \ne \ni$`,
    String.raw`\text{if } \underline{x} \upsilon \unlhd \boxed{7}`,
    String.raw`\(\nu_2(n) \nmid k\) and \[\tan x \to \infty\]`,
    String.raw`x \notin A, \nabla f, \not\in B`,
    String.raw`\theta = 3`,
    String.raw`\right\rangle \rfloor`,
    String.raw`\forall x \in \mathbb{R}`,
    String.raw`a \neq b`,
    String.raw`\bmod p`,
    String.raw`$n!\binom{n}{k}$`,
  ])('%s', (tex) => {
    expect(said(tex)).toEqual({ a: tex });
  });

  test('line breaks of TeX stay two backslashes where nothing is doubled', () => {
    const tex = String.raw`\begin{cases} 1 & a \\ 2 & b \end{cases}`;
    expect(said(tex)).toEqual({ a: tex });
  });

  test('line breaks as they are, in a string', () => {
    expect(said('one\ntwo \\frac{1}{2}')).toEqual({ a: 'one\ntwo \\frac{1}{2}' });
  });

  test('beside escapes that are meant', () => {
    expect(said(String.raw`First.\nThen \"$x \neq y$\".\n\nq \u2265 \alpha`)).toEqual({
      a: 'First.\nThen "$x \\neq y$".\n\nq ≥ \\alpha',
    });
  });
});

describe('a line break that is meant stays', () => {
  test.each([
    String.raw`First.\nThen it holds.`,
    String.raw`Bounds:\ne is a number\nu too\ni am`,
    String.raw`See\neq. (3)`,
    String.raw`$a \\neq b$\nu is the next\nless than $\\nu$`,
    String.raw`$$a$$\nmid = 3`,
    String.raw`column\tother\n1\t2`,
    String.raw`def f(x):\n\tif x:\n\t\treturn 1\nnorm = f(2)\nneg = 1`,
    String.raw`import re\nneq = 3\nr = re.compile('a')`,
    String.raw`#include <cstdio>\nint main() {\n\tto();\n\treturn 0;\n}`,
    String.raw`\\frac{1}{2}\ntext`,
  ])('%s', (json) => {
    expect(said(json)).toEqual(JSON.parse(`{"a":"${json}"}`));
  });

  test('what doubles its backslashes is read as JSON is', () => {
    const word = fc.constantFrom(
      'so',
      'eq',
      'u',
      'mid',
      'text',
      '$x \\neq y$',
      '\\frac{1}{2}',
      '\n',
      '\n',
      'é',
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const value = { a: `\\alpha ${words.join('')}` };
        expect(modelJson(JSON.stringify(value))).toEqual(value);
      }),
      { seed: 1 },
    );
  });
});

test.each(['', 'Bad.', '{"a":', '{"a":"\\frac}'])('no JSON: %j', (text) => {
  expect(modelJson(text)).toBeUndefined();
});

test('any JSON without backslashes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      fc.pre(!json.includes('\\'));
      expect(modelJson(json)).toEqual(JSON.parse(json));
    }),
    { seed: 1 },
  );
});

describe('the object of a reply', () => {
  test.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['```json\n{"a":1}\n```\n', { a: 1 }],
    ['```\n[1]\n```', [1]],
    ['Here: {"a":1}', { a: 1 }],
    ['The set {1, 2} and \\frac{1}{2}: {"a": {"b": 2}}. Done.', { a: { b: 2 } }],
    ['Sure!```json{"a":1}```I hope this helps.', { a: 1 }],
    ['~~~\n{"a":1,}\n~~~', { a: 1 }],
    ['{"a": 1, // one\n "b": [1, 2,], /* two */ }', { a: 1, b: [1, 2] }],
    [
      '{"a": True, "b": None, "c": "True, // no comment,}"}',
      { a: true, b: null, c: 'True, // no comment,}' },
    ],
    ['First {"a":1}, no: {"a":2}', { a: 2 }],
    ['<think>{"a":1}</think>{"a":2}', { a: 2 }],
    ['[THINK]{"a":1}[/THINK]\n{"a":2}', { a: 2 }],
    ['◁think▷{"a":1}◁/think▷{"a":2}', { a: 2 }],
    ['<seed:think>{"a":1}</seed:think>{"a":2}', { a: 2 }],
    ['<|begin_of_thought|>{"a":1}<|end_of_thought|>{"a":2}', { a: 2 }],
    [
      '<|channel|>analysis<|message|>{"a":1}<|end|><|start|>assistant<|channel|>final<|message|>{"a":2}<|return|>',
      { a: 2 },
    ],
    ['<|channel|>analysis<|message|>{"a":1}', undefined],
    ['Maybe {"a":1}?</think>\n{"a":2}', { a: 2 }],
    ['```python\nprint({"x": 1})\n```\n```json\n{"a":2}\n```', { a: 2 }],
    ['{"a": "cut in the mid', undefined],
    ['```json\n{"a": [1, 2', undefined],
    ['I cannot do that.', undefined],
    ['', undefined],
  ])('%s', (text, value) => {
    expect(jsonInReply(text)).toEqual(value);
  });

  test.each(['{"', '"', '\\"', '/*', '{', '{}', '```', '{"a":', ',', '`````', '\\'])(
    '%s many times takes linear time',
    (part) => {
      const timeOf = (count: number): number => {
        const text = part.repeat(count);
        // Of this thread: a busy machine makes nothing slower.
        const started = process.threadCpuUsage();
        jsonInReply(text);
        const { user, system } = process.threadCpuUsage(started);
        return (user + system) / 1_000;
      };
      const least = (count: number): number => Math.min(timeOf(count), timeOf(count), timeOf(count));
      least(2_000);
      expect(least(80_000)).toBeLessThan(Math.max(100, 12 * least(20_000)));
    },
  );
});

describe('single backslashes outside of formulas, beside other commands', () => {
  test.each([
    [String.raw`Let \mu and \nu be measures`, String.raw`Let \mu and \nu be measures`],
    [String.raw`\mu\nu and (\nu, \sigma \ni x)`, String.raw`\mu\nu and (\nu, \sigma \ni x)`],
    [String.raw`by \ref{eq:1} we have \leq`, String.raw`by \ref{eq:1} we have \leq`],
    [String.raw`see \ref{lem}, \not= and \notag`, String.raw`see \ref{lem}, \not= and \notag`],
    [String.raw`x \in A, \nexists y`, String.raw`x \in A, \nexists y`],
    [String.raw`\alpha holds.\nu = 3`, '\\alpha holds.\nu = 3'],
    [String.raw`One\nuse it`, 'One\nuse it'],
    [String.raw`One \nu = 3`, 'One \nu = 3'],
  ])('%s', (text, intended) => {
    expect(modelJson(`{"q": "${text}"}`)).toEqual({ q: intended });
  });
});
