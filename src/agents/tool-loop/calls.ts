/**
 * Where the tool loop finds calls: those that arrived over the wire, or, for servers without a parser for tool calls, the
 * one that the model wrote into its text. It carries nothing out.
 */
import { cutFeedback } from '../../core/cut-off.ts';
import type { Json } from '../../core/json.ts';
import { type ModelSuccess, type ToolDefinition, textOf, toolCallsOf } from '../../core/model.ts';
import { holdsWrittenCall, writtenCallsIn } from '../../text/written-calls.ts';

/** `args`: what the model wrote, where it cannot be read. `id`: null for a call in text. */
export type LoopCall = { readonly id: string | null; readonly name: string; readonly args: Json };

/** `problem`: why there is none; `none`, `several` and `broken` name prompts. */
export type FoundCalls =
  | { readonly calls: readonly LoopCall[] }
  | { readonly calls: null; readonly problem: 'none' | 'several' | 'broken' | 'cut' };

/** Calls of a reply that was cut off are returned with their arguments as text, so that none is carried out. */
export function callsOnWire(reply: ModelSuccess): FoundCalls {
  const isCut = cutFeedback(reply) !== null;
  const calls = toolCallsOf(reply.message).map(({ id, name, args, raw }) => ({
    id,
    name,
    args: isCut ? (raw ?? JSON.stringify(args)) : (args ?? raw ?? null),
  }));
  if (calls.length > 0) return { calls };
  return { calls: null, problem: isCut ? 'cut' : 'none' };
}

/** One call, which is to be the only one of its reply. */
export function callInText(reply: ModelSuccess): FoundCalls {
  if (cutFeedback(reply) !== null) return { calls: null, problem: 'cut' };
  const [call, ...others] = writtenCallsIn(textOf(reply.message));
  if (!call) return { calls: null, problem: 'none' };
  if (others.length > 0) return { calls: null, problem: 'several' };
  if (call.args === null || call.name === '') return { calls: null, problem: 'broken' };
  return { calls: [{ id: null, name: call.name, args: call.args }] };
}

/** Whether a reply without calls holds one in words, which the server should have read. */
export function isCallInWords(reply: ModelSuccess, tools: readonly ToolDefinition[]): boolean {
  return holdsWrittenCall(
    textOf(reply.message),
    tools.map(({ name }) => name),
  );
}

/** The tools in words, for the instructions of a model that calls them in its text. */
export function describeTools(tools: readonly ToolDefinition[]): string {
  return tools
    .map(({ name, description, parameters }) => {
      return `### ${name}\n${description}\nArguments, as a JSON schema: ${JSON.stringify(parameters)}`;
    })
    .join('\n\n');
}
