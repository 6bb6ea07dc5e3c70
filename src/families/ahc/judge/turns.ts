/**
 * Leave to keep a processor busy, where several evaluations share them: asked for before a program is compiled and before
 * each case, given back when it has ended.
 */
import type { BatchRequest, BatchResult, Case, OnCase, Sandbox } from '../../../core/sandbox.ts';

export type Turns = {
  /** False where it is not wanted any more. */
  take(signal: AbortSignal): Promise<boolean>;
  give(): void;
};

type Turn = { readonly turns: Turns | undefined; readonly signal: AbortSignal };

export async function inTurn<T>({ turns, signal }: Turn, work: () => Promise<T>): Promise<T> {
  if (!turns) return work();
  if (!(await turns.take(signal))) throw signal.reason;
  try {
    return await work();
  } finally {
    turns.give();
  }
}

/** A batch whose cases begin when there is a turn for them: none waits in a cell while another's could run. */
export async function batchInTurns(
  sandbox: Sandbox,
  request: BatchRequest,
  { turns, signal, onCase }: Turn & { readonly onCase: OnCase },
): Promise<BatchResult> {
  if (!turns) return sandbox.batch(request, onCase, signal);
  let held = 0;
  const give = () => {
    held -= 1;
    turns.give();
  };
  const admitted = async function* (): AsyncGenerator<Case> {
    for await (const each of request.cases) {
      if (!(await turns.take(signal))) return;
      held += 1;
      yield each;
    }
  };
  try {
    const inTurns = { ...request, cases: admitted(), casesAhead: 1 as const };
    return await sandbox.batch(
      inTurns,
      (result) => {
        give();
        return onCase(result);
      },
      signal,
    );
  } finally {
    while (held > 0) give();
  }
}
