/** What the four tools share: what they are made with, typed arguments, and the refusal of other puzzles. */
import type { z } from 'zod';
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { EffectContext, ProblemSpec, Tool, ToolResult } from '../../core/problem.ts';
import type { AocClient } from './client.ts';
import { createClient } from './clients.ts';
import type { AocReference, AocSettings } from './sites.ts';

export const stages = ['part1', 'part2'] as const;

export type Puzzle = {
  readonly spec: ProblemSpec;
  readonly reference: AocReference;
  readonly settings: AocSettings;
};

/** The last day of an event has one; so have files that hold no more. */
export function hasOnePart({ spec }: Puzzle): boolean {
  return spec.stages.length === 1;
}

export function clientOf({ settings, reference }: Puzzle, { io, signal }: EffectContext): AocClient {
  return createClient(settings, reference, { io, signal });
}

/** A tool whose functions get their arguments in the schema's own type. */
export function defineTool<Args extends JsonObject>(tool: {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType<Args>;
  call(args: Args, context: EffectContext): Promise<ToolResult>;
  /** Absent: the tool may be called again at will. */
  reconcile?(args: Args, context: EffectContext): Promise<ToolResult | null>;
}): Tool {
  const { name, description, parameters, call, reconcile } = tool;
  return {
    name,
    description,
    parameters,
    repeat: reconcile
      ? { reconcile: (args, context) => resumable(() => reconcile(parameters.parse(args), context)) }
      : 'safe',
    call: (args, context) => resumable(() => call(parameters.parse(args), context)),
  };
}

/** A cookie or a file that has gone missing in the middle of a run ends it as something to be resumed. */
async function resumable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UserError ? new UnavailableError(error.explanation) : error;
  }
}

/** An error that is the model's to mend. */
export function mistake(text: string, data: JsonObject): ToolResult {
  return { text, isError: true, data };
}

/** A run is about one day; asking for another one is a mistake. */
export function otherPuzzle({ reference }: Puzzle, asked: { year: number; day: number }): ToolResult | null {
  if (asked.year === reference.year && asked.day === reference.day) return null;
  return mistake(
    `This run is about year ${reference.year}, day ${reference.day}; year ${asked.year}, day ${asked.day} is not available.`,
    { mistake: 'other-puzzle' },
  );
}
