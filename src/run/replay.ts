/** Runs an agent over its journal without permission to do anything new: free, offline, the same outcome. */
import type { RunEnd } from '../core/event.ts';
import { JournalEncoder } from '../core/journal-encoder.ts';
import { JournalEnds } from './engine.ts';
import { type Ending, execute } from './execute.ts';
import { hashText } from './hash.ts';
import { loadHistory } from './load.ts';
import { assertValidSettings } from './start.ts';
import { type Observer, type Runtime, reportChangedCode } from './world.ts';

export type Replay =
  /** `isSame`: the replay came to the very end that the journal holds. */
  | {
      readonly complete: true;
      readonly ending: Ending;
      readonly journaled: RunEnd | null;
      readonly isSame: boolean;
    }
  /** The journal has no end; so far it fits. */
  | { readonly complete: false; readonly at: string };

/** Throws `DivergenceError` where agent and journal do not fit. Reads the store alone: no file, no site, no model. */
export async function replayRun(
  runtime: Runtime,
  runId: string,
  observer: Pick<Observer, 'onNotice'> = {},
): Promise<Replay> {
  const { history, header } = await loadHistory(runtime.store, runId);
  const family = await runtime.family(header.problem.family, header.code);
  const problem = family.open(header.problem);
  const agent = await runtime.agent(header.agent.name, header.code);
  reportChangedCode(runtime, header, { agent, family, models: new Map() }, observer);
  assertValidSettings(agent, header);
  const encoder = new JournalEncoder(hashText, runtime.redact, { links: history.links });
  try {
    const ending = await execute({
      world: runtime,
      header,
      history,
      encoder,
      writer: null,
      agent,
      problem,
      models: new Map(),
      observer: {},
      aliveMs: () => history.aliveMs,
    });
    return { complete: true, ending, journaled: history.end, isSame: isSame(encoder, ending, history.end) };
  } catch (error) {
    if (error instanceof JournalEnds) return { complete: false, at: error.message };
    throw error;
  }
}

/** All but the time it took, and a stack, which names lines of the program and not of the run. */
function isSame(encoder: JournalEncoder, ending: Ending, runEnd: RunEnd | null): boolean {
  const textOf = ({ outcome, solution, grade, limit, error }: Ending) =>
    encoder.fingerprint('run-end', { outcome, solution, grade, limit, error: error?.message });
  return runEnd !== null && textOf(ending) === textOf(runEnd);
}
