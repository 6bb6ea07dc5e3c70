/**
 * The official tools: their sources unpacked where they are missing (newer ones replace them only with --fresh), built in
 * the sandbox, offline, after what they depend on was brought; and the inputs that their generator makes.
 */
import { UnavailableError } from '../../../core/errors.ts';
import { BadArchive } from '../../../core/folder-archive.ts';
import type { Folder } from '../../../core/io.ts';
import { buildWhole, toolProgram, withRustAdvice } from '../../../families/ahc/judge/build.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { runGenerator } from '../../../families/ahc/problem/fresh.ts';
import { type ContestFile, readCrate } from '../../../families/ahc/workspace.ts';
import { type CrateReport, crateIn, inspectCrate, isOwnManifest, manifestIn } from './crates.ts';
import type { Sample, TaskPage } from './page.ts';
import { ifExplained } from './problem.ts';
import {
  type ContestSource,
  type FetchedTools,
  type IntakeParts,
  missing,
  note,
  pageText,
  type Trouble,
} from './source.ts';
import { strangeSources } from './vendor.ts';
import type { Keeper } from './workspace-files.ts';

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

export type ToolsOutcome = Awaited<ReturnType<typeof placeTools>>;

/** The sources, in `tools/tester`; `report` is null where there are none. */
export async function placeTools(work: ToolsWork) {
  const { keeper, source, known, isFresh } = work;
  const existing = await readCrate(keeper);
  const before = { report: existing && inspectCrate(existing), sha256: known?.sha256 ?? '' };
  try {
    const response = await source.tools(work.page, work.signal);
    // A page that names none now, but did before, takes nothing away.
    if (!response) return { ...before, troubles: existing ? [] : [noTools(source)] };
    const isOther = existing !== null && known !== null && known.sha256 !== response.sha256;
    if (isOther && !isFresh) return { ...before, troubles: [otherTools(response)] };
    if (isOther) await putAside(keeper.folder, known.sha256);
    await unpackInto(keeper, response);
    return { report: inspectCrate((await readCrate(keeper)) ?? {}), sha256: response.sha256, troubles: [] };
  } catch (error) {
    if (!(error instanceof BadArchive)) ifExplained(error);
    return { ...before, troubles: existing ? [] : [toolsFailed(error, source)] };
  }
}

/** Only files that are missing. The manifest comes last: by it the crate is seen to be there. */
async function unpackInto(store: Keeper, response: FetchedTools): Promise<void> {
  const { 'Cargo.toml': manifest = new Uint8Array(), ...rest } = crateIn(response.files);
  const count =
    (await store.fill(layout.crate, rest)) + (await store.fill(layout.crate, { 'Cargo.toml': manifest }));
  if (count > 0) store.written.push(`${layout.crate}/ (${count} files)`);
  else store.kept.push(`${layout.crate}/`);
}

async function putAside(folder: Folder, hash: string): Promise<void> {
  const aside = `${layout.tools}/before-${hash.slice(0, 8) || 'this'}`;
  for (const name of await folder.files(layout.crate)) {
    const bytes = await folder.readBytes(`${layout.crate}/${name}`);
    if (bytes && !name.startsWith('target/')) await folder.write(`${aside}/${name}`, bytes);
  }
  await folder.remove(layout.crate);
}

function noTools({ url }: ContestSource): Trouble {
  return note(
    'The contest has no tools that could be found.',
    'If there are some, give the archive with --from beside the page: `polya ahc init ID --from page.html --from tools.zip`. Until then programs are run, and nothing scores them.',
    url === null
      ? 'Neither an archive nor a Cargo.toml is among what --from names.'
      : 'Its page links no archive.',
  );
}

function toolsFailed(error: unknown, { url }: ContestSource): Trouble {
  return missing(
    error instanceof BadArchive
      ? 'The archive of the tools cannot be used; nothing of it was unpacked.'
      : 'The tools could not be fetched.',
    url === null
      ? 'Download the archive again, and give that with --from.'
      : 'Run `polya ahc init` again with --fresh, or download the archive yourself and give it with --from.',
    error instanceof Error ? error.message : undefined,
  );
}

function otherTools({ from }: FetchedTools): Trouble {
  return note(
    `There are other tools than those of this workspace: ${from}.`,
    'Run `polya ahc init` again with --fresh to take them; those of now are put aside in tools/.',
  );
}

/** In the sandbox, which keeps what it has built: an evaluation finds it there. */
export async function buildTools(
  { keeper, parts, signal }: ToolsWork,
  report: CrateReport,
): Promise<{ readonly isBuilt: boolean; readonly troubles: readonly Trouble[] }> {
  const binary = report.generator ?? report.judge ?? report.tester ?? report.binaries[0];
  if (binary === undefined) {
    const fix = `Look into ${layout.crate}: what scores has to be a binary of that crate. Of a workspace of crates, give the folder of the member that scores with --from.`;
    return { isBuilt: false, troubles: [missing('The tools name no program to build.', fix)] };
  }
  const errors: CrateTrouble[] = [];
  if (report.needsCrates && !report.isVendored) errors.push(...(await bringCrates(keeper, parts, signal)));
  if (errors.some((each) => each.isHopeless)) return { isBuilt: false, troubles: errors };
  const not = (why: Trouble) => ({ isBuilt: false, troubles: [...errors, why] });
  try {
    parts.onProgress('building the tools (the first time it may take a minute)');
    const build = async () =>
      buildWhole(parts.sandbox, toolProgram((await readCrate(keeper)) ?? {}, binary), signal);
    let { executable, compile } = await build();
    // A folder `vendor` may have been broken off, or hold other versions than the crate names.
    if (!executable && report.needsCrates && report.isVendored) {
      errors.push(...(await bringCrates(keeper, parts, signal)));
      ({ executable, compile } = await build());
    }
    return executable ? { isBuilt: true, troubles: errors } : not(doesNotBuild(compile?.digest));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    const { what, why, fix = 'Run `polya setup`.' } = error.explanation;
    const advice = `${fix} Then run \`polya ahc init\` again: it builds them and makes the inputs.`;
    return not(missing(`The tools could not be built: ${what}`, advice, why || undefined));
  }
}

const crates = `${layout.crate}/vendor`;

/** What the crate depends on, into its folder `vendor`. A failure is told: Debian's crates may do instead. */
async function bringCrates(store: Keeper, parts: IntakeParts, signal: AbortSignal): Promise<CrateTrouble[]> {
  const { folder, written } = store;
  const manifest = await folder.readBytes(`${layout.crate}/Cargo.toml`);
  const lock = await folder.readBytes(`${layout.crate}/Cargo.lock`);
  if (!manifest) return [];
  const strange = strangeSources(manifestIn(pageText(manifest)), lock)
    .join(', ')
    .slice(0, 200);
  if (strange !== '') return [notBrought(`They come from elsewhere than usual: ${strange}.`)];
  parts.onProgress('fetching what the tools depend on');
  const names = await folder.files(layout.crate);
  const sources = names.filter((name) => name.endsWith('.rs') && !name.startsWith('vendor/'));
  const inner: Record<string, Uint8Array> = {};
  for (const name of names.filter((each) => each !== 'Cargo.toml' && isOwnManifest(each)))
    inner[name] = (await folder.readBytes(`${layout.crate}/${name}`)) ?? new Uint8Array();
  const loaded = await parts.vendor({ manifest, inner, lock, sources }, signal);
  if (loaded.files === null) return [loaded.isTried ? notThere(loaded.why) : notBrought(loaded.why)];
  const files = Object.fromEntries(
    Object.entries(loaded.files).map(([name, content]) => [name, bytesOf(content)]),
  );
  await store.fill(crates, files);
  written.push(`${crates}/`);
  return loaded.exchanged.length > 0 ? [otherVersions(loaded.exchanged)] : [];
}

/** `isHopeless`: nothing can be built. */
type CrateTrouble = Trouble & { readonly isHopeless?: boolean };

function notThere(why: string): CrateTrouble {
  const what =
    'The tools do not build here: what they depend on is neither to be fetched nor on this machine.';
  const debian =
    'Some crates are packages of Debian (`sudo apt-get install librust-rand-pcg-dev`, for example).';
  return { ...missing(what, `${bringThem} ${debian}`, why), isHopeless: true };
}

function otherVersions(exchanged: readonly string[]): Trouble {
  return note(
    `The tools are built with other crates than they name: ${exchanged.join('; ')}.`,
    `Inputs that are generated may not be the official ones. Move ${crates} away and run \`polya ahc init\` again where there is a network, or bring the inputs from elsewhere.`,
    'Those that they name could not be had here.',
  );
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** By hand it is easily done wrongly: cargo's own command deletes crates where it is to take them from a folder. */
const bringThem = `Run \`polya ahc init\` again where there is a network: it copies what Cargo.lock names into ${layout.crate}/vendor. A copy of that folder serves here, too.`;

function notBrought(why: string): Trouble {
  return missing(
    'What the tools depend on could not be fetched; the crates of this system were tried in their place.',
    `With other versions of them the generated inputs may not be the official ones. ${bringThem}`,
    why,
  );
}

function doesNotBuild(digest = ''): Trouble {
  return missing(
    'The tools do not build here: nothing can be scored until they do.',
    /cargo: (not found|No such file)/i.test(digest)
      ? 'Run `polya setup`, which installs cargo, then `polya ahc init` again.'
      : `If you changed them: move ${layout.crate} away, and \`polya ahc init\` brings them as they came. If crates are missing: \`polya setup\` installs those of this system. ${bringThem}`,
    withRustAdvice(digest.slice(0, 2_000)),
  );
}

type Inputs = {
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
  const generator = report?.generator;
  const before = await inputsIn(folder);
  const seeds = seedsIn(await folder.read(layout.seeds));
  if (before >= (generator ? seeds.length : 1)) return { count: before, how: 'there', troubles: [] };
  const errors: Trouble[] = [];
  if (generator && isBuilt) {
    const failed = await generate(work, generator, seeds);
    const count = await inputsIn(folder);
    if (count > 0 && failed === null) return { count, how: 'generated', troubles: errors };
    if (failed) errors.push(failed);
  }
  if (before > 0) return { count: before, how: 'there', troubles: errors };
  // A generator that could not be built yet will make them when `polya ahc init` runs again.
  if (samples.length === 0 || (generator && !isBuilt)) {
    return { count: 0, how: 'none', troubles: [...errors, noInputs(generator)] };
  }
  const files = samples.map(
    ({ input }, index) => [`${String(index).padStart(4, '0')}.txt`, bytesOf(input)] as const,
  );
  await work.keeper.fill(layout.inputs, Object.fromEntries(files));
  const count = files.length;
  const what = `There is no generator: what the statement shows as samples is the input (${count}).`;
  errors.push(note(what, `Put more into ${layout.inputs} as you make them.`));
  return { count, how: 'samples', troubles: errors };
}

function noInputs(generator: string | null | undefined): Trouble {
  return missing(
    'There are no inputs yet.',
    `Put some into ${layout.inputs} yourself, as 0000.txt, 0001.txt …, or run \`polya ahc init\` again when the tools can be built.`,
    generator
      ? 'The generator could not be built.'
      : 'There is neither an input, nor a generator, nor a sample.',
  );
}

/** An empty one is what a power failure leaves. */
async function inputsIn(folder: Folder): Promise<number> {
  return [...(await folder.sizes(layout.inputs)).values()].filter((size) => size > 0).length;
}

const mostInputs = 100;

/** The seeds for manual tests; if the text names none, the first numbers. */
function seedsIn(text: string | null): readonly string[] {
  const lines = (text ?? '').split('\n').map((line) => line.trim());
  const named = lines.filter((line) => line !== '').slice(0, mostInputs);
  return named.length > 0 ? named : Array.from({ length: mostInputs }, (_, seed) => String(seed));
}

async function generate(
  { keeper, parts, signal }: ToolsWork,
  generator: string,
  seeds: readonly string[],
): Promise<Trouble | null> {
  parts.onProgress(`generating ${seeds.length} inputs`);
  const program = toolProgram((await readCrate(keeper)) ?? {}, generator);
  const { run, compile, inputs } = await runGenerator(parts.sandbox, program, seeds, signal);
  if (!run) return doesNotBuild(compile?.digest);
  if (!inputs) return doesNotGenerate(run.stderr.text, run.verdict);
  if (inputs.length === 0) return doesNotGenerate('It wrote nothing into in/.', 'ok');
  await keeper.fill(layout.inputs, Object.fromEntries(inputs.map(({ name, bytes }) => [name, bytes])));
  keeper.written.push(`${layout.inputs}/ (${inputs.length} files)`);
  return null;
}

function doesNotGenerate(text: string, verdict: string): Trouble {
  return missing(
    `The generator of the tools failed (${verdict}): not all inputs were made.`,
    `Put inputs into ${layout.inputs} yourself, as 0000.txt, 0001.txt …`,
    text.trim().split('\n').slice(-5).join('\n').slice(0, 1_000),
  );
}
