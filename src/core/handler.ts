/** What the functions of a problem are handed when the run calls them, and what they give back. */
import type { Io } from './io.ts';
import type { JsonObject } from './json.ts';

/** One settled tool call of this run, as later handlers may look back on it. */
export type PreviousToolCall = {
  readonly tool: string;
  readonly args: JsonObject;
  readonly stage: string;
  readonly result: ToolResult;
};

/** What a function of a problem gets. Its calls on `io` belong to the one effect it runs in. */
export type EffectContext = {
  readonly io: Io;
  readonly runId: string;
  /** The stage that was open when the effect was asked for; empty for a problem without stages. */
  readonly stage: string;
  /** Settled tool calls in journal order: the only memory that it has. */
  readonly past: readonly PreviousToolCall[];
  readonly signal: AbortSignal;
};

/** What a tool came to. */
export type ToolResult = {
  /** What the model reads. */
  readonly text: string;
  /** A failure that is the model's to deal with: bad arguments, a crash of its code. */
  readonly isError?: boolean;
  /** What programs read: verdicts, exit status, counts. It stands in the journal, never in a prompt. */
  readonly data?: JsonObject;
  /** This call ended the open stage. */
  readonly advance?: StageAdvance;
};

/**
 * `to` is null when the last stage is done. `statement` is what the solver must know of the new stage. `isUnjudged`: the
 * answer to the stage that ends was taken, and nobody can say whether it is right.
 */
export type StageAdvance = {
  readonly to: string | null;
  readonly statement: string;
  readonly isUnjudged?: true;
};

/** Running a candidate on cases of the problem's own. */
export type Evaluation = { readonly score: number | null; readonly data: JsonObject };
