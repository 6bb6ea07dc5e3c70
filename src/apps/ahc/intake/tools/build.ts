/** The official tools, built in the sandbox, offline; what they depend on is brought first. */

import { UnavailableError } from '../../../../core/errors.ts';
import { decodeFolder, encodeFolder } from '../../../../core/folder-archive.ts';
import type { Folder } from '../../../../core/io.ts';
import type { ProgramFiles } from '../../../../core/sandbox.ts';
import { buildWhole, toolProgram } from '../../../../families/ahc/judge/evaluate.ts';
import { layout } from '../../../../families/ahc/layout.ts';
import { readCrate } from '../../../../families/ahc/workspace.ts';
import { type CrateReport, strangeSources } from '../crate.ts';
import type { Sample } from '../page.ts';
import type { IntakeParts, Trouble } from '../source.ts';
import type { Keeper } from '../workspace-files.ts';
import { isAllThere, writeList } from './place.ts';
import {
  cannotBuild,
  doesNotBuild,
  doesNotGenerate,
  noInputs,
  notBrought,
  nothingToBuild,
  samplesAlone,
  type ToolsWork,
} from './troubles.ts';

type Built = { readonly isBuilt: boolean; readonly troubles: readonly Trouble[] };

/** In the sandbox, which keeps what it has built: an evaluation finds it there. */
export async function buildTools({ keeper, parts, signal }: ToolsWork, report: CrateReport): Promise<Built> {
  const binary = report.generator ?? report.judge ?? report.tester ?? report.binaries[0];
  if (binary === undefined) return { isBuilt: false, troubles: [nothingToBuild] };
  const vendored = (await lacksCrates(keeper, parts, report)) ? await bringCrates(keeper, parts, signal) : [];
  const crate = (await readCrate(keeper)) ?? {};
  parts.onProgress('building the tools');
  try {
    const { executable, compile } = await buildWhole(parts.sandbox, toolProgram(crate, binary), signal);
    if (executable) return { isBuilt: true, troubles: vendored };
    return { isBuilt: false, troubles: [...vendored, doesNotBuild(compile?.digest ?? '')] };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { isBuilt: false, troubles: [...vendored, cannotBuild(error)] };
  }
}

/** A folder `vendor` that is not ours is whole as it is; ours may have been broken off. */
async function lacksCrates(
  { folder }: Keeper,
  { sha256 }: IntakeParts,
  report: CrateReport,
): Promise<boolean> {
  if (!report.needsCrates || !report.isVendored) return report.needsCrates;
  const lock = await folder.readBytes(lockFile);
  return (
    lock !== null && (await isAllThere(folder, 'crates', { sha256: sha256(lock), place: crates })) === false
  );
}

const lockFile = `${layout.crate}/Cargo.lock`;
const crates = `${layout.crate}/vendor`;

/** What the crate depends on, into its folder `vendor`. A failure is told: Debian's crates may do instead. */
async function bringCrates(keeper: Keeper, parts: IntakeParts, signal: AbortSignal): Promise<Trouble[]> {
  const manifest = await keeper.folder.readBytes(`${layout.crate}/Cargo.toml`);
  const lock = await keeper.folder.readBytes(lockFile);
  if (!manifest || !lock) return [notBrought('The tools have no Cargo.lock, which says what is wanted.')];
  const strange = strangeSources(lock);
  if (strange.length > 0)
    return [notBrought(`They come from elsewhere than usual: ${strange.join(', ').slice(0, 200)}.`)];
  parts.onProgress('fetching what the tools depend on');
  const names = await keeper.folder.files(layout.crate);
  const sources = names.filter((name) => name.endsWith('.rs'));
  const brought = await parts.vendor({ manifest, lock, sources }, signal);
  if (brought.files === null) return [notBrought(brought.why)];
  const files = bytesOf(brought.files);
  // The list first: by it the next `init` sees that this one was ended in the middle.
  await writeList(keeper.folder, 'crates', { sha256: parts.sha256(lock), files });
  await keeper.fill(crates, files);
  keeper.written.push(`${crates}/`);
  return [];
}

function bytesOf(files: ProgramFiles): Record<string, Uint8Array> {
  const encoder = new TextEncoder();
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      typeof content === 'string' ? encoder.encode(content) : content,
    ]),
  );
}

export type Inputs = {
  readonly count: number;
  readonly how: 'there' | 'generated' | 'samples' | 'none';
  readonly troubles: readonly Trouble[];
};

/** Inputs that are there stay; missing ones are generated, and without a generator the samples must do. */
export async function makeInputs(
  work: ToolsWork,
  { report, isBuilt, samples }: { report: CrateReport | null; isBuilt: boolean; samples: readonly Sample[] },
): Promise<Inputs> {
  const { folder } = work.keeper;
  const before = await inputsIn(folder);
  const seeds = seedsIn(await folder.read(layout.seeds));
  const isComplete = before >= (report?.generator ? seeds.length : 1);
  if (before > 0 && (isComplete || !report?.generator)) return { count: before, how: 'there', troubles: [] };
  const troubles: Trouble[] = [];
  if (report?.generator && isBuilt) {
    const failed = await generate(work, report.generator, seeds);
    const count = await inputsIn(folder);
    if (count > 0 && failed === null) return { count, how: 'generated', troubles };
    if (failed) troubles.push(failed);
  }
  if (before > 0) return { count: before, how: 'there', troubles };
  // A generator that could not be built yet will make them when `polya ahc init` runs again.
  if (samples.length === 0 || (report?.generator && !isBuilt))
    return { count: 0, how: 'none', troubles: [...troubles, noInputs(report)] };
  const files = samples.map(
    ({ input }, index) => [`${String(index).padStart(4, '0')}.txt`, new TextEncoder().encode(input)] as const,
  );
  await work.keeper.fill(layout.inputs, Object.fromEntries(files));
  return { count: files.length, how: 'samples', troubles: [...troubles, samplesAlone(files.length)] };
}

/** An empty one is what a power failure leaves. */
async function inputsIn(folder: Folder): Promise<number> {
  return [...(await folder.sizes(layout.inputs)).values()].filter((size) => size > 0).length;
}

const mostInputs = 100;

/** Those that the contest is tested with by hand; where it names none, the first numbers. */
function seedsIn(text: string | null): readonly string[] {
  const lines = (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length > 0
    ? lines.slice(0, mostInputs)
    : Array.from({ length: mostInputs }, (_, seed) => String(seed));
}

async function generate(
  { keeper, parts, signal }: ToolsWork,
  generator: string,
  seeds: readonly string[],
): Promise<Trouble | null> {
  parts.onProgress(`generating ${seeds.length} inputs`);
  const crate = (await readCrate(keeper)) ?? {};
  const built = await buildWhole(parts.sandbox, toolProgram(crate, generator), signal);
  if (!built.executable) return doesNotBuild(built.compile?.digest ?? '');
  // Beside the crate and not in it: another list of seeds is no other program.
  const seedsFile = encodeFolder([
    {
      type: 'file',
      path: seedsName,
      executable: false,
      bytes: new TextEncoder().encode(`${seeds.join('\n')}\n`),
    },
  ]);
  const { run, folder } = await parts.sandbox.exec(
    {
      ...toolProgram(crate, generator),
      args: [seedsName],
      folder: seedsFile,
      limits: { wallMs: 180_000, cpuMs: 180_000, diskBytes: roomForInputs, memoryBytes: 2 ** 31 },
      keepFolder: true,
      maxFolderBytes: roomForInputs,
    },
    signal,
  );
  signal.throwIfAborted();
  if (run?.verdict !== 'ok' || !folder)
    return doesNotGenerate(run?.stderr.text ?? '', run?.verdict ?? 'compile');
  const made: Record<string, Uint8Array> = {};
  for (const entry of decodeFolder(folder)) {
    const [, name] = /^in\/([\w.-]+)$/.exec(entry.path) ?? [];
    if (entry.type === 'file' && name !== undefined) made[name] = entry.bytes;
  }
  if (Object.keys(made).length === 0) return doesNotGenerate('It wrote nothing into in/.', 'ok');
  await keeper.fill(layout.inputs, made);
  keeper.written.push(`${layout.inputs}/ (${Object.keys(made).length} files)`);
  return null;
}

const seedsName = 'seeds-of-polya.txt';
const roomForInputs = 512 * 1024 * 1024;
