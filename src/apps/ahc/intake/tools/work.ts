/** What bringing the official tools of a contest is about, and the crate as it lies in the workspace. */
import type { ContestFile } from '../../../../families/ahc/contest.ts';
import { layout } from '../../../../families/ahc/layout.ts';
import type { Keeper } from '../keeper.ts';
import type { TaskPage } from '../page.ts';
import type { IntakeParts } from '../parts.ts';
import type { ContestSource } from '../source.ts';

export type ToolsWork = {
  readonly keeper: Keeper;
  readonly source: ContestSource;
  readonly page: TaskPage;
  readonly parts: IntakeParts;
  /** What an earlier `polya ahc init` found. */
  readonly known: ContestFile['tools'];
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
};

/** Its sources; null where there is no crate yet. Inputs and builds are no part of them. */
export async function cratePlaced({ folder }: Keeper): Promise<Record<string, Uint8Array> | null> {
  const names = (await folder.files(layout.crate)).filter((name) => !/^(in|out|target)\//.test(name));
  if (!names.includes('Cargo.toml')) return null;
  const files: Record<string, Uint8Array> = {};
  for (const name of names)
    files[name] = (await folder.readBytes(`${layout.crate}/${name}`)) ?? new Uint8Array();
  return files;
}
