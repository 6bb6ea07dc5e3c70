/** The inputs of the cases of one evaluation: official ones, and fresh ones, which are made where they are missing. */
import { UserError } from '../../../core/errors.ts';
import type { Sandbox } from '../../../core/sandbox.ts';
import { toolsGone } from '../evaluation.ts';
import { findInputs } from '../inputs.ts';
import type { Workspace } from '../workspace.ts';
import type { AhcDesk } from './desk.ts';
import type { Facts } from './facts.ts';
import { makeFresh, readFresh, seedOf } from './fresh.ts';

export type CaseInputs = {
  /** Each once, in the order in which they were asked for. */
  readonly names: readonly string[];
  isOfficial(name: string): boolean;
  read(name: string): Promise<string>;
};

export type InputsQuestion = {
  readonly desk: AhcDesk;
  readonly facts: Facts;
  readonly workspace: Workspace;
};

/** Throws `UserError` for a name that there is no case of. */
export async function inputsNamed(
  { desk, facts, workspace }: InputsQuestion,
  asked: readonly string[],
  { sandbox, signal }: { readonly sandbox: Sandbox; readonly signal: AbortSignal },
): Promise<CaseInputs> {
  const { folder, id } = workspace;
  const names = [...new Set(asked)];
  const official = names.length === 0 ? null : await findInputs(folder, id);
  const isOfficial = (name: string) => official?.names.includes(name) === true;
  const others = names.filter((name) => !isOfficial(name));
  const generator = facts.contest.tools?.generator ?? null;
  const stranger = others.find((name) => generator === null || seedOf(name) === null);
  if (stranger !== undefined) throw noSuchCase(stranger, official?.names ?? []);
  if (others.length > 0 && generator !== null) {
    const crate = await desk.crateOf(workspace, facts.contest.tools?.sha256 ?? '');
    if (!crate) throw toolsGone(folder.path, id);
    await makeFresh({ folder, crate, generator, sandbox, signal }, others);
  }
  return {
    names,
    isOfficial,
    read: async (name) => (official && isOfficial(name) ? official.read(name) : readFresh(folder, name)),
  };
}

function noSuchCase(name: string, names: readonly string[]): UserError {
  return new UserError({
    what: `There is no case ${name}.`,
    why: `There are ${names.length}: ${names[0]} to ${names.at(-1)}.`,
    fix: 'If inputs were removed, put them back: `polya ahc init` does it.',
  });
}
