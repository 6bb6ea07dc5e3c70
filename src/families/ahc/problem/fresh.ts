/**
 * The inputs of the cases of one evaluation: official ones, and fresh ones that no search has seen. The contest's generator
 * makes fresh ones in the sandbox when they are first needed, several at once, from seeds far from the official ones. The
 * workspace keeps them up to a bound, because the same seed always makes the same input.
 */
import { UnavailableError } from '../../../core/errors.ts';
import { decodeFolder, encodeFolder } from '../../../core/folder-archive.ts';
import type { Folder } from '../../../core/io.ts';
import type { BuildRequest, ProgramFiles, Sandbox } from '../../../core/sandbox.ts';
import { caseNotFound, findInputs } from '../cases.ts';
import { toolProgram } from '../judge/build.ts';
import { inTurn, type Turns } from '../judge/turns.ts';
import { layout } from '../layout.ts';
import type { Contest } from '../workspace.ts';

type InputWork = {
  readonly folder: Folder;
  readonly contest: Contest;
  readonly crate: ProgramFiles | null;
  readonly sandbox: Sandbox;
  readonly turns: Turns;
  readonly signal: AbortSignal;
};

/** Each name once, in the order in which they are asked for. Throws `UserError` for one that there is no case of. */
export async function inputsNamed(
  { contest, crate, ...work }: InputWork,
  asked: { readonly names: readonly string[]; readonly id: string },
) {
  const { folder } = work;
  const names = [...new Set(asked.names)];
  const inputs = names.length === 0 ? null : await findInputs(folder, asked.id);
  const existing = new Set([...(inputs?.names ?? []), ...(inputs?.made ?? [])]);
  const isOfficial = (name: string) => existing.has(name);
  const fresh = names.filter((name) => !isOfficial(name));
  const generator = contest.tools?.generator ?? null;
  const stranger = fresh.find((name) => generator === null || seedOf(name) === null);
  if (stranger !== undefined) {
    const fix = 'If inputs were removed, put them back: `polya ahc init` does it.';
    throw caseNotFound(`There is no case ${stranger}.`, inputs?.names ?? [], fix);
  }
  if (fresh.length > 0 && generator !== null && crate !== null)
    await makeFresh({ ...work, crate, generator }, fresh);
  return {
    names,
    isOfficial,
    read: async (name: string) => (inputs && isOfficial(name) ? inputs.read(name) : readFresh(folder, name)),
  };
}

const firstSeed = 1_000_000;
const mostKept = 1_000;

export function freshNames(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `seed${firstSeed + first + index}`);
}

/** Null if the name is no fresh case's. */
export function seedOf(name: string): string | null {
  const [, seed] = /^seed(\d{7,15})$/.exec(name) ?? [];
  return seed !== undefined && Number(seed) >= firstSeed ? seed : null;
}

type FreshWork = Omit<InputWork, 'contest' | 'crate'> & {
  readonly crate: ProgramFiles;
  readonly generator: string;
};

/** Makes those that are not there yet. Throws `UnavailableError` where the generator does not do its work. */
export async function makeFresh(work: FreshWork, names: readonly string[]): Promise<void> {
  const { folder } = work;
  const existing = await folder.files(layout.fresh);
  const missing = names.filter((name) => !existing.includes(fileOf(name)));
  if (missing.length === 0) return;
  const requested = new Set(names.map(fileOf));
  const surplus = Math.max(0, existing.length + missing.length - mostKept);
  for (const file of existing.filter((each) => !requested.has(each)).slice(0, surplus))
    await folder.remove(`${layout.fresh}/${file}`);
  const seeds = missing.map((name) => seedOf(name) ?? name);
  await inTurn(work, () => makeInputs(work, layout.fresh, missing, seeds));
}

/** One input a name, in this order: generators number what they make from 0. */
async function makeInputs(
  { folder, sandbox, crate, generator, signal }: Omit<FreshWork, 'turns'>,
  place: string,
  names: readonly string[],
  seeds: readonly string[],
): Promise<void> {
  const program = toolProgram(crate, generator);
  const { run, compile, inputs } = await runGenerator(sandbox, program, seeds, signal);
  const created = inputs?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? [];
  if (created.length < names.length) {
    {
      const count = inputs ? `It made ${created.length} of ${names.length} inputs.` : 'It was ended.';
      throw noInput(run?.stderr.text || compile?.digest || count);
    }
  }
  for (const [index, name] of names.entries()) {
    await folder.write(`${place}/${fileOf(name)}`, created[index]?.bytes ?? '', { isLasting: false });
  }
}

export async function readFresh(folder: Folder, name: string): Promise<string> {
  const text = await folder.read(`${layout.fresh}/${fileOf(name)}`);
  if (text !== null) return text;
  throw noInput(`${layout.fresh}/${fileOf(name)} is gone.`);
}

/** Inputs of these seeds, for a user who asked for them by number: `0100` is of the seed 100. */
export async function generateCases(
  work: Omit<FreshWork, 'turns'>,
  names: readonly string[],
  onMade: (count: number) => void,
): Promise<void> {
  for (let from = 0; from < names.length; from += madeAtOnce) {
    const some = names.slice(from, from + madeAtOnce);
    await makeInputs(
      work,
      layout.made,
      some,
      some.map((name) => String(Number(name))),
    );
    onMade(from + some.length);
  }
}

const madeAtOnce = 500;

const fileOf = (name: string): string => `${name}.txt`;

const seedsName = 'seeds-of-polya.txt';
const mostBytes = 512 * 1024 * 1024;
const limits = { wallMs: 180_000, cpuMs: 180_000, diskBytes: mostBytes, memoryBytes: 2 ** 31 };

/** Runs the generator of the tools on these seeds. `inputs`: the files that it made, or null where it failed. */
export async function runGenerator(
  sandbox: Sandbox,
  program: BuildRequest,
  seeds: readonly string[],
  signal: AbortSignal,
) {
  const list = { type: 'file' as const, path: seedsName, executable: false };
  // Beside the crate and not in it: another list of seeds is no other program.
  const folder = encodeFolder([{ ...list, bytes: new TextEncoder().encode(`${seeds.join('\n')}\n`) }]);
  const kept = { keepFolder: true, maxFolderBytes: mostBytes };
  const request = { ...program, args: [seedsName], folder, limits, ...kept };
  const { run, compile, folder: left } = await sandbox.exec(request, signal);
  signal.throwIfAborted();
  if (run?.verdict !== 'ok' || !left) return { run, compile, inputs: null };
  const inputs = decodeFolder(left).flatMap((entry) => {
    const name = /^in\/([\w.-]+)$/.exec(entry.path)?.[1];
    return entry.type === 'file' && name !== undefined ? [{ name, bytes: entry.bytes }] : [];
  });
  return { run, compile, inputs };
}

function noInput(why: string): UnavailableError {
  return new UnavailableError({
    code: 'no-input',
    what: 'The generator of the official tools made no new inputs.',
    why: why.trim().slice(0, 500),
    fix: `\`polya doctor\` tells whether cargo works; the generator is built from ${layout.crate}.`,
  });
}
