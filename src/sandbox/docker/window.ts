/**
 * Keeps a container's terminal as large as the window it is shown in. Sizes are told one after the other, and each is read
 * when it is told: one that had to be told again must never be heard after a newer one.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export type Size = { readonly rows: number; readonly columns: number };

export type Window = {
  readonly size: () => Size;
  /** Calls back when the window changes, until what it returns is called. */
  readonly onResize: (listener: () => void) => () => void;
};

const attempts = 30;
const againMs = 20;

/** `tell` throws where nobody takes the size yet. Ends when what is returned is called. */
export function followWindow({ size, onResize }: Window, tell: (size: Size) => Promise<void>): () => void {
  let isOver = false;
  const tellSize = async () => {
    // A container that has only just begun may have no terminal yet; one that has just ended has none any more.
    for (let attempt = 1; attempt <= attempts && !isOver; attempt++) {
      const isTold = await tell(size()).then(
        () => true,
        () => false,
      );
      if (isTold) return;
      await sleep(attempt * againMs);
    }
  };
  let telling = tellSize();
  const release = onResize(() => {
    telling = telling.then(tellSize);
  });
  return () => {
    isOver = true;
    release();
  };
}
