/**
 * A tool that looks something up: it changes nothing, and what it reads is read when it is first asked for. An error that
 * tells its reader what to do, such as a wrong name, is the model's to correct.
 */
import type { z } from 'zod';
import { ExplainedError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';

import type { EffectContext, Tool, ToolResult } from '../../core/problem.ts';

export function readingTool<Source, Args extends JsonObject>(
  read: (context: EffectContext) => Promise<Source>,
  {
    call,
    ...tool
  }: Pick<Tool, 'name' | 'description'> & {
    readonly parameters: z.ZodType<Args>;
    call(source: Source, args: Args): ToolResult | Promise<ToolResult>;
  },
): Tool {
  return {
    ...tool,
    repeat: 'safe',
    async call(json, context) {
      const args = tool.parameters.parse(json);
      const source = await read(context);
      try {
        return await call(source, args);
      } catch (error) {
        if (error instanceof ExplainedError) return { text: error.message, isError: true };
        throw error;
      }
    },
  };
}
