/** One tool call: is there such a tool, do the arguments fit, and what to do when an earlier life may have made it. */
import { z } from 'zod';
import type { Json } from '../core/json.ts';
import type { EffectContext, Tool, ToolResult } from '../core/problem.ts';

export type PreparedToolCall = {
  /** Whether a repetition changes nothing outside. */
  readonly isSafe: boolean;
  handle(context: EffectContext, isRepeat: boolean): Promise<ToolResult>;
};

/** A call that cannot be made is prepared too: it counts, and the model reads why. */
export function prepareToolCall(tools: readonly Tool[], name: string, args: Json): PreparedToolCall {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) {
    const known = tools.map((candidate) => candidate.name).join(', ');
    return rejected(`There is no tool ${name}. The tools are: ${known}.`);
  }
  // What a model wrote and nobody could parse arrives as its text.
  if (typeof args === 'string') return rejected(noObject(name, args));
  const parsed = tool.parameters.safeParse(args);
  if (!parsed.success) {
    return rejected(`The arguments of ${name} do not fit: ${z.prettifyError(parsed.error)}`);
  }
  const { repeat } = tool;
  return {
    isSafe: repeat === 'safe',
    handle: async (context, isRepeat) => {
      const found = isRepeat && repeat !== 'safe' ? await repeat.reconcile(parsed.data, context) : null;
      return found ?? tool.call(parsed.data, context);
    },
  };
}

const shownCharacters = 300;

function noObject(name: string, written: string): string {
  const shown = written.length > shownCharacters ? `${written.slice(0, shownCharacters)}…` : written;
  return `The arguments of ${name} are no JSON object: ${whyNoObject(written)}; you wrote: ${shown}`;
}

function whyNoObject(written: string): string {
  try {
    JSON.parse(written);
    return 'they are JSON of another type';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function rejected(text: string): PreparedToolCall {
  const result: ToolResult = { text, isError: true, data: { rejected: true } };
  return { isSafe: true, handle: async () => result };
}
