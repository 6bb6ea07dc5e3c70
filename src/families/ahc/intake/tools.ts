/**
 * The official tools in a workspace: unpacked where they are missing, what they depend on brought, built in the sandbox,
 * and inputs made by them where the archive has none. What fails is told; the rest goes on.
 */
import { z } from 'zod';
import { UnavailableError } from '../../../core/errors.ts';
import { BadArchive, decodeFolder, encodeFolder } from '../../../core/folder-archive.ts';
import type { ProgramFiles } from '../../../core/sandbox.ts';
import type { ContestFile } from '../contest.ts';
import { toolProgram } from '../judge/evaluate.ts';
import { layout } from '../layout.ts';
import type { Sample, TaskPage } from '../page.ts';
import { type CrateReport, crateIn, inspectCrate, strangeSources } from './crate.ts';
import type { Keeper } from './keeper.ts';
import type { IntakeParts, Trouble } from './parts.ts';
import { ifExplained, isOfTheDisk } from './problem.ts';
import type { ContestSource, FetchedTools } from './source.ts';

export type ToolsWork = {
  readonly keeper: Keeper;
  readonly source: ContestSource;
  readonly page: TaskPage;
  readonly parts: IntakeParts;
  /** What an earlier `polya ahc init` found. */
  readonly known: ContestFile['tools'];
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
};

export type ToolsOutcome = {
  /** Null where there are none. */
  readonly report: CrateReport | null;
  readonly sha256: string;
  /** For people: an address or a path; empty where they were here already. */
  readonly from: string;
  readonly troubles: readonly Trouble[];
};

/** The sources, in `tools/tester`. */
export async function placeTools(work: ToolsWork): Promise<ToolsOutcome> {
  const { keeper, known, isFresh } = work;
  const there = await cratePlaced(keeper);
  const nothing = { report: there ? inspectCrate(there) : null, sha256: known?.sha256 ?? '', from: '' };
  if (there && !isFresh && work.source.url !== null && (await isComplete(keeper, known))) {
    return { ...nothing, troubles: [] };
  }
  try {
    const fetched = await work.source.tools(work.page, work.signal);
    // A page that names none now, but did before, takes nothing away.
    if (!fetched) return { ...nothing, troubles: there ? [] : [noTools(work)] };
    const isOther = there !== null && known !== null && known.sha256 !== fetched.sha256;
    if (isOther && !isFresh) return { ...nothing, troubles: [otherTools(fetched.from)] };
    const others = await unpackInto(work, fetched, isOther);
    const placed = (await cratePlaced(keeper)) ?? {};
    const { sha256, from } = fetched;
    await keeper.folder.write(listFile, `${JSON.stringify({ sha256, files: Object.keys(placed) })}\n`);
    return { report: inspectCrate(placed), sha256, from, troubles: others };
  } catch (error) {
    if (
      isOfTheDisk(error) ||
      !(error instanceof BadArchive || (error instanceof Error && 'explanation' in error))
    )
      throw error;
    return { ...nothing, troubles: there ? [] : [toolsFailed(error)] };
  }
}

/** What the archive held, so that nobody needs to be asked for it to see that all of it is here. */
const listFile = `${layout.records}/tools.json`;

async function isComplete({ folder }: Keeper, known: ContestFile['tools']): Promise<boolean> {
  const listed = placedSchema.safeParse(jsonIn(await folder.read(listFile)));
  if (!listed.success || known === null || listed.data.sha256 !== known.sha256) return false;
  const there = new Set(await folder.files(layout.crate));
  return listed.data.files.every((name) => there.has(name));
}

const placedSchema = z.object({ sha256: z.string(), files: z.array(z.string()) });

function jsonIn(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

async function cratePlaced({ folder }: Keeper): Promise<Record<string, Uint8Array> | null> {
  const names = (await folder.files(layout.crate)).filter((name) => !/^(in|out|target)\//.test(name));
  if (!names.includes('Cargo.toml')) return null;
  const files: Record<string, Uint8Array> = {};
  for (const name of names)
    files[name] = (await folder.readBytes(`${layout.crate}/${name}`)) ?? new Uint8Array();
  return files;
}

/** Files that are missing; of other tools than before, all, and those before are put aside. */
async function unpackInto(
  { keeper, known }: ToolsWork,
  fetched: FetchedTools,
  isOther: boolean,
): Promise<Trouble[]> {
  const { files, others } = crateIn(fetched.files);
  if (isOther) await putAside(keeper, known?.sha256 ?? '');
  const { 'Cargo.toml': manifest = new Uint8Array(), ...rest } = files;
  const count =
    (await keeper.fill(layout.crate, rest)) + (await keeper.fill(layout.crate, { 'Cargo.toml': manifest }));
  if (count > 0) keeper.written.push(`${layout.crate}/ (${count} files)`);
  else keeper.kept.push(`${layout.crate}/`);
  const strangers = others.filter(
    (path) =>
      !/(^|\/)(__MACOSX\/|\.DS_Store$|README)/.test(path) && /^[^/]+\.(exe|sh|bat|py|rs|toml)$/.test(path),
  );
  return strangers.length === 0 ? [] : [leftOut(strangers)];
}

async function putAside({ folder }: Keeper, sha256: string): Promise<void> {
  const aside = `${layout.tools}/before-${sha256.slice(0, 8) || 'this'}`;
  for (const name of await folder.files(layout.crate)) {
    const bytes = await folder.readBytes(`${layout.crate}/${name}`);
    if (bytes && !name.startsWith('target/')) await folder.write(`${aside}/${name}`, bytes);
  }
  await folder.remove(layout.crate);
}

/** With its address: some draw on files of the site, and work only there. */
export async function keepVisualizer({ keeper, source, page, signal }: ToolsWork): Promise<void> {
  const file = `${layout.visualizer}/index.html`;
  if (page.visualizer === null || (await keeper.folder.readBytes(file)) !== null) return;
  const found = await source.visualizer(page, signal).catch(ifExplained);
  if (found) await keeper.add(file, found.bytes);
  const address = source.url ? URL.parse(page.visualizer, source.url)?.href : null;
  if (address) await keeper.add(`${layout.visualizer}/address.txt`, `${address}\n`);
}

export type Built = { readonly isBuilt: boolean; readonly troubles: readonly Trouble[] };

/** In the sandbox, which keeps what it has built: an evaluation finds it there. */
export async function buildTools({ keeper, parts, signal }: ToolsWork, report: CrateReport): Promise<Built> {
  const binary = report.generator ?? report.judge ?? report.tester ?? report.binaries[0];
  if (binary === undefined) return { isBuilt: false, troubles: [nothingToBuild] };
  const vendored = report.needsCrates && !report.isVendored ? await bringCrates(keeper, parts, signal) : [];
  const crate = (await cratePlaced(keeper)) ?? {};
  parts.onProgress('building the tools');
  try {
    const { executable, compile } = await parts.sandbox.build(toolProgram(crate, binary), signal);
    if (executable) return { isBuilt: true, troubles: vendored };
    return { isBuilt: false, troubles: [...vendored, doesNotBuild(compile?.digest ?? '')] };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { isBuilt: false, troubles: [...vendored, cannotBuild(error)] };
  }
}

/** What the crate depends on, into its folder `vendor`. A failure is told: Debian's crates may do instead. */
async function bringCrates(keeper: Keeper, parts: IntakeParts, signal: AbortSignal): Promise<Trouble[]> {
  const [manifest, lock] = await Promise.all(
    ['Cargo.toml', 'Cargo.lock'].map((name) => keeper.folder.readBytes(`${layout.crate}/${name}`)),
  );
  if (!manifest || !lock) return [notBrought('The tools have no Cargo.lock, which says what is wanted.')];
  const strange = strangeSources(lock);
  if (strange.length > 0)
    return [notBrought(`They come from elsewhere than usual: ${strange.join(', ').slice(0, 200)}.`)];
  parts.onProgress('fetching what the tools depend on');
  const names = await keeper.folder.files(layout.crate);
  const sources = names.filter((name) => name.endsWith('.rs'));
  const brought = await parts.vendor({ manifest, lock, sources }, signal);
  if (brought.files === null) return [notBrought(brought.why)];
  await keeper.fill(`${layout.crate}/vendor`, bytesOf(brought.files));
  keeper.written.push(`${layout.crate}/vendor/`);
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
  const before = (await folder.files(layout.inputs)).length;
  const seeds = seedsIn(await folder.read(layout.seeds));
  const isComplete = before >= (report?.generator ? seeds.length : 1);
  if (before > 0 && (isComplete || !report?.generator)) return { count: before, how: 'there', troubles: [] };
  const troubles: Trouble[] = [];
  if (report?.generator && isBuilt) {
    const failed = await generate(work, report.generator, seeds);
    const count = (await folder.files(layout.inputs)).length;
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
  const crate = (await cratePlaced(keeper)) ?? {};
  const built = await parts.sandbox.build(toolProgram(crate, generator), signal);
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

function noTools({ source }: ToolsWork): Trouble {
  return {
    what: 'The contest has no tools that could be found.',
    why:
      source.url === null
        ? 'Neither an archive nor a Cargo.toml is among what --from names.'
        : 'Its page links no archive.',
    fix: 'If there are some, give the archive with --from beside the page: `polya ahc init ID --from page.html --from tools.zip`. Until then programs are run, and nothing scores them.',
    isUnfinished: false,
  };
}

function toolsFailed(error: Error): Trouble {
  const isBad = error instanceof BadArchive;
  return {
    what: isBad
      ? 'The archive of the tools cannot be used; nothing of it was unpacked.'
      : 'The tools could not be fetched.',
    why: error.message,
    fix: 'Run `polya ahc init` again with --fresh, or download the archive yourself and give it with --from.',
    isUnfinished: true,
  };
}

function otherTools(from: string): Trouble {
  return {
    what: `There are other tools than those of this workspace: ${from}.`,
    fix: 'Run `polya ahc init` again with --fresh to take them; those of now are put aside in tools/.',
    isUnfinished: false,
  };
}

function leftOut(paths: readonly string[]): Trouble {
  return {
    what: `Beside the tools' crate the archive holds ${paths.slice(0, 5).join(', ')}, which was left out.`,
    fix: 'Unpack the archive yourself if you need it.',
    isUnfinished: false,
  };
}

const nothingToBuild: Trouble = {
  what: 'The tools name no program to build.',
  fix: `Look into ${layout.crate}: what scores has to be a binary of that crate.`,
  isUnfinished: true,
};

function notBrought(why: string): Trouble {
  return {
    what: 'What the tools depend on could not be fetched; the crates of this system were tried in their place.',
    why,
    fix: `With other versions of them the generated inputs may not be the official ones. Run \`cargo vendor\` in ${layout.crate} where there is a network, then \`polya ahc init\` again.`,
    isUnfinished: true,
  };
}

function doesNotBuild(digest: string): Trouble {
  const isCargoMissing = /cargo: (not found|No such file)/i.test(digest);
  return {
    what: 'The tools do not build here: nothing can be scored until they do.',
    why: digest.slice(0, 2_000),
    fix: isCargoMissing
      ? 'Run `polya setup`, which installs cargo, then `polya ahc init` again.'
      : `Run \`polya setup\` for the crates of this system, or \`cargo vendor\` in ${layout.crate} where there is a network; then \`polya ahc init\` again.`,
    isUnfinished: true,
  };
}

function cannotBuild({ explanation }: UnavailableError): Trouble {
  return {
    what: `The tools could not be built: ${explanation.what}`,
    ...(explanation.why ? { why: explanation.why } : {}),
    fix: `${explanation.fix ?? 'Run `polya setup`.'} Then run \`polya ahc init\` again: it builds them and makes the inputs.`,
    isUnfinished: true,
  };
}

function doesNotGenerate(said: string, verdict: string): Trouble {
  return {
    what: `The generator of the tools failed (${verdict}): not all inputs were made.`,
    why: said.trim().split('\n').slice(-5).join('\n').slice(0, 1_000),
    fix: `Put inputs into ${layout.inputs} yourself, as 0000.txt, 0001.txt …`,
    isUnfinished: true,
  };
}

function noInputs(report: CrateReport | null): Trouble {
  return {
    what: 'There are no inputs yet.',
    why: report?.generator
      ? 'The generator could not be built.'
      : 'There is neither an input, nor a generator, nor a sample.',
    fix: `Put some into ${layout.inputs} yourself, as 0000.txt, 0001.txt …, or run \`polya ahc init\` again when the tools can be built.`,
    isUnfinished: true,
  };
}

function samplesAlone(count: number): Trouble {
  return {
    what: `There is no generator: what the statement shows as samples is the input (${count}).`,
    fix: `Put more into ${layout.inputs} as you make them.`,
    isUnfinished: false,
  };
}
