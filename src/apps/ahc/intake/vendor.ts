/**
 * What the official tools depend on, brought by the user's own cargo: as their lockfile names it, else at any version that
 * fits, else, without a network, from what is on this machine, at whatever version that has. Nothing of the crate is run.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'smol-toml';
import { z } from 'zod';
import { vendored } from '../../../families/ahc/workspace.ts';
import { openFolder } from '../../../io/folder.ts';
import type { Environment } from '../../../io/home.ts';
import { dependenciesOf, type Manifest, manifestIn, withDependencies } from './crates.ts';
import { pageText, type VendorCrates } from './source.ts';

/** Sources besides the usual one that manifest or lockfile name: those are not fetched. */
export function strangeSources(manifest: Manifest, lock: Uint8Array | null): readonly string[] {
  const named = [...dependenciesOf(manifest)].flatMap(([name, needed]) =>
    typeof needed === 'object' && ['git', 'registry', 'registry-index'].some((key) => key in needed)
      ? [`${name}: ${Object.values(needed).join(' ')}`]
      : [],
  );
  const locked = [...pageText(lock ?? undefined).matchAll(/^source = "([^"]*)"/gm)].map(
    (match) => match[1] ?? '',
  );
  const strange = locked.filter((source) => !/^(registry|sparse)\+https:\/\/[^"]*crates\.io/.test(source));
  return [...new Set([...named, ...strange])];
}

/** Where versions are free: those that say they build with the compiler that is here. Older cargos do not know it. */
const fittingVersions = { CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS: 'fallback' };
const longestMs = 10 * 60_000;
/** Where Debian's packages put the sources of crates. */
const systemCrates = '/usr/share/cargo/registry';

/** How crates are asked for: each way is taken where those before it failed. */
type Way = {
  readonly options: readonly string[];
  readonly lock: Uint8Array | null;
  readonly manifest: Record<string, unknown> | null;
  readonly needsNetwork: boolean;
};

/**
 * Manifest, lockfile and the names of its sources are all that cargo sees, in a folder of ours, so nothing of the crate is
 * run and no configuration of it counts. The network and where crates come from are as the user has set cargo up. Not by
 * `cargo vendor`: it deletes what it copies from, and where a user's crates come from a folder, as Debian's do, that is
 * the folder itself.
 */
export function vendorCrates(env: Environment, system = systemCrates): VendorCrates {
  return async (crate, signal) => {
    const cargo = findCargo(env);
    if (cargo === null) return { files: null, why: 'There is no cargo on the PATH.', isTried: false };
    const manifest = manifestIn(pageText(crate.manifest));
    const whys: string[] = [];
    for (const path of waysFor(crate, manifest, system)) {
      // What could not be reached a moment ago cannot be reached now.
      if (path.needsNetwork && whys.some((why) => unreachable.test(why))) continue;
      const loaded = await bring({ cargo, env, signal, crate, way: path });
      if (loaded.why === null) return { files: loaded.files, exchanged: exchanged(crate, manifest, loaded) };
      whys.push(loaded.why);
    }
    const absent = absentFrom(system, manifest);
    const named = absent.length > 0 ? ` Not on this machine: ${absent.join(', ')}.` : '';
    return { files: null, why: `${whys[0]}${named}`, isTried: true };
  };
}

const unreachable = /network|resolve host|failed to download|could not connect|timed? ?out/i;

function waysFor({ lock }: CrateToBring, manifest: Manifest, system: string): readonly Way[] {
  const replaced = ['source.crates-io.replace-with="system"', `source.system.directory="${system}"`];
  const offline = ['--offline', ...replaced.flatMap((each) => ['--config', each])];
  const free = { lock: null, manifest: null };
  const relaxed = withDependencies(manifest, (needed) => {
    if (typeof needed === 'string') return '*';
    return needed.version === undefined ? needed : { ...needed, version: '*' };
  });
  return [
    ...(lock ? [{ ...free, lock, options: ['--locked'], needsNetwork: true }] : []),
    { ...free, options: [], needsNetwork: true },
    ...[null, relaxed].flatMap((changed) =>
      [['--offline'], offline].map((options) => {
        return { ...free, manifest: changed, options, needsNetwork: false };
      }),
    ),
  ];
}

type CrateToBring = Parameters<VendorCrates>[0];

type Bringing = {
  readonly cargo: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly crate: CrateToBring;
  readonly way: Way;
};

async function bring({ crate, way, ...runner }: Bringing) {
  const folder = mkdtempSync(join(tmpdir(), 'polya-crates-'));
  try {
    const place = openFolder(folder);
    const manifest = way.manifest ? stringify(way.manifest) : crate.manifest;
    await place.write('Cargo.toml', manifest);
    for (const [path, text] of Object.entries(crate.inner)) await place.write(path, text);
    if (way.lock) await place.write('Cargo.lock', way.lock);
    for (const name of ['src/lib.rs', ...crate.sources]) await place.write(name, '');
    const run = (...args: readonly string[]) => runCargo(args, { ...runner, folder });
    const response = await run('fetch', ...way.options);
    if (response.why !== null) return response;
    const settings = way.options.filter((option) => !/^--(locked|offline)$/.test(option));
    const entry = await run('metadata', '--locked', '--offline', '--format-version', '1', ...settings);
    if (entry.why !== null) return entry;
    const lock = (await place.readBytes('Cargo.lock')) ?? new Uint8Array();
    const found = listSchema.parse(JSON.parse(entry.said)).packages.filter(({ source }) => source !== null);
    const files = await copied(found, lock);
    if (way.lock === null) files[vendored.lock] = lock;
    if (way.manifest) files[vendored.manifest] = manifest;
    return { why: null, files, found };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the crate names itself and has at another version now: `clap 4.0.32 for 4.4`. */
function exchanged(
  { lock }: CrateToBring,
  manifest: Manifest,
  { found, files }: { readonly found: readonly FoundCrate[]; readonly files: object },
) {
  // Without a lockfile nobody asked for versions, so none was exchanged.
  if (lock === null && !(vendored.manifest in files)) return [];
  const locked = checksumsIn(pageText(lock ?? undefined));
  return [...dependenciesOf(manifest)].flatMap(([name, needed]) => {
    const versions = found.filter((each) => each.name === name).map(({ version }) => version);
    const question = typeof needed === 'string' ? needed : needed.version;
    const ofLock = [...locked.keys()].find((each) => each.startsWith(`${name}-`))?.slice(name.length + 1);
    const requested = ofLock ?? question?.replace(/^[\s^=]+/, '') ?? '';
    const isRequested = requested === '*' || versions.some((version) => version.startsWith(requested));
    return isRequested ? [] : [`${name} ${versions.join(', ')} for ${requested}`];
  });
}

function absentFrom(system: string, manifest: Manifest): readonly string[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(system);
  } catch {
    // There is none.
  }
  const exists = (name: string) => names.some((each) => new RegExp(`^${name}-\\d`).test(each));
  return [...dependenciesOf(manifest).keys()].filter((name) => /^[\w-]+$/.test(name) && !exists(name));
}

/** What rustup installed goes before the system's, which may not understand newer lockfiles. */
function findCargo(env: Environment): string | null {
  const home = env.CARGO_HOME ?? (env.HOME ? join(env.HOME, '.cargo') : null);
  const named = [...(home ? [join(home, 'bin')] : []), ...(env.PATH ?? '').split(delimiter)];
  const dirs = named.filter((folder) => folder.startsWith('/'));
  return dirs.map((folder) => join(folder, 'cargo')).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const foundCrate = z.object({
  name: z.string(),
  version: z.string(),
  manifest_path: z.string(),
  /** Null for the crate itself. */
  source: z.string().nullable(),
});
const listSchema = z.object({ packages: z.array(foundCrate) });
type FoundCrate = z.infer<typeof foundCrate>;

/** Read, never moved. Libraries for linking on Windows are most of the bytes, and nothing here links with them. */
async function copied(
  packages: readonly FoundCrate[],
  lock: Uint8Array,
): Promise<Record<string, string | Uint8Array>> {
  const checksums = checksumsIn(pageText(lock));
  const files: Record<string, string | Uint8Array> = {};
  for (const { name, version, manifest_path } of packages) {
    const crate = `${name}-${version}`;
    const place = openFolder(dirname(manifest_path));
    for (const path of await place.files('.')) {
      if (/\.(a|lib)$/.test(path) && name.startsWith('win')) continue;
      files[`${crate}/${path}`] = (await place.readBytes(path)) ?? new Uint8Array();
    }
    // The sum of the whole, which the lockfile names, is kept; those of single files are the business of who fetched them.
    const sums = { files: {}, package: checksums.get(crate) ?? null };
    files[`${crate}/.cargo-checksum.json`] = JSON.stringify(sums);
  }
  return files;
}

/** By name and version. */
function checksumsIn(lock: string): ReadonlyMap<string, string> {
  const found = lock.split('[[package]]').flatMap((entry) => {
    const [name, version, checksum] = ['name', 'version', 'checksum'].map(
      (key) => new RegExp(`^${key} = "([^"]*)"`, 'm').exec(entry)?.[1],
    );
    return name && version && checksum ? [[`${name}-${version}`, checksum] as const] : [];
  });
  return new Map(found);
}

/** What it printed; where it failed, the last lines of its complaints. */
async function runCargo(
  args: readonly string[],
  { cargo, folder, env, signal }: Pick<Bringing, 'cargo' | 'env' | 'signal'> & { readonly folder: string },
): Promise<{ readonly why: null; readonly said: string } | { readonly why: string }> {
  const running = promisify(execFile)(cargo, args, {
    cwd: folder,
    env: { CARGO_NET_RETRY: '1', ...fittingVersions, ...env, CARGO_TERM_COLOR: 'never' },
    maxBuffer: Number.POSITIVE_INFINITY,
    signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
  });
  running.child.stdin?.end();
  try {
    return { why: null, said: (await running).stdout };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message, stderr } = failureSchema.parse(error);
    const hasRun = typeof code !== 'string';
    return { why: `cargo ${args[0]}${hasRun ? ` said: ${lastLines(stderr)}` : `: ${message}.`}` };
  }
}

/** `code` is a text if the process could not start, or was cancelled. */
const failureSchema = z.object({
  code: z.union([z.string(), z.number(), z.null()]),
  message: z.string(),
  stderr: z.string().default(''),
});

function lastLines(text: string): string {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return lines.slice(-4).join(' ').slice(0, 600);
}
