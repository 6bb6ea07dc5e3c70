/** The official tools, built in the sandbox, offline; what they depend on is brought first. */
import { UnavailableError } from '../../../../core/errors.ts';
import type { ProgramFiles } from '../../../../core/sandbox.ts';
import { buildWhole, toolProgram } from '../../../../families/ahc/judge/evaluate.ts';
import { layout } from '../../../../families/ahc/layout.ts';
import { type CrateReport, strangeSources } from '../crate.ts';
import type { Keeper } from '../keeper.ts';
import type { IntakeParts, Trouble } from '../parts.ts';
import { isAllThere, writeList } from './listed.ts';
import { cannotBuild, doesNotBuild, notBrought, nothingToBuild } from './troubles.ts';
import { cratePlaced, type ToolsWork } from './work.ts';

export type Built = { readonly isBuilt: boolean; readonly troubles: readonly Trouble[] };

/** In the sandbox, which keeps what it has built: an evaluation finds it there. */
export async function buildTools({ keeper, parts, signal }: ToolsWork, report: CrateReport): Promise<Built> {
  const binary = report.generator ?? report.judge ?? report.tester ?? report.binaries[0];
  if (binary === undefined) return { isBuilt: false, troubles: [nothingToBuild] };
  const vendored = (await lacksCrates(keeper, parts, report)) ? await bringCrates(keeper, parts, signal) : [];
  const crate = (await cratePlaced(keeper)) ?? {};
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
