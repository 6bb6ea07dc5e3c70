/** The inputs of the cases of one evaluation: official ones, and fresh ones, which are made where they are missing. */
import { UserError } from '../../../core/errors.ts';
import { findInputs } from '../inputs.ts';
import { makeFresh, readFresh, seedOf } from './fresh.ts';
import type { Work } from './work.ts';

export type CaseInputs = {
  /** Each once, in the order in which they were asked for. */
  readonly names: readonly string[];
  isOfficial(name: string): boolean;
  read(name: string): Promise<string>;
};

/** Throws `UserError` for a name that there is no case of. */
export async function inputsNamed(work: Work, asked: readonly string[]): Promise<CaseInputs> {
  const { folder, id } = work.workspace;
  const names = [...new Set(asked)];
  const official = names.length === 0 ? null : await findInputs(folder, id);
  const isOfficial = (name: string) => official?.names.includes(name) === true;
  await makeMissing(
    work,
    names.filter((name) => !isOfficial(name)),
    official?.names ?? [],
  );
  return {
    names,
    isOfficial,
    read: async (name) => (official && isOfficial(name) ? official.read(name) : readFresh(folder, name)),
  };
}

async function makeMissing(
  { facts, workspace, crate, turns, io, signal }: Work,
  names: readonly string[],
  official: readonly string[],
): Promise<void> {
  const generator = facts.contest.tools?.generator ?? null;
  const stranger = names.find((name) => generator === null || seedOf(name) === null);
  if (stranger !== undefined) throw noSuchCase(stranger, official);
  if (names.length === 0 || generator === null || crate === null) return;
  await makeFresh({ folder: workspace.folder, crate, generator, sandbox: io.sandbox, turns, signal }, names);
}

function noSuchCase(name: string, names: readonly string[]): UserError {
  return new UserError({
    code: 'no-such-case',
    what: `There is no case ${name}.`,
    why: `There are ${names.length}: ${names[0]} to ${names.at(-1)}.`,
    fix: 'If inputs were removed, put them back: `polya ahc init` does it.',
  });
}
