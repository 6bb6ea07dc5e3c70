/**
 * The container back-end: Docker or podman, by the engine's own interface. Finds out by trying which engine answers
 * and where programs find their toolchains, and opens cells in containers.
 *
 * Toolchains come from our image where that was built; else, on Linux, from the host, whose `/usr` is then mounted
 * into containers that hold nothing of their own. The engine must see the same files as we do for that.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnavailableError } from '../../core/errors.ts';
import type { Backend, Mount } from '../backend.ts';
import { hostFileState } from '../host.ts';
import { relayInside, runnerInside } from '../layout.ts';
import { defaultRunLimits } from '../limits.ts';
import { defaultStagingParents, findSystemFolders } from '../machine.ts';
import { pipesInside } from '../pipes.ts';
import { runOnce } from '../run-once.ts';
import { isFilterArch } from '../seccomp.ts';
import { digest, makeOnce } from '../staged-file.ts';
import { stageInFirst, stagingFolder } from '../staging.ts';
import { removeForsaken } from './clean.ts';
import type { Surroundings } from './endpoints.ts';
import { type Engine, findEngine, thisMachine } from './engine.ts';
import { hostImage, hostMounts } from './host-image.ts';
import { type ImageState, imageState, otherVersions } from './images.ts';
import { containerPool, type PoolOptions } from './pool.ts';
import { seccompProfile } from './profile.ts';
import type { Site } from './site.ts';
import { imageRepository, toolchainImage } from './toolchain-image.ts';

export type DockerOptions = {
  readonly env?: Surroundings['env'];
  /** Where the staging folder may be made, in order of preference. */
  readonly stagingParents?: readonly string[];
  /** Where toolchains come from; default: our image where it was built, else the host. */
  readonly toolchains?: 'image' | 'host';
  /** How many containers wait to be used again, and how long. */
  readonly pool?: PoolOptions;
};

/** Throws `UnavailableError` where nothing can be run in a container. */
export async function openDocker(options: DockerOptions = {}): Promise<Backend> {
  const engine = await findEngine(thisMachine(options.env));
  await removeForsaken(engine);
  const image = await toolchainImage();
  const state = await imageState(engine, image);
  if (options.toolchains !== 'host' && state.kind === 'ready') {
    return tried(await imageBackend(engine, options, { name: image.name, id: state.id }));
  }
  if (options.toolchains === 'image') throw await noImage(engine, state, null);
  try {
    return await tried(await hostBackend(engine, options));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw await noImage(engine, state, error.explanation.why ?? error.message);
  }
}

async function hostBackend(engine: Engine, options: DockerOptions): Promise<Backend> {
  const { arch } = process;
  if (!seesOurFiles(engine) || engine.arch !== arch || !isFilterArch(arch)) {
    throw new UnavailableError({
      code: 'engine-remote',
      what: 'The engine runs on another machine, or in a virtual one.',
    });
  }
  const parents = options.stagingParents ?? defaultStagingParents();
  const staging = await stageInFirst(parents, { uid: process.getuid?.() ?? 0, arch });
  if (staging === null) throw noPlace(parents);
  const { folder, runner } = staging;
  const systemFolders = await findSystemFolders();
  const own = [runnerInside, relayInside].map((target) => ({ source: runner, target }));
  const seccomp = await seccompFor(engine, folder);
  const image = await hostImage(engine, systemFolders, folder);
  const site: Site = {
    engine,
    image,
    mounts: [...hostMounts(systemFolders), ...own],
    ownMounts: (mounts) => mounts,
    seccomp,
  };
  const needed = [runner, ...(engine.kind === 'podman' ? [seccomp] : [])];
  return {
    ...common(engine, site, options),
    version: `${engine.version}, toolchains of this machine`,
    folder,
    isIntact: () => needed.every((path) => existsSync(path)),
    fileState: hostFileState,
  };
}

async function imageBackend(
  engine: Engine,
  options: DockerOptions,
  image: { readonly name: string; readonly id: string },
): Promise<Backend> {
  const folder = await findFolder(options);
  const seccomp = await seccompFor(engine, folder);
  const site: Site = {
    engine,
    image: image.name,
    mounts: [],
    ownMounts: (mounts) => mountsBesideImage(engine, mounts, folder),
    seccomp,
  };
  const containers = common(engine, site, options);
  const paths = await imagePaths(containers, folder, image.id);
  return {
    ...containers,
    version: `${engine.version}, image ${image.name}`,
    folder,
    sharesFiles: seesOurFiles(engine),
    isIntact: () => existsSync(folder),
    // Nothing in an image changes without a new image.
    fileState: async (path) => (isInImage(paths, path) ? `${image.id} ${path}` : null),
  };
}

/** What belongs to the system lies in the image; what we made comes from our folder, where the engine sees that. */
function mountsBesideImage(engine: Engine, mounts: readonly Mount[], folder: string): readonly Mount[] {
  if (seesOurFiles(engine)) return mounts.filter(({ source }) => source.startsWith(`${folder}/`));
  if (mounts.every(({ target }) => target !== pipesInside)) return [];
  throw new UnavailableError({
    code: 'pair-unsupported',
    what: 'An interactive pair cannot be run in containers of another machine.',
    why: 'Its two sides are joined by pipes of this machine, and the engine does not run on it.',
    fix: 'Run it on Linux: with bubblewrap, or with an engine on the same machine.',
  });
}

function seesOurFiles({ endpoint }: Engine): boolean {
  return process.platform === 'linux' && endpoint.kind === 'socket';
}

function common(engine: Engine, site: Site, options: DockerOptions) {
  const pool = containerPool(site, options.pool);
  return {
    name: 'docker',
    isolation: 'sandbox',
    enforcement: enforcement(engine),
    openCell: (spec) => pool.open(spec),
    clean: () => removeForsaken(engine),
    close: () => pool.close(),
  } as const satisfies Partial<Backend>;
}

/** For people: by which means each limit holds here. */
function enforcement({ limits, cgroupVersion }: Engine): Backend['enforcement'] {
  const group = (isThere: boolean) => (isThere ? `, ${cgroupVersion} of the container` : '');
  return {
    wallMs: 'runner',
    cpuMs: 'process table, rlimit',
    memoryBytes: `process table${group(limits.memory)}`,
    processes: `rlimit${group(limits.pids)}`,
    openFiles: 'rlimit',
    fileBytes: 'rlimit',
    diskBytes: 'tmpfs',
    outputBytes: 'runner',
  };
}

async function tried(backend: Backend): Promise<Backend> {
  const command = ['/bin/sh', '-c', 'exit 0'];
  const job = { command, files: [], stdin: null, collectPath: null, limits: defaultRunLimits };
  await runOnce(backend, { job, mounts: [] }, new AbortController().signal);
  return backend;
}

/** Podman wants a file, on its own machine; Docker the text. */
async function seccompFor({ kind }: Engine, folder: string): Promise<string> {
  const text = JSON.stringify(seccompProfile());
  if (kind === 'docker') return text;
  const path = join(folder, `seccomp-${digest([text])}.json`);
  await makeOnce(path, (draft) => writeFile(draft, text, { mode: 0o444 }));
  return path;
}

async function findFolder({ stagingParents = defaultStagingParents() }: DockerOptions): Promise<string> {
  for (const parent of stagingParents) {
    const folder = await stagingFolder(parent, process.getuid?.() ?? 0);
    if (folder !== null) return folder;
  }
  throw noPlace(stagingParents);
}

function noPlace(parents: readonly string[]): UnavailableError {
  return new UnavailableError({
    code: 'no-reachable-folder',
    what: `None of ${parents.join(', ')} can hold the files that containers share.`,
    fix: 'Set TMPDIR to a folder that every user can walk into and none but its owner can rename in.',
  });
}

async function noImage(
  engine: Engine,
  state: ImageState,
  whyNotHost: string | null,
): Promise<UnavailableError> {
  const others = await otherVersions(engine, imageRepository);
  const image =
    state.kind === 'foreign'
      ? 'An image has the right name, but not the label of ours.'
      : others.length > 0
        ? `There is only the one of another version of Polya (${others.join(', ')}), without the runner of this one.`
        : 'It was not built yet.';
  const host = whyNotHost === null ? '' : ` And the toolchains of this machine cannot be used: ${whyNotHost}`;
  return new UnavailableError({
    code: 'no-image',
    what: `${engine.version} answers, but has no image to run programs in.`,
    why: `${image}${host}`,
    fix: 'Run `polya setup --docker`: it builds the image.',
  });
}

/** Null where the image does not say: then everything may be there. */
export type ImagePaths = ReadonlySet<string> | null;

const looked = ['/usr', '/etc', '/opt'];
const limits = { ...defaultRunLimits, wallMs: 60_000, cpuMs: 60_000, outputBytes: 32 * 2 ** 20 };

export async function imagePaths(
  backend: Pick<Backend, 'openCell'>,
  folder: string,
  imageId: string,
): Promise<ImagePaths> {
  const kept = join(folder, 'answers', `paths-${digest([imageId])}`);
  const known = await readFile(kept, 'utf8').catch(() => null);
  const text = known ?? (await look(backend));
  if (text === null) return null;
  if (known === null) {
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
    await makeOnce(kept, (draft) => writeFile(draft, text));
  }
  return new Set(text.split('\n'));
}

/** In Debian, /bin and /lib are links into /usr. */
export function isInImage(paths: ImagePaths, path: string): boolean {
  return paths === null || paths.has(path) || paths.has(`/usr${path}`);
}

async function look(backend: Pick<Backend, 'openCell'>): Promise<string | null> {
  const command = ['/usr/bin/find', ...looked];
  const job = { command, files: [], stdin: null, collectPath: null, limits };
  try {
    const { step } = await runOnce(backend, { job, mounts: [] }, new AbortController().signal);
    return step.stdout.bytes > 0 && !step.stdout.cut ? step.stdout.text : null;
  } catch (error) {
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}
