/**
 * Commands name places as they are inside a cell: `/scratch/program`, `/tmp/main`, `/run/polya/…`. Without isolation
 * there is no inside, and each stands for a place of the host. Pure.
 */
import { posix } from 'node:path';
import type { Mount } from '../backend.ts';
import { boxFolder, outputFolder, relayInside, scratchFolder } from '../layout.ts';

export type Places = (argument: string) => string;

/** What an argument holds of these paths is replaced wherever a path can begin in it: `-out:/tmp/x`, `-I/tmp`. */
export function places(folder: string, relay: string, mounts: readonly Mount[]): Places {
  const pairs: readonly (readonly [string, string])[] = [
    [relayInside, relay],
    ...mounts.map(({ source, target }) => [target, source] as const),
    [scratchFolder, folder],
    ['/box', posix.join(folder, boxFolder)],
    ['/tmp', posix.join(folder, outputFolder)],
  ];
  const known = new Map(pairs);
  // Longer ones first: a mount may lie below another.
  const names = [...known.keys()].sort((one, other) => other.length - one.length).map(escaped);
  const pattern = new RegExp(`(?:(?<![\\w./-])|(?<=^-[A-Z]))(?:${names.join('|')})(?![\\w.-])`, 'g');
  return (argument) => argument.replaceAll(pattern, (path) => known.get(path) ?? path);
}

function escaped(path: string): string {
  return path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
