/** Among the likeliest plain answers there is one that is valid on inputs of any size, and the C++ prints the same. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toStatementMarkdown } from '../../../src/apps/ahc/intake/problem.ts';
import { bankOf, type Tried } from '../../../src/families/ahc/plain/bank.ts';
import { kindsIn, printingCode } from '../../../src/families/ahc/plain/cpp.ts';
import { understand } from '../../../src/families/ahc/plain/understanding.ts';
import { chosenSandbox } from '../../../src/sandbox/choose.ts';
import { type Form, forms, type Sizes, upTo, type Words } from './forms.ts';

const markdown = (html: string) => toStatementMarkdown(html, (src) => src);

/** As a page of AtCoder has it: names in `var`, one block a section. */
function formatOf({ input, output, said }: Form, isJapanese: boolean): string {
  const pre = (block: string) => `<pre>${block.replaceAll(/[^\s]+/g, '<var>$&</var>')}\n</pre>`;
  const [first, second] = isJapanese ? ['入力', '出力'] : ['Input', 'Output'];
  return `${first}\n\n${markdown(pre(input))}\n\n${second}\n\n${markdown(`<p>${said}</p>${pre(output)}`)}\n`;
}

const wordsOf = (text: string): Words =>
  text
    .split('\n')
    .map((line) => line.split(/\s+/).filter(Boolean))
    .filter((line) => line.length > 0);

function likeliest(form: Form, inputs: readonly string[]) {
  const isJapanese = /[ぁ-ん]/.test(form.said);
  const question = {
    format: formatOf(form, isJapanese),
    statement: '',
    inputs,
    samples: [],
    isInteractive: false,
  };
  const understood = understand(question);
  const [first = [], second = []] = bankOf(question, understood);
  return { understood, answers: [...first, ...second] };
}

const sizes = fc.record({
  n: fc.integer({ min: 3, max: 30 }),
  m: fc.integer({ min: 2, max: 12 }),
  seed: fc.nat({ max: 1000 }),
});

function validOne(
  form: Form,
  cases: readonly Sizes[],
): { readonly answer: Tried | undefined; readonly code: readonly string[] } {
  const posed = cases.map((each) => form.of(each));
  const { understood, answers } = likeliest(
    form,
    posed.map(({ input }) => input),
  );
  const answer = answers.find(({ outputs }) =>
    posed.every(({ isValid }, at) => isValid(wordsOf(outputs[at] ?? ''))),
  );
  const code = answer
    ? [...(understood.reading ?? []), ...printingCode(answer, kindsIn(understood.steps))]
    : [];
  return { answer, code };
}

describe('a plain answer that is', () => {
  test.each(forms)('$name is found, whatever the sizes', (form) => {
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 3 }), (cases) => {
        expect(validOne(form, cases).answer, form.name).toBeDefined();
      }),
      { seed: 9, numRuns: 4 },
    );
  });

  test('the same as C++', async () => {
    const cases = [
      { n: 7, m: 3, seed: 5 },
      { n: 12, m: 5, seed: 8 },
    ];
    const found = forms.map((form) => ({ form, ...validOne(form, cases) }));
    const functions = found.map(({ code }, at) => `void answer${at}() {\n${code.join('\n')}\n}`);
    const main = `int main() {\n  int which;\n  cin >> which;\n${upTo(forms.length)
      .map((at) => `  if (which == ${at}) answer${at}();`)
      .join('\n')}\n}\n`;
    const source = `#include <bits/stdc++.h>\nusing namespace std;\n${functions.join('\n')}\n${main}`;
    const outputs = new Map<string, string>();
    const { compile } = await chosenSandbox().batch(
      {
        program: { language: 'cpp', source },
        cases: found.flatMap(({ form }, at) =>
          cases.map((each, number) => ({ name: `${at}-${number}`, stdin: `${at}\n${form.of(each).input}` })),
        ),
      },
      ({ name, step }) => {
        outputs.set(name, step.stdout.text);
      },
      new AbortController().signal,
    );
    expect(compile?.digest).toBe('');
    for (const [at, { answer, form }] of found.entries())
      for (const number of upTo(cases.length))
        expect(wordsOf(outputs.get(`${at}-${number}`) ?? ''), form.name).toEqual(
          wordsOf(answer?.outputs[number] ?? 'none'),
        );
  });
});
