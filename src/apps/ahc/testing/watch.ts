/** Does something whenever files are saved, until Ctrl-C. Editors replace files, so what counts is what stands in them. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Shell } from '../../../cli/contract.ts';
import { exitCodes } from '../../../core/errors.ts';

const lookEveryMs = 300;

/**
 * `work` is done once at once, and again after each change; a change while it works breaks it off. `filesOf` is asked
 * after each time, because what a program includes may change with it.
 */
export async function onEverySave(
  shell: Shell,
  filesOf: () => readonly string[],
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<number> {
  const leaving = new AbortController();
  const release = shell.onInterrupt(() => leaving.abort());
  try {
    while (!leaving.signal.aborted) {
      const files = filesOf();
      const before = stateOf(files);
      const changed = new AbortController();
      const either = AbortSignal.any([leaving.signal, changed.signal]);
      const watching = untilChanged(files, before, either).then((hasChanged) => {
        if (hasChanged) changed.abort();
      });
      await work(either);
      if (!either.aborted) shell.err.write('Waiting for the next save; Ctrl-C ends it.\n');
      await watching;
    }
    return exitCodes.ok;
  } finally {
    release();
  }
}

/** False where it was broken off. */
async function untilChanged(files: readonly string[], before: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted && stateOf(files) !== before) return true;
  }
  return false;
}

function stateOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(contentOf(file));
  return hash.digest('hex');
}

/** Between the old file and the new one there may be none for a moment; and a pipe would be waited for. */
function contentOf(file: string): Uint8Array {
  try {
    return statSync(file).isFile() ? readFileSync(file) : new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}
