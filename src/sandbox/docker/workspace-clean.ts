/**
 * Removes what was made for one folder: its containers, known by a label that only they have, and its images. Images that
 * were made from one of ours inherit its label: so an image goes only by the name that we gave it, or where it has none.
 */
import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { removeContainer } from './container.ts';
import type { Engine } from './engine.ts';
import { engineFault, isNotFound, refusalOf } from './faults.ts';
import { folderLabel, imageNameOf } from './workspace-image.ts';
import { containerLabel } from './workspace-shell.ts';

export type Leftover = {
  readonly kind: 'container' | 'image';
  /** As people know it. */
  readonly name: string;
  /** `running`, `exited` …; of an image its size. */
  readonly state: string;
  /** Why it stays; null: it goes. */
  readonly keptBecause: string | null;
  /** Null where it was removed, else why not. */
  remove(): Promise<string | null>;
};

const containersSchema = z.array(
  z.object({
    Id: z.string(),
    Names: z.array(z.string()),
    State: z.string(),
    ImageID: z.string(),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
);
const imagesSchema = z.array(
  z.object({ Id: z.string(), RepoTags: z.array(z.string()).nullish(), Size: z.number() }),
);
type Container = z.infer<typeof containersSchema>[number];
type Image = z.infer<typeof imagesSchema>[number];

export type CleanWishes = {
  /** Also what is still at work. */
  readonly isForced: boolean;
};

/** One that is paused holds what somebody means to go on with. */
const atWork: ReadonlySet<string> = new Set(['running', 'paused', 'restarting']);

/** Containers first: an image in use cannot go. */
export async function leftoversOf(
  { docker }: Engine,
  folder: string,
  wishes: CleanWishes,
): Promise<readonly Leftover[]> {
  const real = await realpath(folder);
  const containers = containersSchema.parse(
    await docker.listContainers({ all: true }).catch((error) => {
      throw engineFault('listing containers', error);
    }),
  );
  const filters = { label: [`${folderLabel}=${real}`] };
  const images = await docker.listImages({ filters }).catch((error) => {
    throw engineFault('listing images', error);
  });
  const goes = (each: Container) => isOf(each, real) && (!atWork.has(each.State) || wishes.isForced);
  const staying = containers.filter((each) => !goes(each));
  return [
    ...containers.filter((each) => isOf(each, real)).map((each) => ofContainer(docker, each, goes(each))),
    ...imagesSchema.parse(images).map((each) => ofImage(docker, each, { own: imageNameOf(real), staying })),
  ];
}

function isOf({ Labels: labels }: Container, folder: string): boolean {
  return labels?.[containerLabel] === folder;
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
  const isOurs = given !== undefined;
  const user = staying.find(({ ImageID }) => ImageID === id);
  const isElses = !isOurs && names.length > 0;
  return {
    kind: 'image',
    name: given ?? names[0] ?? `${id.replace('sha256:', '').slice(0, 12)} (an older build)`,
    state: `${(bytes / 1e6).toFixed(1)} MB`,
    keptBecause: isElses
      ? 'somebody made or named it'
      : user === undefined
        ? null
        : `the container ${nameOf(user)} uses it`,
    remove: () => removeImage(docker, given ?? id),
  };
}

function nameOf({ Id: id, Names: [name] }: Container): string {
  return name?.replace(/^\//, '') ?? id.slice(0, 12);
}

/** What somebody else's container stands on stays; what is gone already is what was wanted. */
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
