/** Images on an engine: their state, and building them. A label repeats the digest, because any image can take a name. */
import type Dockerode from 'dockerode';
import { z } from 'zod';
import { UnavailableError } from '../../core/errors.ts';
import type { Engine } from './engine.ts';
import { engineError, isNotFound, parseRejection } from './faults.ts';

const digestLabel = 'polya.digest';

export type ImageState =
  | { readonly kind: 'ready'; readonly id: string; readonly hasVolumes: boolean }
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

const text = z.string();
/** `status` is that of a download; with `progress` it is one of hundreds of the same. */
const progressSchema = z
  .object({ stream: text, error: text, status: text, id: text, progress: text })
  .partial();

export async function imageState({ docker }: Engine, { name, digest }: ImageName): Promise<ImageState> {
  try {
    const { Id: id, Config: config } = await docker.getImage(name).inspect();
    if (config.Labels?.[digestLabel] !== digest) return { kind: 'foreign' };
    return { kind: 'ready', id, hasVolumes: Object.keys(config.Volumes ?? {}).length > 0 };
  } catch (error) {
    if (isNotFound(error)) return { kind: 'missing' };
    throw engineError('looking for an image', error);
  }
}

export async function imageNames({ docker }: Engine, repository?: string): Promise<readonly string[]> {
  const options = repository === undefined ? {} : { filters: { reference: [repository] } };
  const images = await docker.listImages(options).catch(() => []);
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
      const dockerRejection = parseRejection(error);
      // What it says of a recipe that it cannot read, or was not sent.
      if (
        dockerRejection !== null &&
        (dockerRejection.status === 400 || /dockerfile/i.test(dockerRejection.said))
      )
        throw buildFailed(recipe.name, [dockerRejection.said]);
      throw engineError('building an image', error);
    });
  const lines: string[] = [];
  const failure = await follow(docker, stream, (line) => {
    lines.push(line);
    onProgress(line);
  });
  if (failure !== null) throw buildFailed(recipe.name, [...lines.slice(-3), failure]);
}

function buildFailed(name: string, lastLines: readonly string[]): UnavailableError {
  return new UnavailableError({
    code: 'image-build-failed',
    what: `The image ${name} could not be built.`,
    why: `${lastLines.join(' ').trim()}.`,
    fix: 'Put that right and try again; what was built so far is kept by the engine.',
  });
}

function buildOptions(recipe: Recipe): Dockerode.ImageBuildOptions {
  const { name, digest, buildArguments, network } = recipe;
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
async function follow(docker: Dockerode, stream: NodeJS.ReadableStream, onLine: (line: string) => void) {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let failure: string | null = null;
  const onEvent = (event: unknown) => {
    const progress = progressSchema.safeParse(event).data ?? {};
    if (progress.error !== undefined) failure = progress.error;
    for (const line of linesOf(progress)) if (line.trim() !== '') onLine(line.trim());
  };
  docker.modem.followProgress(stream, (error) => resolve(failure ?? error?.message ?? null), onEvent);
  return promise;
}

function linesOf({ stream = '', status, id, progress }: z.infer<typeof progressSchema>): readonly string[] {
  if (status === undefined || progress !== undefined) return stream.split('\n');
  return [...stream.split('\n'), id === undefined ? status : `${id}: ${status}`];
}
