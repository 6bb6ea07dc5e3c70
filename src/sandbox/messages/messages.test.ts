import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestMessages, type MessageReader } from './digest.ts';
import { readGnuMessages } from './gnu.ts';
import { readLineMessages, readPythonMessages, readRustMessages } from './readers.ts';

const control = /[^\P{Cc}\n\t]/gu;
const readers: Readonly<Record<string, MessageReader>> = {
  gnu: readGnuMessages,
  line: readLineMessages,
  rust: readRustMessages,
  python: readPythonMessages,
};

const gcc = `In file included from /usr/include/c++/12/algorithm:61,
                 from main.cpp:1:
/usr/include/c++/12/bits/predefined_ops.h: In instantiation of ‘constexpr bool __gnu_cxx::__ops::_Iter_less_iter::operator()(_Iterator1, _Iterator2) const [with _Iterator1 = __gnu_cxx::__normal_iterator<S*, std::vector<S, std::allocator<S> > >]’:
/usr/include/c++/12/bits/stl_algo.h:1811:14:   required from ‘constexpr void std::__insertion_sort(_RandomAccessIterator, _RandomAccessIterator, _Compare)’
/usr/include/c++/12/bits/stl_algo.h:4820:18:   required from ‘constexpr void std::sort(_RAIter, _RAIter)’
main.cpp:4:30:   required from here
/usr/include/c++/12/bits/predefined_ops.h:45:23: error: no match for ‘operator<’ (operand types are ‘S’ and ‘S’)
   45 |       { return *__it1 < *__it2; }
      |                ~~~~~~~^~~~~~~~
/usr/include/c++/12/bits/stl_iterator.h:1185:5: note: candidate: ‘template<class A, class B> constexpr auto operator<=>(const A&, const B&)’
 1185 |     operator<=>(const __normal_iterator<_IteratorL, _Container>& __lhs,
      |     ^~~~~~~~
/usr/include/c++/12/bits/stl_iterator.h:1185:5: note:   template argument deduction/substitution failed:
main.cpp: In function ‘int main()’:
main.cpp:6:7: warning: unused variable ‘unused’ [-Wunused-variable]
    6 |   int unused;
main.cpp:7:3: error: ‘nothing’ was not declared in this scope
    7 |   nothing();
      |   ^~~~~~~
`;

describe('g++', () => {
  test('a template’s backtrace becomes the line that needed it, notes are counted, warnings dropped', () => {
    expect(
      digestMessages(gcc, readGnuMessages),
    ).toBe(`<bits/predefined_ops.h>:45:23: error: no match for ‘operator<’ (operand types are ‘S’ and ‘S’)
   45 |       { return *__it1 < *__it2; }
      |                ~~~~~~~^~~~~~~~
  needed by main.cpp:4:30, 2 steps away
  (1 note omitted)
main.cpp:7:3: error: ‘nothing’ was not declared in this scope
    7 |   nothing();
      |   ^~~~~~~`);
  });

  test('warnings alone are told', () => {
    const text = 'main.cpp:6:7: warning: unused variable ‘unused’\n    6 |   int unused;';
    expect(digestMessages(text, readGnuMessages)).toBe(text);
  });

  test('what the linker misses', () => {
    const text = `/usr/bin/ld: /tmp/cc9m9gQj.o: in function \`main':
main.cpp:(.text+0x5): undefined reference to \`foo()'
collect2: error: ld returned 1 exit status`;
    expect(digestMessages(text, readGnuMessages)).toBe(
      "main.cpp:(.text+0x5): undefined reference to `foo()'",
    );
  });

  test('errors that one line of the user’s caused are told twice and counted', () => {
    const at = (line: number) => `/usr/include/c++/12/bits/stl_algo.h:${line}:11: error: no match ${line}
/usr/include/c++/12/bits/stl_algo.h:9:1: note: in instantiation of function template specialization 'f<S>' requested here
main.cpp:4:26: note: in instantiation of function template specialization 'std::sort<S>' requested here`;
    const digest = digestMessages([1, 2, 3, 4].map(at).join('\n'), readGnuMessages);
    expect(digest.match(/error: no match/g)).toHaveLength(2);
    expect(digest).toContain('needed by main.cpp:4:26, 1 step away');
    expect(digest).toMatch(/… and 2 more errors$/);
  });

  test.each([
    [
      '/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/x86_64-linux-gnu/c++/12/bits/stdc++.h:41:1: error: a',
      '<bits/stdc++.h>:41:1: error: a',
    ],
    ['/usr/include/boost/graph/graph.hpp:1:1: error: a', '<boost/graph/graph.hpp>:1:1: error: a'],
    ['/run/polya/acl/atcoder/dsu.hpp:1:1: error: a', '<atcoder/dsu.hpp>:1:1: error: a'],
    ['/box/lib/a.hpp:1:1: error: a', 'lib/a.hpp:1:1: error: a'],
    [
      'main.cpp:1:1: error: std::vector<int, std::allocator<int> > and std::__cxx11::basic_string<char>',
      'main.cpp:1:1: error: std::vector<int> and std::string',
    ],
  ])('%s is %s', (printed, text) => {
    expect(digestMessages(printed, readGnuMessages)).toBe(text);
  });
});

test('rustc and cargo: what is wrong and where; no progress, no warnings, no advice', () => {
  const text = `   Compiling tools v0.1.0 (/box)
warning: unused import: \`std::io\`
 --> src/main.rs:1:5

error[E0425]: cannot find value \`x\` in this scope
 --> /box/src/main.rs:2:5
  |
2 |     x
  |     ^ not found in this scope

error: aborting due to previous error; 1 warning emitted

For more information about this error, try \`rustc --explain E0425\`.
error: could not compile \`tools\` due to previous error`;
  expect(digestMessages(text, readRustMessages)).toBe(`error[E0425]: cannot find value \`x\` in this scope
 --> src/main.rs:2:5
2 |     x
  |     ^ not found in this scope`);
});

test.each([
  [
    "main.kt:1:5: warning: variable 'a' is never used\nmain.kt:2:22: error: unresolved reference 'b'.\nfun main() { println(b) }\n                     ^",
    "main.kt:2:22: error: unresolved reference 'b'.\nfun main() { println(b) }\n                     ^",
  ],
  [
    "main.cs(2,26): error CS0103: The name `x' does not exist\nCompilation failed: 1 error(s), 0 warnings",
    "main.cs(2,26): error CS0103: The name `x' does not exist",
  ],
  ['/box/main.cs(1,7): error CS1002: ; expected', 'main.cs(1,7): error CS1002: ; expected'],
])('a compiler that says it in a line: %j', (printed, text) => {
  expect(digestMessages(printed, readLineMessages)).toBe(text);
});

test('Python: the place, the line, what is wrong; nothing of the script that looked', () => {
  const text = `Traceback (most recent call last):
  File "<string>", line 5, in <module>
  File "main.py", line 1
    def f(:
          ^
SyntaxError: invalid syntax`;
  expect(digestMessages(text, readPythonMessages)).toBe(
    'main.py:1: SyntaxError: invalid syntax\n    def f(:\n          ^',
  );
});

describe('whatever is printed', () => {
  const parts = fc.constantFrom(
    ...gcc.split('\n'),
    'error[E0308]: mismatched types',
    ' --> main.rs:1:1',
    "main.kt:2:22: error: unresolved reference 'b'.",
    'main.cs(2,26): error CS0103: gone',
    '  File "main.py", line 1',
    'SyntaxError: invalid syntax',
    '\u001b[31mred\u001b[0m',
  );
  const line = fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 300 }));
  const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'));

  test.each(Object.entries(readers))(
    '%s: the digest is bounded, clean, and silent only for silence',
    (_, read) => {
      fc.assert(
        fc.property(text, fc.integer({ min: 400, max: 4000 }), (printed, characters) => {
          const digest = digestMessages(printed, read, { messages: 8, characters });
          expect(digest.length).toBeLessThanOrEqual(characters);
          expect(digest).not.toMatch(control);
          if (printed.includes(': error: ')) expect(digest).not.toBe('');
        }),
        { seed: 4 },
      );
    },
  );

  test.each(Object.entries(readers))('%s: shown and omitted errors are all there are', (_, read) => {
    fc.assert(
      fc.property(text, (printed) => {
        const errors = read(printed).filter(({ severity }) => severity === 'error');
        fc.pre(errors.length > 0 && !printed.includes('\u001b'));
        const one = digestMessages(printed, read, { messages: 1, characters: 100_000 });
        const [, omitted = '0'] = /… and (\d+) more errors?$/.exec(one) ?? [];
        expect(Number(omitted)).toBe(errors.length - 1);
        const first = (errors[0]?.lines[0] ?? '').replaceAll(control, '').trim();
        expect(one.startsWith(first.slice(0, 20).trim())).toBe(true);
      }),
      { seed: 4 },
    );
  });

  test.each(Object.entries(readers))(
    '%s: a hundred thousand hostile characters cost no time',
    (_, read) => {
      const hostile = [
        'a:'.repeat(50_000),
        '/usr/'.repeat(20_000),
        '<'.repeat(100_000),
        ' [with '.repeat(15_000),
      ];
      for (const part of hostile) digestMessages(`main.cpp:1:1: error: ${part}\n${part}`, read);
    },
    5_000,
  );
});
