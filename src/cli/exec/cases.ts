/**
 * The cases of a folder: each `NAME.in`, or, where there is none, each `NAME.txt`; what should come out stands beside it
 * as `NAME.out` or `NAME.ans`. Names are in the order of the numbers in them. Inputs are read when their turn comes.
 */
import { readdirSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Case } from '../../core/sandbox.ts';
import type { Shell } from '../contract.ts';
import { readBounded } from './input.ts';
import { unreadable } from './program.ts';

export type NamedCase = {
  readonly name: string;
  readonly input: string;
  /** The file that says what should come out; null where nobody says. */
  readonly expected: string | null;
};

const answerExtensions = ['.out', '.ans'];

export function casesIn(shell: Shell, path: string): readonly NamedCase[] {
  const folder = resolve(shell.folder, path);
  const names = namesIn(folder, path);
  const inputs = names.filter((name) => name.endsWith('.in'));
  const chosen = inputs.length > 0 ? inputs : names.filter((name) => name.endsWith('.txt'));
  if (chosen.length === 0) throw noCases(path);
  const there = new Set(names);
  return chosen.toSorted(byNumbers).map((file) => {
    const { name } = parse(file);
    const answer = answerExtensions.map((extension) => `${name}${extension}`).find((each) => there.has(each));
    return { name, input: join(folder, file), expected: answer ? join(folder, answer) : null };
  });
}

/** Read one at a time, as the sandbox asks for them: a folder may be larger than memory. */
export function* readCases(
  cases: readonly NamedCase[],
  make: (name: string, input: Uint8Array) => Case,
): Iterable<Case> {
  for (const { name, input } of cases) yield make(name, contentOf(input));
}

export function contentOf(path: string): Uint8Array {
  try {
    return readBounded(path, `The file ${path}`);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unreadable(path, 'file', error);
  }
}

function namesIn(folder: string, path: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    throw unreadable(path, 'folder of cases', error);
  }
}

function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function noCases(path: string): UserError {
  return new UserError({
    code: 'no-cases',
    what: `There are no cases in ${path}.`,
    why: 'A case is a file NAME.in or NAME.txt; what should come out may stand beside it as NAME.out or NAME.ans.',
    fix: 'Name a folder that has some.',
  });
}
