/**
 * Removes containers of dead owners from an engine. Those of a Polya that was killed have ended by themselves, with
 * their stdin; what is removed here are the remains that the engine keeps of them.
 */
import { z } from 'zod';
import type { Removed } from '../../core/sandbox.ts';
import { removeContainer } from './container.ts';
import { isForsaken, ownerLabel } from './container-options.ts';
import type { Engine } from './engine.ts';
import { engineFault } from './faults.ts';

const containerSchema = z.object({
  Id: z.string(),
  Names: z.array(z.string()).min(1),
  State: z.string(),
  Created: z.number(),
  Labels: z.record(z.string(), z.string()).nullable(),
});

export type ForsakenContainer = Removed & { remove(): Promise<boolean> };

export async function findForsaken({ docker, version }: Engine): Promise<readonly ForsakenContainer[]> {
  const filters = { label: [ownerLabel] };
  const listed = await docker.listContainers({ all: true, filters }).catch((error) => {
    throw engineFault('listing containers', error);
  });
  return z
    .array(containerSchema)
    .parse(listed)
    .filter(({ State: state, Created: seconds, Labels: labels }) =>
      isForsaken({ labels: labels ?? {}, state, createdMs: seconds * 1000 }, Date.now()),
    )
    .map(({ Id: id, Names: names }) => ({
      kind: 'container',
      name: `${names[0]?.replace(/^\//, '')} of ${version}`,
      remove: () => removeContainer(docker.getContainer(id)).then(() => true),
    }));
}

export async function removeForsaken(engine: Engine): Promise<readonly Removed[]> {
  const removed: Removed[] = [];
  for (const { kind, name, remove } of await findForsaken(engine)) {
    await remove();
    removed.push({ kind, name });
  }
  return removed;
}
