/** What is to be known of a session to write its files, and stands in no journal of it. Pure types. */
import type { JsonObject } from '../../../core/json.ts';
import type { Scoring } from './names.ts';

/** What a journal does not say of its session. */
export type SessionFacts = {
  readonly id: string;
  readonly name: string;
  readonly contest: string;
  readonly createdAtMs: number;
  readonly scoring: Scoring;
  readonly direction: 'maximise' | 'minimise';
  /** `workspace/ahc030`: what stands before every path; and where that is. */
  readonly workspacePath: string;
  readonly base: string;
  /** Relative to the workspace, or absolute where it lies elsewhere. */
  readonly problemFile: string;
  /** What held when it was begun, with what was changed since. */
  readonly configuration: JsonObject;
  readonly runs: readonly string[];
};
