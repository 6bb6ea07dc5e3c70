/** What prompts show of programs: nothing that runs is lost, and what differs is told so that either can be made of the other. */
import { expect, test } from 'vitest';
import { randomFromKey } from '../../run/hash.ts';
import { codeTokens } from '../../text/cpp-tokens.ts';
import { applyBlocks } from './operators/blocks.ts';
import { diffLines, plainSource, sourcePrefix } from './shown-source.ts';

const program = `// ------------------------------ parameters
#include <bits/stdc++.h>
/* a comment
   of two lines */ using namespace std;

const double HEAT = 10.0;  // tune: 1..100 log
const int WIDTH = 5; /* tune: int 2..9 */
const char* url = "http://example.org"; // the page

int main() {
    // Looks at the clock.

    int step = 0;   // how far
    puts(url);
}
`;

test('a program is shown without comments and blank lines, with the marks of its constants and its texts', () => {
  expect(plainSource(program)).toBe(`#include <bits/stdc++.h>
/* a comment
   of two lines */ using namespace std;
const double HEAT = 10.0;  // tune: 1..100 log
const int WIDTH = 5; /* tune: int 2..9 */
const char* url = "http://example.org";
int main() {
    int step = 0;
    puts(url);
}`);
  const texts = (source: string) => codeTokens(source).map(({ text }) => text);
  expect(texts(plainSource(program))).toEqual(texts(program));
  expect(plainSource('int a;\r\n\r\n// b\r\nint c;\r\n')).toBe('int a;\nint c;');
});

test('a change of a program that was shown without its comments is applied to it with them', () => {
  const block = (search: string, replace: string) => [
    { search: search.split('\n'), replace: replace.split('\n') },
  ];
  const inside = applyBlocks(
    program,
    block('int main() {\n    int step = 0;', 'int main() {\n    int step = 1;'),
  );
  expect(inside.source).toBe(program.replace(/int main[\s\S]*how far/, 'int main() {\n    int step = 1;'));
  const editResult = applyBlocks(
    program,
    block('   of two lines */ using namespace std;\nconst double HEAT = 10.0;', 'const double HEAT = 20;'),
  );
  expect(editResult.source).toContain(
    '/* a comment\nconst double HEAT = 20; // tune: 1..100 log\nconst int WIDTH',
  );
  expect(applyBlocks(program, block('// nothing of it', 'int x;')).source).toBeNull();
  expect(applyBlocks('f(1);\nf(1); // twice\n', block('f(1); // once', '')).source).toBeNull();
});

/** The other program, from one and what is told of it. */
function patched(one: string, text: string): string {
  if (text === '') return one;
  const lines = one.split('\n');
  let at = 0;
  const created: string[] = [];
  for (const run of text.split('\n…\n')) {
    const [context = '', ...rest] = run.replace(/^…\n/, '').split('\n');
    const removed = rest.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
    const fits = (from: number) =>
      (from === 0 ? context === ' ' : ` ${lines[from - 1]}` === context) &&
      removed.every((line, index) => lines[from + index] === line);
    while (!fits(at)) created.push(lines[at++] ?? '');
    created.push(...rest.filter((line) => line.startsWith('+')).map((line) => line.slice(1)));
    at += removed.length;
  }
  return [...created, ...lines.slice(at)].join('\n');
}

test('what differs between kindred programs makes the one of the other; strangers are shown whole', () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const draw = (what: string) => randomFromKey(`${seed} ${what}`);
    const one = Array.from({ length: 40 }, (_, at) => `line ${at} ${Math.floor(draw(`l${at}`) * 1000)};`);
    const other = one.flatMap((line, at) => {
      if (draw(`d${at}`) < 0.03) return [];
      return draw(`i${at}`) < 0.03 ? [`new ${at};`, line] : [line];
    });
    const text = diffLines(one.join('\n'), other.join('\n'));
    expect(text).not.toBeNull();
    expect(patched(one.join('\n'), text ?? '')).toBe(other.join('\n'));
  }
  expect(diffLines('a\nb\nc', 'x\ny\nz')).toBeNull();
  expect(diffLines('same', 'same')).toBe('');
  const long = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word}${at}`).join('\n');
  expect(diffLines(long('a'), long('b'))).toBeNull();
});

test('the beginning of a long program ends with a function where it can', () => {
  const body = 'int f() {\n  return 1;\n}\n';
  expect(sourcePrefix(body, 100)).toBe(body);
  expect(sourcePrefix(body.repeat(3), 60)).toBe(body.repeat(2).trimEnd());
  expect(sourcePrefix(`${body}struct S {\n${'  int a;\n'.repeat(20)}};\n`, 70)).toHaveLength(70);
  expect(sourcePrefix('x'.repeat(90), 50)).toHaveLength(50);
});
