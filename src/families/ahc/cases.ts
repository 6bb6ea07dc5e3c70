/** The inputs of a workspace, as its official tools or its statement name them, and the choice of some: `0-99,120`. */
import { UserError } from '../../core/errors.ts';
import type { Folder } from '../../core/io.ts';
import { layout } from './layout.ts';

export type Inputs = {
  /** In the order of their names, without ending. */
  readonly names: readonly string[];
  /** More, which are run only where they are asked for. */
  readonly made: readonly string[];
  readonly areSamples: boolean;
  read(name: string): Promise<string>;
};

/** Throws `UserError` if there are none. */
export async function findInputs(folder: Folder, id: string): Promise<Inputs> {
  const places = [
    {
      place: layout.inputs,
      nameOf: (path: string) => /^([^/]+)\.txt$/.exec(path)?.[1] ?? null,
      areSamples: false,
    },
    { place: layout.samples, nameOf: sampleName, areSamples: true },
  ];
  for (const { place, nameOf, areSamples } of places) {
    const files = new Map<string, string>();
    for (const path of await folder.files(place)) {
      const name = nameOf(path);
      // Two files may come to one name, as 1_in.txt and in_1.txt do: then the second is called as it is.
      if (name !== null) files.set(files.has(name) ? path : name, `${place}/${path}`);
    }
    const read = async (name: string): Promise<string> => {
      const path = files.get(name) ?? `${place}/${name}`;
      const text = await folder.read(path);
      if (text !== null) return text;
      const fix = 'Put it back, or run the command again.';
      throw new UserError({ code: 'file-gone', what: `${path} is gone.`, fix });
    };
    if (files.size === 0) continue;
    const names = [...files.keys()];
    for (const path of areSamples ? [] : await folder.files(layout.made)) {
      const name = nameOf(path);
      if (name !== null && !files.has(name)) files.set(name, `${layout.made}/${path}`);
    }
    return { names, made: [...files.keys()].slice(names.length), areSamples, read };
  }
  throw new UserError({
    code: 'no-inputs',
    what: `${folder.path} has no inputs: ${layout.inputs} is empty.`,
    fix: `Run \`polya ahc init ${id}\` again: it brings what is missing, or put inputs there yourself (0000.txt …).`,
  });
}

/** `0000.in.txt`, as `init` writes them; people have `in1.txt`, `sample-1/input.txt`, `in/1.txt`. Null for an output. */
function sampleName(path: string): string | null {
  const parts = /^(?:(.+)[-_./])?in(?:put)?(?:[-_./](.+)|(\d+))?\.txt$/.exec(path);
  if (!parts) return null;
  const name = parts.slice(1).filter(Boolean).join('-');
  return name === '' ? 'sample' : name.replaceAll('/', '-');
}

/** Numbers that are asked for by ranges and have no input, as the official names are written; at most `most`. */
export function missingCases(names: readonly string[], text: string, most: number): readonly string[] {
  const width = names.find((name) => /^\d+$/.test(name))?.length ?? 4;
  const existing = new Set(names);
  const missing: string[] = [];
  for (const part of text.split(',')) {
    const { from, to } = range.exec(part.trim())?.groups ?? {};
    // A single number may be a slip.
    if (to === undefined) continue;
    for (let number = Number(from); number <= Number(to) && missing.length < most; number += 1) {
      const name = String(number).padStart(width, '0');
      if (!existing.has(name)) missing.push(name);
    }
  }
  return missing;
}

/** `0-99,120`, or names as they are: `0007,edge`. Throws `UserError` where one is not there. */
export function selectCases(names: readonly string[], text: string | undefined): readonly string[] {
  if (text === undefined) return names;
  const selected = new Set<string>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const found = namesOf(names, part);
    if (found.length === 0) throw noCasesError(names, part);
    for (const name of found) selected.add(name);
  }
  return names.filter((name) => selected.has(name));
}

const range = /^(?<from>\d+)(?:\s*-\s*(?<to>\d+))?$/;

function namesOf(names: readonly string[], part: string): readonly string[] {
  if (names.includes(part)) return [part];
  const { from, to } = range.exec(part)?.groups ?? {};
  if (from === undefined) return [];
  const [first, last] = [Number(from), Number(to ?? from)];
  return names.filter((name) => /^\d+$/.test(name) && Number(name) >= first && Number(name) <= last);
}

function noCasesError(names: readonly string[], part: string): UserError {
  const { from, to } = range.exec(part)?.groups ?? {};
  const isBackwards = to !== undefined && Number(from) > Number(to);
  const incorrect = isBackwards ? `The range ${part} ends before it begins.` : `There is no case ${part}.`;
  const what = part === '' ? 'A number of a case is missing.' : incorrect;
  return caseNotFound(what, names, 'Name numbers and ranges, as in --cases 0-99,120.');
}

/** `names`: the cases that there are. */
export function caseNotFound(what: string, names: readonly string[], fix: string): UserError {
  const existing = `There are ${names.length}: ${names[0]} to ${names.at(-1)}.`;
  const why = names.length > 0 ? existing : 'The workspace has no inputs.';
  return new UserError({ code: 'no-such-case', what, why, fix });
}
