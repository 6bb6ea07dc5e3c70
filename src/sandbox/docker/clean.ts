/**
 * Removes containers of dead owners from an engine. Those of a Polya that was killed have ended by themselves, with
 * their stdin; what is removed here are the remains that the engine keeps of them.
 */
import { z } from 'zod';
import type { Removed } from '../../core/sandbox.ts';
import { removeContainer } from './container.ts';
import type { Engine } from './engine.ts';
import { engineFault } from './faults.ts';
import { isForsaken, ownerLabel } from './owner-labels.ts';

const listSchema = z.array(
  z.object({
    Id: z.string(),
    Names: z.array(z.string()).min(1),
    State: z.string(),
    Created: z.number(),
    Labels: z.record(z.string(), z.string()).nullable(),
  }),
);

export async function removeForsaken({ docker, version }: Engine): Promise<readonly Removed[]> {
  const filters = { label: [ownerLabel] };
  const listed = await docker.listContainers({ all: true, filters }).catch((error) => {
    throw engineFault('listing containers', error);
  });
  const removed: Removed[] = [];
  for (const { Id: id, Names: names, State: state, Created: seconds, Labels: labels } of listSchema.parse(
    listed,
  )) {
    if (!isForsaken({ labels: labels ?? {}, state, createdMs: seconds * 1000 }, Date.now())) continue;
    await removeContainer(docker.getContainer(id));
    removed.push({ kind: 'container', name: `${names[0]?.replace(/^\//, '')} of ${version}` });
  }
  return removed;
}
