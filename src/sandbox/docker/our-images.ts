/** The two images that programs run in. Their names hold a digest of their content, so versions of Polya stay apart. */
// One has all toolchains (image/Dockerfile); the other holds only links into the host's `/usr`, mounted read-only.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mount } from '../backend.ts';
import { findKotlinCompiler } from '../languages/kotlin-compiler.ts';
import type { View } from '../machine.ts';
import { digest } from '../staged-file.ts';
import { containerUids } from './container.ts';
import { scratchInContainer } from './container-options.ts';
import { type Engine, findEngine, type HostEnvironment, localEnvironment } from './engine.ts';
import { buildImage, type ImageName, type ImageState, imageState } from './images.ts';

const dockerfile = join(import.meta.dirname, 'image', 'Dockerfile');
const runnerSources = join(import.meta.dirname, '..', 'runner');
export const imageRepository = 'polya-sandbox';

export type BuildOptions = {
  /** Another base than Debian 12 by its usual name. */
  readonly base?: string;
  /** The network of the build: `host` where the engine has none of its own. */
  readonly network?: string;
  readonly onProgress?: (line: string) => void;
};

export async function toolchainImage(): Promise<ImageName> {
  const names = (await readdir(runnerSources)).filter((name) => /\.[ch]$/.test(name)).sort();
  const paths = [dockerfile, ...names.map((name) => join(runnerSources, name))];
  const key = digest(await Promise.all(paths.map((path) => readFile(path))));
  return { name: `${imageRepository}:${key}`, digest: key };
}

/** One with volumes is none of ours: programs could fill the engine's disk through them. */
export async function ownImageState(engine: Engine, image: ImageName): Promise<ImageState> {
  const state = await imageState(engine, image);
  return state.kind === 'ready' && state.hasVolumes ? { kind: 'foreign' } : state;
}

export type ImageReport = {
  /** `Docker 20.10.24 (/var/run/docker.sock)`. */
  readonly engine: string;
  /** `polya-sandbox:0123456789abcdef`. */
  readonly image: string;
  readonly state: ImageState['kind'];
};

/** For `polya setup --docker` and `polya doctor`. Throws `UnavailableError` where no engine answers. */
export async function imageReport(env?: HostEnvironment['env']): Promise<ImageReport> {
  const engine = await findEngine(localEnvironment(env));
  const image = await toolchainImage();
  const { kind } = await ownImageState(engine, image);
  return { engine: engine.version, image: image.name, state: kind };
}

/** Takes minutes, and downloads what `apt-get` needs. Without Kotlin's compiler on this machine the image has none. */
export async function buildImageHere(
  { base, network, onProgress }: BuildOptions,
  env?: HostEnvironment['env'],
): Promise<ImageReport> {
  const engine = await findEngine(localEnvironment(env));
  const image = await toolchainImage();
  const folder = await mkdtemp(join(tmpdir(), 'polya-image-'));
  try {
    await mkdir(join(folder, 'kotlin'));
    await cp(dockerfile, join(folder, 'Dockerfile'));
    await cp(runnerSources, join(folder, 'runner'), { recursive: true });
    const { jars = {} } = (await findKotlinCompiler()) ?? {};
    for (const [name, path] of Object.entries(jars)) await cp(path, join(folder, 'kotlin', name));
    const buildArguments = base === undefined ? undefined : { BASE: base };
    const entries = ['Dockerfile', 'runner', 'kotlin'];
    await buildImage(engine, { ...image, folder, entries, buildArguments, network }, onProgress);
    return { engine: engine.version, image: image.name, state: 'ready' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type SystemFolders = View['systemFolders'];

const hostDockerfile = 'FROM scratch\nCOPY root/ /\n';
/** Where other back-ends have their scratch folder, and programs their temporary files. */
const links = {
  scratch: scratchInContainer,
  box: `${scratchInContainer}/box`,
  tmp: `${scratchInContainer}/tmp`,
};
const shared = ['/usr', '/etc/alternatives', '/etc/ld.so.cache'];

/** Makes it unless it is there. */
export async function hostImage(engine: Engine, systemFolders: SystemFolders, workFolder: string) {
  const linked = systemFolders.filter(({ linkTarget }) => linkTarget !== null);
  const system = Object.fromEntries(linked.map(({ path, linkTarget }) => [path.slice(1), linkTarget ?? '']));
  const uids = Array.from({ length: containerUids.count }, (_, index) => containerUids.first + index);
  const passwd = uids.map((uid) => `polya${uid}:x:${uid}:${uid}::/tmp:/bin/sh\n`).join('');
  const content = { links: { ...system, ...links }, passwd };
  const key = digest([hostDockerfile, JSON.stringify(content)]);
  const image: ImageName = { name: `polya-host:${key}`, digest: key };
  if ((await ownImageState(engine, image)).kind === 'ready') return image.name;
  const folder = await mkdtemp(join(workFolder, 'image-'));
  const root = join(folder, 'root');
  try {
    await mkdir(join(root, 'etc'), { recursive: true });
    for (const name of ['proc', 'sys', 'dev', 'usr', 'run']) await mkdir(join(root, name));
    for (const [name, target] of Object.entries(content.links)) await symlink(target, join(root, name));
    await writeFile(join(root, 'etc', 'passwd'), passwd);
    await writeFile(join(folder, 'Dockerfile'), hostDockerfile);
    await buildImage(engine, { ...image, folder, entries: ['Dockerfile', 'root'] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return image.name;
}

/** What every container of this kind sees of the host. */
export function hostMounts(systemFolders: SystemFolders): readonly Mount[] {
  const dirs = systemFolders.filter(({ linkTarget }) => linkTarget === null).map(({ path }) => path);
  const paths = [...shared.filter((path) => existsSync(path)), ...dirs];
  return paths.map((path) => ({ source: path, target: path }));
}
