/**
 * Images on an engine: whether one is there, and building one from a folder, with progress. It knows nothing of what
 * is in them. A name holds the digest of what an image was made of, and a label holds it again: a name can be given
 * to anything.
 */
import type Dockerode from 'dockerode';
import { z } from 'zod';
import { UnavailableError } from '../../core/errors.ts';
import type { Engine } from './engine.ts';
import { engineFault, isNotFound } from './faults.ts';

export const digestLabel = 'polya.digest';

export type ImageState =
  | { readonly kind: 'ready'; readonly id: string }
  /** There, under the right name, and not made by us from what we have now. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'missing' };

export type ImageName = { readonly name: string; readonly digest: string };

export type Recipe = ImageName & {
  /** Holds a Dockerfile and what that copies. */
  readonly folder: string;
  readonly entries: readonly string[];
  readonly buildArguments?: Readonly<Record<string, string>>;
  /** `host` where the engine has no network of its own to build in. */
  readonly network?: string;
};

const progressSchema = z.object({ stream: z.string().optional(), error: z.string().optional() });

export async function imageState({ docker }: Engine, { name, digest }: ImageName): Promise<ImageState> {
  try {
    const { Id: id, Config: config } = await docker.getImage(name).inspect();
    return config.Labels?.[digestLabel] === digest ? { kind: 'ready', id } : { kind: 'foreign' };
  } catch (error) {
    if (isNotFound(error)) return { kind: 'missing' };
    throw engineFault('looking for an image', error);
  }
}

/** Names of images in a repository. */
export async function otherVersions({ docker }: Engine, repository: string): Promise<readonly string[]> {
  const images = await docker.listImages({ filters: { reference: [repository] } }).catch(() => []);
  return images.flatMap(({ RepoTags: names }) => names ?? []);
}

/** Throws `UnavailableError` with the last words of what failed. */
export async function buildImage(
  { docker }: Engine,
  recipe: Recipe,
  onProgress: (line: string) => void = () => {},
): Promise<void> {
  const stream = await docker
    .buildImage({ context: recipe.folder, src: [...recipe.entries] }, buildOptions(recipe))
    .catch((error) => {
      throw engineFault('building an image', error);
    });
  const said: string[] = [];
  const failure = await follow(docker, stream, (line) => {
    said.push(line);
    onProgress(line);
  });
  if (failure === null) return;
  throw new UnavailableError({
    what: `The image ${recipe.name} could not be built.`,
    why: `${[...said.slice(-3), failure].join(' ').trim()}.`,
    fix: 'Put that right and try again; what was built so far is kept by the engine.',
  });
}

function buildOptions({ name, digest, buildArguments, network }: Recipe): Dockerode.ImageBuildOptions {
  return {
    t: name,
    labels: { [digestLabel]: digest },
    rm: true,
    forcerm: true,
    ...(buildArguments ? { buildargs: { ...buildArguments } } : {}),
    ...(network === undefined ? {} : { networkmode: network }),
  };
}

/** Resolves to what went wrong, or null. */
async function follow(
  docker: Dockerode,
  stream: NodeJS.ReadableStream,
  onLine: (line: string) => void,
): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let failure: string | null = null;
  const onEvent = (event: unknown) => {
    const progress = progressSchema.safeParse(event).data ?? {};
    if (progress.error !== undefined) failure = progress.error;
    for (const line of (progress.stream ?? '').split('\n')) if (line.trim() !== '') onLine(line.trim());
  };
  docker.modem.followProgress(stream, (error) => resolve(failure ?? error?.message ?? null), onEvent);
  return promise;
}
