/** A tool that looks something up: it changes nothing, and what it reads is read when it is first asked for. */
import type { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import type { Tool, ToolResult } from '../../core/problem.ts';

export type ReadingTool<Source, Args extends JsonObject> = {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType<Args>;
  call(source: Source, args: Args): ToolResult;
};

export function readingTool<Source, Args extends JsonObject>(
  read: () => Promise<Source>,
  { name, description, parameters, call }: ReadingTool<Source, Args>,
): Tool {
  return {
    name,
    description,
    parameters,
    repeat: 'safe',
    call: async (args) => call(await read(), parameters.parse(args)),
  };
}
