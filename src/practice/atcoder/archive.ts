/** The tools of a contest as the zip that its page links: everything below `tools/`, the same bytes each time. */
import { createHash } from 'node:crypto';
import { type Zippable, zipSync } from 'fflate';
import { filesOf, type PracticeContest } from './contest.ts';

/** When every file of the zip was changed, for its bytes not to depend on the day. */
const changed = new Date('2026-01-01T00:00:00');

export type ToolsArchive = { readonly bytes: Uint8Array; readonly hash: string };

export function toolsArchive(contest: PracticeContest): ToolsArchive {
  const files: Zippable = {};
  for (const [path, bytes] of Object.entries(filesOf(contest, 'tools'))) {
    files[`tools/${path}`] = [bytes, { mtime: changed }];
  }
  return archiveOf(files);
}

/** The one for Windows holds programs; whoever takes it by mistake finds no sources in it. */
export function windowsArchive(): ToolsArchive {
  const text = new TextEncoder().encode('This stands for programs built for Windows.\n');
  return archiveOf({ 'tools/vis.exe.txt': [text, { mtime: changed }] });
}

function archiveOf(files: Zippable): ToolsArchive {
  const bytes = zipSync(files, { level: 6 });
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 10) };
}
