/**
 * `bits/stdc++.h`, compiled ahead once for each C++ toolchain: reading it is most of what a small program costs. It is
 * used only where the program is compiled with exactly the options that it was made with. g++ looks for it by itself
 * and checks that nothing before the #include matters; clang++ reads it before the source, so there the #include has
 * to be the first thing.
 */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { Mount } from '../backend.ts';
import { outputFolder } from '../layout.ts';
import { digest } from '../staged-file.ts';
import type { FoundCompiler } from './cpp-compiler.ts';
import { type Host, type Source, toolsInside } from './language.ts';

export type PrecompiledHeader = {
  /** No options where it does not help this source, or does not exist. */
  use(source: Source): { readonly options: readonly string[]; readonly mounts: readonly Mount[] };
  helps(source: Source): boolean;
  make(signal: AbortSignal): Promise<void>;
};

type Use = { readonly options: readonly string[]; readonly target: string; helps(source: Source): boolean };

/** Where it is seen inside. */
export const headerInside = posix.join(toolsInside, 'header');
const mention = /^[ \t]*#[ \t]*include[ \t]*[<"]bits\/stdc\+\+\.h[>"]/m;
const blank = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/;
const none = { options: [], mounts: [] };

const uses: Readonly<Record<string, Use>> = {
  'g++': {
    options: [`-I${headerInside}`],
    target: posix.join(headerInside, 'bits/stdc++.h.gch'),
    helps: ({ source }) => mention.test(source),
  },
  'clang++': {
    options: ['-include-pch', posix.join(headerInside, 'stdc++.pch')],
    target: posix.join(headerInside, 'stdc++.pch'),
    helps: ({ source }) => beginsWithIt(source),
  },
};

export async function precompiledHeader(host: Host, compiler: FoundCompiler): Promise<PrecompiledHeader> {
  const { name, family, path, options, everyHeader, headerIdentity } = compiler;
  const use = uses[family];
  if (use === undefined || everyHeader === null)
    return { use: () => none, helps: () => false, make: async () => {} };
  const folder = await host.stageFolder('headers', {});
  const staged = posix.join(folder, `${name}-${digest([headerIdentity])}`);
  const helps = (source: Source) => (source.flags ?? []).length === 0 && use.helps(source);
  const collectPath = `${outputFolder}/header`;
  const command = [path, ...options, '-x', 'c++-header', '-o', `/${collectPath}`, everyHeader];
  return {
    use: (source) =>
      helps(source) && existsSync(staged)
        ? { options: use.options, mounts: [{ source: staged, target: use.target }] }
        : none,
    helps,
    make: (signal) => host.makeFile(staged, { command, collectPath, replaces: `${name}-` }, signal),
  };
}

/** Behind comments and blanks only. */
export function beginsWithIt(source: string): boolean {
  const start = blank.exec(source)?.[0].length ?? 0;
  return mention.exec(source.slice(start))?.index === 0;
}
