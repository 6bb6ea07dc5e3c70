/** A text put into its user's editor; where none is named, into a file that is read back when its user says so. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Shell } from '../../../cli/contract.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { makeFolder } from '../../../io/make-folder.ts';
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
  return readBack({ shell, path, text });
}

/** Emptied means given up, as in other programs that open an editor. What is no text stays where it is, to be looked at. */
function readBack({ shell, path, text }: Pick<Editing, 'shell' | 'path' | 'text'>): string | null {
  const bytes = contentOf(path);
  if (bytes === null) {
    shell.err.write(`${path} is gone, or cannot be read; nothing is changed.\n`);
    return null;
  }
  const now = bytes.toString('utf8');
  if (!isUtf8(bytes) || now.includes('\0')) {
    shell.err.write(`${path} is no text any more; nothing is changed.\n`);
    return null;
  }
  if (now.trim() === '') shell.err.write('The file was empty; nothing is changed.\n');
  rmSync(path, { force: true });
  return now === text || now.trim() === '' ? null : now;
}

function contentOf(path: string): Buffer | null {
  try {
    return statSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}
