/** A text put into its user's editor; where none is named, into a file that is read back when its user says so. */
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../index.ts';
import { writeFiles } from '../../safe-write.ts';
import type { Shell } from '../../shell.ts';
import type { Lines } from './lines.ts';

export type Editing = {
  readonly shell: Shell;
  readonly lines: Lines;
  readonly path: string;
  readonly text: string;
  readonly signal: AbortSignal;
};

/** Null where nothing was changed, or nobody came back. */
export async function edited({ shell, lines, path, text, signal }: Editing): Promise<string | null> {
  makeFolder(dirname(path));
  writeFiles([{ path, text }], { force: true });
  const editor = shell.env.VISUAL || shell.env.EDITOR;
  if (editor) {
    // As git does: it may have arguments of its own.
    const code = await lines.lend(() => shell.spawn(['sh', '-c', `${editor} "$1"`, 'sh', path]));
    if (code !== 0) {
      shell.err.write(`The editor ended with ${code ?? 'an error'}; nothing is changed.\n`);
      return null;
    }
  } else {
    shell.out.write(`Neither VISUAL nor EDITOR is set. Edit ${path}, then press Enter here.\n`);
    while (lines.next === null && !lines.isOver && !signal.aborted) await lines.wait(1_000, signal);
    if (lines.take() === null) return null;
  }
  const now = readFileSync(path, 'utf8');
  rmSync(path, { force: true });
  return now === text ? null : now;
}
