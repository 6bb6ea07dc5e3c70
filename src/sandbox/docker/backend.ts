/** The container back-end: finds out which engine answers and where toolchains lie, and opens cells in containers. */
// Toolchains come from our image, if it was built, else from the host's `/usr`, which the engine must then see.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnavailableError } from '../../core/errors.ts';
import type { Backend, Mount } from '../backend.ts';
import { answerOf, hostFileState, keptAnswer } from '../host.ts';
import { relayInside, runnerInside } from '../layout.ts';
import { defaultRunLimits } from '../limits.ts';
import { defaultStagingParents, findSystemFolders } from '../machine.ts';
import { pipesInside } from '../pair.ts';
import { verifyBackend } from '../run-once.ts';
import { isFilterArch, seccompProfile } from '../seccomp.ts';
import { digest, makeOnce } from '../staged-file.ts';
import { stageInFirst, stagingFolder } from '../staging.ts';
import { removeAbandoned } from './container.ts';
import { openContainerCell } from './container-cell.ts';
import type { Site } from './container-options.ts';
import { type Engine, findEngine, type HostEnvironment, localEnvironment } from './engine.ts';
import { type ImageState, imageNames } from './images.ts';
import { hostImage, hostMounts, imageRepository, ownImageState, toolchainImage } from './our-images.ts';

export type DockerOptions = {
  readonly env?: HostEnvironment['env'];
  /** Where the staging folder may be made, in order of preference. */
  readonly stagingParents?: readonly string[];
  /** Where toolchains come from; default: our image where it was built, else the host. */
  readonly toolchains?: 'image' | 'host';
};

/** Throws `UnavailableError` where nothing can be run in a container. */
export async function openDocker(options: DockerOptions = {}): Promise<Backend> {
  const { toolchains, stagingParents = defaultStagingParents() } = options;
  const engine = await findEngine(localEnvironment(options.env));
  await removeAbandoned(engine);
  const image = await toolchainImage();
  const state = await ownImageState(engine, image);
  if (toolchains !== 'host' && state.kind === 'ready') {
    const folder = await findFolder(stagingParents);
    return verifyBackend(await imageBackend(engine, { ...image, id: state.id, folder }));
  }
  if (toolchains === 'image') throw await noImage(engine, state, null);
  try {
    return await verifyBackend(await hostBackend(engine, stagingParents));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw await noImage(engine, state, error.explanation.why ?? error.message);
  }
}

async function hostBackend(engine: Engine, stagingParents: readonly string[]) {
  const { arch } = process;
  if (!sharesHostFiles(engine) || engine.arch !== arch || !isFilterArch(arch)) {
    throw new UnavailableError({
      code: 'engine-remote',
      what: 'The engine runs on another machine, or in a virtual one.',
    });
  }
  const staging = await stageInFirst(stagingParents, { uid: process.getuid?.() ?? 0, arch });
  if (staging === null) throw noPlace(stagingParents);
  const { folder, runner } = staging;
  const systemFolders = await findSystemFolders();
  const own = [runnerInside, relayInside].map((target) => ({ source: runner, target }));
  const seccomp = await seccompFor(engine, folder);
  const image = await hostImage(engine, systemFolders, folder);
  const mounts = [...hostMounts(systemFolders), ...own];
  const needed = [runner, ...(engine.kind === 'podman' ? [seccomp] : [])];
  return {
    ...common({ engine, image, mounts, ownMounts: (each) => each, seccomp }),
    version: `${engine.version}, toolchains of this machine`,
    folder,
    isIntact: () => needed.every((path) => existsSync(path)),
    fileState: hostFileState,
  };
}

type BuiltImage = { readonly name: string; readonly id: string; readonly folder: string };

async function imageBackend(engine: Engine, { name: image, id, folder }: BuiltImage) {
  const seccomp = await seccompFor(engine, folder);
  const ownMounts = (mounts: readonly Mount[]) => extraMounts(engine, mounts, folder);
  const containers = common({ engine, image, mounts: [], ownMounts, seccomp });
  const paths = await imagePaths(containers, folder, id);
  return {
    ...containers,
    version: `${engine.version}, image ${image}`,
    folder,
    sharesFiles: sharesHostFiles(engine),
    isIntact: () => existsSync(folder),
    // Nothing in an image changes without a new image. In Debian, /bin and /lib are links into /usr.
    fileState: async (path: string) =>
      paths === null || paths.has(path) || paths.has(`/usr${path}`) ? `${id} ${path}` : null,
  };
}

/** What belongs to the system lies in the image; what we made comes from our folder, where the engine sees that. */
function extraMounts(engine: Engine, mounts: readonly Mount[], folder: string): readonly Mount[] {
  if (sharesHostFiles(engine)) return mounts.filter(({ source }) => source.startsWith(`${folder}/`));
  if (mounts.every(({ target }) => target !== pipesInside)) return [];
  throw new UnavailableError({
    code: 'pair-unsupported',
    what: 'An interactive pair cannot be run in containers of another machine.',
    why: 'Its two sides are joined by pipes of this machine, and the engine does not run on it.',
    fix: 'Run it on Linux: with bubblewrap, or with an engine on the same machine.',
  });
}

function sharesHostFiles({ endpoint }: Engine): boolean {
  return process.platform === 'linux' && endpoint.kind === 'socket';
}

function common(site: Site) {
  const { engine } = site;
  const group = (exists: boolean) => (exists ? `, ${engine.cgroupVersion} of the container` : '');
  return {
    name: 'docker',
    isolation: 'sandbox',
    enforcement: {
      wallMs: 'runner',
      cpuMs: 'process table, rlimit',
      memoryBytes: `process table${group(engine.limits.memory)}`,
      processes: `rlimit${group(engine.limits.pids)}`,
      openFiles: 'rlimit',
      fileBytes: 'rlimit',
      diskBytes: 'tmpfs',
      outputBytes: 'runner',
    },
    openCell: (spec) => openContainerCell(site, spec),
    clean: () => removeAbandoned(engine),
  } as const satisfies Partial<Backend>;
}

/** Podman wants a file, on its own machine; Docker the text. */
async function seccompFor({ kind }: Engine, folder: string): Promise<string> {
  const text = JSON.stringify(seccompProfile());
  if (kind === 'docker') return text;
  const path = join(folder, `seccomp-${digest([text])}.json`);
  await makeOnce(path, (draft) => writeFile(draft, text, { mode: 0o444 }));
  return path;
}

async function findFolder(stagingParents: readonly string[]): Promise<string> {
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

async function noImage(engine: Engine, state: ImageState, whyNotHost: string | null) {
  const siblings = await imageNames(engine, imageRepository);
  const image =
    state.kind === 'foreign'
      ? 'An image has the right name, but not the label of ours, or it has volumes, as its base may.'
      : siblings.length > 0
        ? `There is only the one of another version of Polya (${siblings.join(', ')}), without the runner of this one.`
        : 'It was not built yet.';
  const host = whyNotHost === null ? '' : ` And the toolchains of this machine cannot be used: ${whyNotHost}`;
  return new UnavailableError({
    code: 'no-image',
    what: `${engine.version} answers, but has no image to run programs in.`,
    why: `${image}${host}`,
    fix: 'Run `polya setup --docker`: it builds the image.',
  });
}

const listing = { ...defaultRunLimits, wallMs: 60_000, cpuMs: 60_000, outputBytes: 32 * 2 ** 20 };

/** All files of an image. Null where it does not say: then everything may be there. */
async function imagePaths(containers: Pick<Backend, 'openCell'>, folder: string, imageId: string) {
  const text = await keptAnswer(folder, `paths-${digest([imageId])}`, async () => {
    const command = ['/usr/bin/find', '/usr', '/etc', '/opt'];
    const found = await answerOf(containers, { command, limits: listing });
    return found !== null && found.stdout.bytes > 0 && !found.stdout.cut ? found.stdout.text : null;
  });
  return text === null ? null : new Set(text.split('\n'));
}
