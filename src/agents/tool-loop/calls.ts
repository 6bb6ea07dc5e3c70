/**
 * Where the tool loop finds calls: those that arrived over the wire, or, for servers without a parser for tool calls, the
 * one that the model wrote into its text. It carries nothing out.
 */
import type { Json } from '../../core/json.ts';
import { isCutOff, type ModelSuccess, type ToolDefinition, textOf, toolCallsOf } from '../../core/model.ts';
import type { Miss } from '../../notes/tool-loop.ts';
import { holdsWrittenCall, writtenCallsIn } from '../../text/written-calls.ts';

/** `args`: what the model wrote, where it cannot be read. `id`: null for a call in text. */
export type LoopCall = { readonly id: string | null; readonly name: string; readonly args: Json };

export type FoundCalls =
  | { readonly calls: readonly LoopCall[]; readonly miss?: undefined }
  | { readonly calls: null; readonly miss: Miss };

const missed = (reason: Miss['reason'], why?: string): FoundCalls => ({ calls: null, miss: { reason, why } });

/** Those of a reply that was cut off are returned, too: the caller answers each, and carries none out. */
export function callsOnWire(reply: ModelSuccess): FoundCalls {
  const calls = toolCallsOf(reply.message).map(({ id, name, args, raw }) => {
    return { id, name, args: args ?? raw ?? null };
  });
  return calls.length > 0 ? { calls } : missed('none');
}

/** One call, which is to be the only one of its reply. */
export function callInText(reply: ModelSuccess): FoundCalls {
  if (isCutOff(reply)) return missed('cut');
  const [call, ...others] = writtenCallsIn(textOf(reply.message));
  if (!call) return missed('none');
  if (others.length > 0) return missed('several');
  if (call.args === null || call.name === '') return missed('broken', 'it is no complete JSON object');
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
