/** One file of several: what is put in, how often, and what stays. */

import { describe, expect, test } from 'vitest';
import { type BundleSource, bundle, parseDirectives } from '../../src/families/ahc/bundle.ts';
import { coded } from '../support/coded.ts';

/** `lib` is the include path. */
function source(files: Readonly<Record<string, string>>): BundleSource {
  return {
    folderOf: (path) => path.slice(0, path.lastIndexOf('/')),
    find(name, folder) {
      const path = `${folder ?? '/lib'}/${name}`;
      const text = files[path];
      return text === undefined ? null : { path, text };
    },
  };
}

const bundled = (text: string, files: Readonly<Record<string, string>> = {}) =>
  bundle('/w/main.cpp', text, source(files));

/** Without the lines that nothing stands on. */
const dense = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

describe('a bundle', () => {
  test('leaves a program without includes of its own as it is', () => {
    const text = '#include <vector>\nint main() {}\n';
    expect(bundled(text)).toEqual({ text, included: [] });
  });

  test('puts in what lies beside, then what the path has, each of its own folder', () => {
    const { text, included } = bundled('#include "a.hpp"\n#include "sub/b.hpp"\nint main() {}', {
      '/w/a.hpp': 'int beside;',
      '/lib/a.hpp': 'int on_the_path;',
      '/lib/sub/b.hpp': '#include "c.hpp"\nint b;',
      '/lib/sub/c.hpp': 'int c;',
    });
    expect(dense(text)).toEqual(['int beside;', 'int c;', 'int b;', 'int main() {}']);
    expect(included).toEqual(['/w/a.hpp', '/lib/sub/b.hpp', '/lib/sub/c.hpp']);
  });

  test.each([
    ['#pragma once', '#pragma once\nint a;', 1],
    ['a guard', '// about it\n#ifndef A_H\n#define A_H\nint a;\n#endif // A_H\n', 1],
    ['nothing, as for lists of macros', 'int a;', 2],
  ])('takes a header with %s as often as a compiler would', (_name, header, times) => {
    const { text } = bundled('#include "a.hpp"\n#include "a.hpp"\n', { '/w/a.hpp': header });
    expect(text.split('int a;').length - 1).toBe(times);
    expect(text).not.toContain('#pragma once');
  });

  test('knows the lines of files that Windows wrote', () => {
    const guarded = '#ifndef A_H\r\n#define A_H\r\nint a();\r\n#endif\r\n';
    const { text, included } = bundled(
      '#include "a.h"\r\n#include "a.h"\r\n#include "b.h"\r\nint main() {}\r\n',
      {
        '/w/a.h': guarded,
        '/w/b.h': '\uFEFF#pragma once\r\n#include "a.h"\r\nint b();\r\n',
      },
    );
    expect(included).toEqual(['/w/a.h', '/w/b.h']);
    expect(dense(text)).toEqual([
      '#ifndef A_H',
      '#define A_H',
      'int a();',
      '#endif',
      'int b();',
      'int main() {}',
    ]);
  });

  test('does not take a header for done that a condition may have left out', () => {
    const files = { '/w/a.hpp': '#pragma once\nint a;' };
    const { text } = bundled(
      '#ifdef LOCAL\n#include "a.hpp"\n#endif\n#include "a.hpp"\n#include "a.hpp"\n',
      files,
    );
    expect(text.match(/int a;/g)).toHaveLength(2);
    expect(text.match(/#ifndef POLYA_ONCE_1/g)).toHaveLength(2);
  });

  test('knows headers that need one another', () => {
    const files = {
      '/w/a.hpp': '#pragma once\n#include "b.hpp"\nint a;',
      '/w/b.hpp': '#pragma once\n#include "a.hpp"\nint b;',
    };
    expect(dense(bundled('#include "a.hpp"\n', files).text)).toEqual(['int b;', 'int a;']);
    const bare = { '/w/a.hpp': '#include "b.hpp"', '/w/b.hpp': '#include "a.hpp"' };
    expect(() => bundled('#include "a.hpp"\n', bare)).toThrow(
      'A file includes itself: /w/main.cpp → /w/a.hpp → /w/b.hpp',
    );
  });

  test('puts in a library in angle brackets where the path has it', () => {
    const { text } = bundled('#include <atcoder/all>\n#include <bits/stdc++.h>\n', {
      '/lib/atcoder/all': 'int acl;',
    });
    expect(dense(text)).toEqual(['int acl;', '#include <bits/stdc++.h>']);
  });

  test('says what is nowhere, but for what a condition may leave out', () => {
    expect(() => bundled('int a;\n#include "no.hpp"\n')).toThrow(coded('include-not-found', '/w/main.cpp'));
    const local = '#ifdef LOCAL\n#include "debug.hpp"\n#endif\n';
    expect(bundled(local).text).toBe(local);
  });

  test('does not look into comments and strings', () => {
    const text = [
      '/* #include "no.hpp"',
      '#include "no.hpp" */ int a = 1\'000\'000; // /*',
      'const char* s = R"x(',
      '#include "no.hpp"',
      ')x"; const char* t = "/*";',
      "char c = '\"';",
      '// #include "no.hpp"',
      '#define Q "a /* b"',
      "#error don't /* really",
      '#include "no.hpp"',
      '*/',
    ].join('\n');
    expect(bundled(text).text).toBe(text);
    expect([...parseDirectives(text.split('\n')).keys()]).toEqual([7, 8]);
  });
});
