/**
 * The image with all toolchains, for machines whose engine cannot see our files: macOS, Windows, another machine. Its
 * Dockerfile lies in image/. What it is made of gives it its name, so a newer Polya does not take an older one's.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findKotlinCompiler } from '../languages/kotlin-compiler.ts';
import { digest } from '../staged-file.ts';
import { findEngine, type Surroundings, thisMachine } from './engine.ts';
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

export type ImageReport = {
  /** `Docker 20.10.24 (/var/run/docker.sock)`. */
  readonly engine: string;
  /** `polya-sandbox:0123456789abcdef`. */
  readonly image: string;
  readonly state: ImageState['kind'];
};

/** For `polya setup --docker` and `polya doctor`. Throws `UnavailableError` where no engine answers. */
export async function imageReport(env?: Surroundings['env']): Promise<ImageReport> {
  const engine = await findEngine(thisMachine(env));
  const image = await toolchainImage();
  const { kind } = await imageState(engine, image);
  return { engine: engine.version, image: image.name, state: kind };
}

/**
 * Takes minutes, and downloads what `apt-get` needs; every line of the engine's progress is told. Without Kotlin's
 * compiler on this machine the image has none.
 */
export async function buildImageHere(
  { base, network, onProgress }: BuildOptions,
  env?: Surroundings['env'],
): Promise<ImageReport> {
  const engine = await findEngine(thisMachine(env));
  const image = await toolchainImage();
  const folder = await mkdtemp(join(tmpdir(), 'polya-image-'));
  try {
    await layOut(folder);
    const buildArguments = base === undefined ? undefined : { BASE: base };
    const entries = ['Dockerfile', 'runner', 'kotlin'];
    await buildImage(engine, { ...image, folder, entries, buildArguments, network }, onProgress);
    return { engine: engine.version, image: image.name, state: 'ready' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function layOut(folder: string): Promise<void> {
  const kotlin = join(folder, 'kotlin');
  await mkdir(kotlin);
  await cp(dockerfile, join(folder, 'Dockerfile'));
  await cp(runnerSources, join(folder, 'runner'), { recursive: true });
  const compiler = await findKotlinCompiler();
  for (const [name, path] of Object.entries(compiler?.jars ?? {})) await cp(path, join(kotlin, name));
}
