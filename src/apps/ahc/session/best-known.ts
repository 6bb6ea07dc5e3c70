/** The best scores that a session has seen on other hosts, added to the records of its workspace: those hosts have no copy of it. */
import type { Direction } from '../../../core/program.ts';
import { findInputs } from '../../../families/ahc/cases.ts';
import { inputHash } from '../../../families/ahc/judge/evaluate.ts';
import { addToBest, betterScore } from '../../../families/ahc/records/best.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { hashText } from '../../../run/hash.ts';
import type { SessionState } from './fold.ts';

export async function recordBestScores(
  { folder, id }: Pick<Workspace, 'folder' | 'id'>,
  { candidates }: SessionState,
  direction: Direction,
): Promise<void> {
  const best = new Map<string, number | null>();
  for (const { note, more } of candidates)
    for (const { evaluation } of [note, ...more])
      for (const { name, score } of evaluation?.cases ?? [])
        best.set(name, betterScore(direction, best.get(name) ?? null, score));
  if (best.size === 0) return;
  const { names, made, read } = await findInputs(folder, id);
  const known = [...names, ...made].filter((name) => best.has(name));
  const cases = known.map(async (name) => {
    return { name, inputHash: inputHash(hashText, await read(name)), score: best.get(name) ?? null };
  });
  await addToBest(folder, direction, await Promise.all(cases));
}
