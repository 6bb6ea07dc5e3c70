/**
 * One file of several, as the judge takes it: `#include "…"` is replaced by what is included, relative to the file that
 * asks and then along the include path; so is `#include <…>` where the path has it (a library of the user's, or Polya's). What
 * the compiler brings stays as it is. Reading is handed in; nothing is compiled here.
 */
import { UserError } from '../../core/errors.ts';
import { cppTokens, lineCounter } from '../../text/cpp-tokens.ts';
import { nearestOf } from '../../text/nearest.ts';

export type BundleSource = {
  /** Absolute path and text of a file, null where there is none. `folder`: absolute, or null for the include path. */
  find(name: string, folder: string | null): FoundFile | null;
  folderOf(path: string): string;
  /** Headers that may have been meant by a name that is nowhere. */
  names?(): readonly string[];
};

export type Bundled = {
  readonly text: string;
  /** The included headers in the order of first use, without the file itself. */
  readonly included: readonly string[];
};

/** Throws `UserError` where a file includes itself, or what it includes is nowhere. */
export function bundle(path: string, text: string, source: BundleSource): Bundled {
  // Files that need not come again: put in where nothing could leave them out.
  const done = new Set<string>();
  const included = new Set<string>();

  const expand = (place: IncludePlace): string => {
    const lines = linesOf(place.text);
    const directives = parseDirectives(lines);
    // The guard of a header leaves nothing out when it comes first.
    let depth = guardOf(lines, directives) ? -1 : 0;
    const expanded = lines.map((line, at) => {
      const directive = directives.get(at);
      if (!directive) return line;
      if (/^if/.test(directive.name)) depth += 1;
      if (directive.name === 'endif') depth -= 1;
      if (isPragmaOnce(directive)) return place.within.length > 1 ? '' : line;
      if (directive.name !== 'include') return line;
      const isConditional = place.isConditional || depth > 0;
      return include(directive.rest, { ...place, isConditional }, at + 1) ?? line;
    });
    return expanded.join('\n');
  };

  /** Null where the line stays as it is. */
  const include = (rest: string, place: IncludePlace, line: number): string | null => {
    const { quoted, angled } = /^(?:"(?<quoted>[^"]+)"|<(?<angled>[^>]+)>)/.exec(rest)?.groups ?? {};
    const name = quoted ?? angled;
    if (name === undefined) return null;
    const foundFile = quoted === undefined ? null : source.find(name, source.folderOf(place.path));
    const found = foundFile ?? source.find(name, null);
    if (!found) {
      // The compiler has it, or it is in a branch that is not compiled. No compiler has headers of Polya's.
      const isCompilers = quoted === undefined && !name.startsWith('polya/');
      if (isCompilers || place.isConditional) return null;
      throw notFound(name, { path: place.path, line, known: source.names?.() ?? [] });
    }
    if (done.has(found.path)) return '';
    if (!place.within.includes(found.path)) return paste(found, place);
    if (isOnce(found.text)) return '';
    throw new UserError({
      code: 'include-cycle',
      what: `A file includes itself: ${[...place.within, found.path].join(' → ')}.`,
      fix: 'Begin the header with `#pragma once`, or take one of these lines out.',
    });
  };

  const paste = (found: FoundFile, { within, isConditional }: IncludePlace): string => {
    const once = isOnce(found.text);
    if (once && !isConditional) done.add(found.path);
    const wasSeen = included.has(found.path);
    included.add(found.path);
    const pasted = expand({ ...found, within: [...within, found.path], isConditional });
    if (!once || !hasPragmaOnce(found.text) || !(isConditional || wasSeen)) return pasted;
    // What may be left out in one place and come in another must not come twice where it is not.
    const guard = `POLYA_ONCE_${[...included].indexOf(found.path) + 1}`;
    return `#ifndef ${guard}\n#define ${guard}\n${pasted}\n#endif`;
  };

  return { text: expand({ path, text, within: [path], isConditional: false }), included: [...included] };
}

type FoundFile = { readonly path: string; readonly text: string };

type IncludePlace = FoundFile & {
  /** The files that are being put in, the outermost first. */
  readonly within: readonly string[];
  /** Something around it may leave it out (`#ifdef LOCAL`). */
  readonly isConditional: boolean;
};

function isPragmaOnce({ name, rest }: Directive): boolean {
  return name === 'pragma' && /^once\b/.test(rest);
}

function isOnce(text: string): boolean {
  const lines = linesOf(text);
  return hasPragmaOnce(text) || guardOf(lines, parseDirectives(lines)) !== null;
}

function hasPragmaOnce(text: string): boolean {
  return [...parseDirectives(linesOf(text)).values()].some(isPragmaOnce);
}

type NotFound = { readonly path: string; readonly line: number; readonly known: readonly string[] };

/** Reads Windows line ends too: the submitted file has one kind. */
function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n/);
}

function notFound(name: string, { path, line, known }: NotFound): UserError {
  const nearby = nearestOf(name.replace(/^polya\//, ''), known);
  return new UserError({
    code: 'include-not-found',
    what: `${path}, line ${line}: "${name}" is nowhere.`,
    why: 'It lies neither beside the file that includes it nor on the include path, nor in the algorithm library. What lies outside of the workspace, or is linked from there, is not put in.',
    fix: `${nearby === null ? '' : `Did you mean "${nearby}" of the library? `}Correct the name, or name the folder it is in with --include FOLDER.`,
  });
}

type Directive = { readonly name: string; readonly rest: string };

/** By line, from 0; none in a comment or a string. */
export function parseDirectives(lines: readonly string[]): ReadonlyMap<number, Directive> {
  const text = lines.join('\n');
  const lineAt = lineCounter(text);
  const directives = new Map<number, Directive>();
  for (const { start } of cppTokens(text).filter(({ kind }) => kind === 'directive')) {
    const at = lineAt(start) - 1;
    const { name, rest = '' } = /^\s*#\s*(?<name>\w+)\s*(?<rest>[^\n]*)$/.exec(lines[at] ?? '')?.groups ?? {};
    if (name !== undefined) directives.set(at, { name, rest: rest.trim() });
  }
  return directives;
}

/** The name of an include guard around the whole file: `#ifndef X`, `#define X`, and `#endif` at the end. */
function guardOf(lines: readonly string[], directives: ReadonlyMap<number, Directive>): string | null {
  const ordered = [...directives.entries()];
  const [first, second] = ordered;
  const last = ordered.at(-1);
  if (!first || !second || !last || first[1].name !== 'ifndef' || second[1].name !== 'define') return null;
  const [name = ''] = first[1].rest.split(/\s/);
  if (name === '' || second[1].rest.split(/\s/)[0] !== name || last[1].name !== 'endif') return null;
  const surroundings = [...lines.slice(0, first[0]), ...lines.slice(last[0] + 1)];
  const isSingle = surroundings.every((line) => /^\s*(\/\/.*|\/?\*.*)?$/.test(line));
  return isSingle && closesAtEnd(ordered) ? name : null;
}

/** The first `#ifndef` is closed by the last `#endif`, and has no `#else`. */
function closesAtEnd(ordered: readonly (readonly [number, Directive])[]): boolean {
  let depth = 0;
  for (const [index, [, { name }]] of ordered.entries()) {
    if (/^if/.test(name)) depth += 1;
    if (name === 'endif') depth -= 1;
    if (depth === 1 && /^el/.test(name)) return false;
    if (depth === 0 && index < ordered.length - 1) return false;
  }
  return depth === 0;
}
