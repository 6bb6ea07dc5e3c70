/** The image of a user's folder, built from its Dockerfile and named by the folder, and removing what was made for it. */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { UnavailableError, UserError } from '../../core/errors.ts';
import { digest } from '../staged-file.ts';
import { removeContainer } from './container.ts';
import type { Engine } from './engine.ts';
import { engineFault, failedAt, isNotFound, refusalOf } from './faults.ts';
import { BuildFailed, buildImage, type ImageName, imageNames, imageState, type Recipe } from './images.ts';
import { containerLabel } from './workspace-shell.ts';

/** Images made from one of ours inherit it, so an image goes only by the name that we gave it, or without a name. */
const folderLabel = 'polya.folder';

export type WorkspaceImage = ImageName & {
  /** Absolute, and without links: what the labels say. */
  readonly folder: string;
  /** What it builds on, where the Dockerfile leaves that open. */
  readonly buildArguments?: Readonly<Record<string, string>>;
  /** The base that is wished for is nowhere in the Dockerfile, which leaves no room for it either. */
  readonly ignoresBase: boolean;
};

export type BuildWishes = Pick<Recipe, 'network' | 'noCache' | 'pull'> & {
  readonly onProgress?: (line: string) => void;
};

/** Never sent to the engine: keys, journals, and what is large and of no use there. */
const keptBack: ReadonlySet<string> = new Set(['.git', '.env', '.ahc', '.polya', 'ahc_config.yaml', 'out']);

/** `base` fills in `ARG IMAGE`, where the Dockerfile has that. Throws `UserError` where there is none. */
export async function workspaceImage(folder: string, base: string | null): Promise<WorkspaceImage> {
  const real = await realpath(folder);
  const dockerfile = await readFile(join(real, 'Dockerfile'), 'utf8').catch(() => null);
  if (dockerfile === null)
    throw new UserError({
      code: 'no-dockerfile',
      what: `${real} has no Dockerfile that can be read.`,
      fix: `\`polya ahc init ${basename(real)}\` makes it again, and changes nothing else.`,
    });
  const isOpen = base !== null && /^\s*ARG\s+IMAGE\b/im.test(dockerfile);
  return {
    name: imageNameOf(real),
    digest: digest([dockerfile, isOpen ? base : '']),
    folder: real,
    ignoresBase: base !== null && !isOpen && !dockerfile.includes(base),
    buildArguments: isOpen ? { IMAGE: base } : undefined,
  };
}

/** Resolves to its id. Throws `UserError` for what is wrong with the Dockerfile, `UnavailableError` for the rest. */
export async function buildWorkspaceImage(
  engine: Engine,
  image: WorkspaceImage,
  { onProgress, ...wishes }: BuildWishes,
  signal: AbortSignal,
): Promise<string> {
  const { folder } = image;
  const entries = (await readdir(folder)).filter((name) => !keptBack.has(name));
  const recipe = { ...image, ...wishes, entries, labels: { [folderLabel]: folder } };
  await buildImage(engine, recipe, onProgress, signal).catch(async (error) => {
    signal.throwIfAborted();
    throw error instanceof BuildFailed ? await explained(engine, error, folder) : error;
  });
  const state = await imageState(engine, image);
  if (state.kind === 'ready') return state.id;
  throw new UnavailableError({
    code: 'image-lost',
    what: `The engine built ${image.name}, and does not have it.`,
    fix: 'Somebody may have removed it at the same time; try again.',
  });
}

/** The name for a folder without links: `ahc-ahc030:1f0c2b6d`. */
export function imageNameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `ahc-${name || 'workspace'}:${digest([folder]).slice(0, 8)}`;
}

/** Words of Docker and of podman for an image that did not come: no connection, or no such image. */
const offline =
  /no such host|name resolution|server misbehaving|dial (tcp|udp)|i\/o timeout|Client\.Timeout|TLS handshake|connection (refused|reset)|network is unreachable|x509|toomanyrequests|deadline exceeded|ping(ing)? container registry/i;
const unknownImage =
  /pull access denied|manifest (for .* )?(not found|unknown)|not found: manifest|repository .* (not found|does not exist)|repository name must|requested access to the resource is denied|invalid reference format|did not resolve to an alias|no matching manifest/i;

async function explained(engine: Engine, { failure, said }: BuildFailed, folder: string) {
  const isUnknown = unknownImage.test(failure);
  if (isUnknown || offline.test(failure)) return notPulled(engine, failure, isUnknown);
  if (/cannot locate specified dockerfile/i.test(failure)) {
    return new UserError({
      code: 'dockerfile-ignored',
      what: `${folder}/.dockerignore keeps the Dockerfile itself back.`,
      fix: 'Add the line `!Dockerfile` to it.',
    });
  }
  const needsBuildKit = /BuildKit/i.test(failure);
  return new UserError({
    code: 'image-build-failed',
    what: `${folder}/Dockerfile could not be built.`,
    why: `${[...said, failure].join(' ').trim().replace(/\.$/, '')}.`,
    fix: needsBuildKit
      ? `Polya builds by the engine's own builder: write it without what only BuildKit has, or build it by hand and name it as its base (\`polya ahc config docker.image NAME\`).`
      : 'Put that right and build again: what was built so far is kept by the engine.',
  });
}

async function notPulled(engine: Engine, failure: string, isUnknown: boolean): Promise<UnavailableError> {
  const all = await imageNames(engine);
  // Images that Polya made are no bases for others.
  const there = all.filter((name) => !/(^|\/)(ahc-|polya-host:|<none>)/.test(name)).sort();
  const names = there.length > 0 ? ` Already there: ${there.slice(0, 5).join(', ')}.` : '';
  const first = isUnknown
    ? 'Look at its name in the FROM line of the Dockerfile.'
    : 'Go online, or bring the image from elsewhere with `docker load`.';
  return new UnavailableError({
    code: 'not-pulled',
    what: 'The image that the Dockerfile builds on could not be pulled.',
    why: `${failure.trim().replace(/\.$/, '')}.`,
    fix: `${first} Any image with g++ 12 or newer will do: \`polya ahc config docker.image NAME\`.${names} Programs run without it: \`polya setup\`, or \`polya setup --docker\` for an image of Polya's own.`,
  });
}

export type Leftover = {
  readonly kind: 'container' | 'image';
  readonly name: string;
  /** `running`, `exited` …; of an image its size. */
  readonly state: string;
  /** Why it stays; null: it goes. */
  readonly keptBecause: string | null;
  /** Null where it was removed, else why not. */
  remove(): Promise<string | null>;
};

const [text, texts, labels] = [z.string(), z.array(z.string()), z.record(z.string(), z.string())];
const containersSchema = z.array(
  z.object({ Id: text, Names: texts, State: text, ImageID: text, Labels: labels.nullish() }),
);
const imagesSchema = z.array(z.object({ Id: text, RepoTags: texts.nullish(), Size: z.number() }));
type Container = z.infer<typeof containersSchema>[number];
type Image = z.infer<typeof imagesSchema>[number];

/** One that is paused holds what its user means to go on with. */
const atWork: ReadonlySet<string> = new Set(['running', 'paused', 'restarting']);

/** `isForced`: also what is still at work. Containers first: an image in use cannot go. */
export async function leftoversOf(
  { docker }: Engine,
  folder: string,
  { isForced }: { readonly isForced: boolean },
): Promise<readonly Leftover[]> {
  const real = await realpath(folder);
  const listing = docker.listContainers({ all: true });
  const all = containersSchema.parse(await listing.catch(failedAt('listing containers')));
  const filters = { label: [`${folderLabel}=${real}`] };
  const images = await docker.listImages({ filters }).catch(failedAt('listing images'));
  const own = all.filter(({ Labels: labels }) => labels?.[containerLabel] === real);
  const going = new Set(own.filter(({ State: state }) => isForced || !atWork.has(state)));
  const around = { own: imageNameOf(real), staying: all.filter((each) => !going.has(each)) };
  return [
    ...own.map((each) => ofContainer(docker, each, going.has(each))),
    ...imagesSchema.parse(images).map((each) => ofImage(docker, each, around)),
  ];
}

function ofContainer(docker: Engine['docker'], container: Container, goes: boolean): Leftover {
  return {
    kind: 'container',
    name: nameOf(container),
    state: container.State,
    keptBecause: goes ? null : `it is ${container.State}; --force ends it`,
    remove: () => removeContainer(docker.getContainer(container.Id)).then(() => null),
  };
}

type Around = { readonly own: string; readonly staying: readonly Container[] };

function ofImage(docker: Engine['docker'], image: Image, { own, staying }: Around): Leftover {
  const { Id: id, RepoTags: tags, Size: bytes } = image;
  const names = (tags ?? []).filter((name) => name !== '<none>:<none>');
  // Podman puts a registry's name before ours.
  const given = names.find((name) => name === own || name.endsWith(`/${own}`));
  const user = staying.find(({ ImageID }) => ImageID === id);
  const inUse = user ? `the container ${nameOf(user)} uses it` : null;
  return {
    kind: 'image',
    name: given ?? names[0] ?? `${id.replace('sha256:', '').slice(0, 12)} (an older build)`,
    state: `${(bytes / 1e6).toFixed(1)} MB`,
    keptBecause: given === undefined && names.length > 0 ? 'somebody made or named it' : inUse,
    remove: () => removeImage(docker, given ?? id),
  };
}

function nameOf({ Id: id, Names: [name] }: Container): string {
  return name?.replace(/^\//, '') ?? id.slice(0, 12);
}

/** What another container is made from stays; what is gone already is what was wanted. */
async function removeImage(docker: Engine['docker'], name: string): Promise<string | null> {
  try {
    await docker.getImage(name).remove();
    return null;
  } catch (error) {
    if (isNotFound(error)) return null;
    const refusal = refusalOf(error);
    if (refusal?.status === 409) return refusal.said;
    throw engineFault('removing an image', error);
  }
}
