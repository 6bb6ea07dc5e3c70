/**
 * Where the tool loop finds calls: those that arrived over the wire, or, for servers without a parser for tool calls, the
 * one that the model wrote into its text. It carries nothing out.
 */
import { z } from 'zod';
import type { Json, JsonObject } from '../../core/json.ts';
import { isCutOff, type ModelSuccess, type ToolDefinition, textOf, toolCallsOf } from '../../core/model.ts';
import type { Tool } from '../../core/problem.ts';
import type { MissedCall } from '../../notes/tool-loop.ts';
import { codeBlocks } from '../../text/code-blocks.ts';
import { withoutThoughts } from '../../text/model-json.ts';
import { findTool, type KnownTool, knownTool } from '../../text/tool-names.ts';
import { containsWrittenCall, parseWrittenCalls } from '../../text/written-calls.ts';

/** `args`: what the model wrote, where it cannot be read. `id`: null for a call in text. */
export type LoopCall = {
  readonly id: string | null;
  readonly name: string;
  /** The tool that the name means; the name, where it means none. */
  readonly tool: string;
  readonly args: Json;
  /** It stood in its reply as a block of code alone. */
  readonly isBlock?: true;
};

export type FoundCalls =
  | { readonly calls: readonly LoopCall[]; readonly duplicates?: number; readonly miss?: undefined }
  | { readonly calls: null; readonly miss: MissedCall };

const missed = (reason: MissedCall['reason'], why?: string): FoundCalls => ({
  calls: null,
  miss: { reason, why },
});

/** Those of a reply that was cut off are returned, too: the caller answers each, and carries none out. */
export function callsOnWire(reply: ModelSuccess, tools: readonly Tool[]): FoundCalls {
  const calls = toolCallsOf(reply.message).map(({ id, name, args, raw }) => {
    const tool = findTool(tools, name);
    const read = args && tool ? withProgram(args, tool, textOf(reply.message)) : args;
    return { id, name, tool: tool?.name ?? name, args: read ?? raw ?? null };
  });
  return calls.length > 0 ? { calls } : missed('none');
}

/** One call, which is to be the only one of its reply; the same one several times is one. */
export function callInText(reply: ModelSuccess, tools: readonly Tool[]): FoundCalls {
  if (isCutOff(reply)) return missed('cut');
  const text = textOf(reply.message);
  const written = parseWrittenCalls(text, describeParameters(tools));
  const [call, ...others] = written.map(({ name, args, why }) => {
    const tool = findTool(tools, name);
    return {
      id: null,
      name: tool?.name ?? name,
      tool: tool?.name ?? name,
      args: args && tool ? withProgram(args, tool, text) : args,
      why,
    };
  });
  if (!call) return blockAsCall(text, tools);
  const form = JSON.stringify(call);
  if (others.some((other) => JSON.stringify(other) !== form)) return missed('several');
  const { why = 'it is no complete JSON object', args } = call;
  if (args === null || call.name === '') return missed('broken', why);
  return { calls: [{ ...call, args }], duplicates: others.length };
}

/** A call that runs a program and has none means the one block of code beside it. */
function withProgram(args: JsonObject, { program }: Tool, text: string): JsonObject {
  if (!program || !isBlank(args[program.parameter])) return args;
  const [block, ...others] = codeBlocks(withoutThoughts(text)).filter((each) =>
    program.accepts(each.language),
  );
  return block?.isClosed && others.length === 0 ? { ...args, [program.parameter]: block.code } : args;
}

const isBlank = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A reply without a call whose only block of code is a program means that it is to be run. */
function blockAsCall(text: string, tools: readonly Tool[]): FoundCalls {
  const blocks = codeBlocks(withoutThoughts(text)).filter(({ code }) => code.trim() !== '');
  const [runner, ...others] = tools.filter(({ program }) =>
    blocks.some(({ language }) => program?.accepts(language)),
  );
  const [block] = blocks;
  if (!runner?.program || others.length > 0 || !block) return missed('none');
  const { name, program } = runner;
  if (blocks.length > 1)
    return missed('broken', `it is none of the ${blocks.length} blocks of code, of which one would be run`);
  if (!block.isClosed) return missed('broken', 'the block of code does not end');
  return {
    calls: [{ id: null, name, tool: name, args: { [program.parameter]: block.code }, isBlock: true }],
  };
}

function describeParameters(tools: readonly Tool[]): readonly KnownTool[] {
  return definitionsOf(tools).map(knownTool);
}

export function definitionsOf(tools: readonly Tool[]): ToolDefinition[] {
  return tools.map(({ name, description, parameters, shown }) => ({
    name,
    description,
    parameters: shown ?? (z.toJSONSchema(parameters) as ToolDefinition['parameters']),
  }));
}

/** Whether a reply without calls holds one in words, which the server should have read. */
export function isCallInWords(reply: ModelSuccess, tools: readonly Tool[]): boolean {
  return containsWrittenCall(textOf(reply.message), describeParameters(tools));
}

/** The tools in words, for the instructions of a model that calls them in its text. */
export function describeTools(tools: readonly ToolDefinition[]): string {
  return tools
    .map(({ name, description, parameters }) => {
      return `### ${name}\n${description}\nArguments, as a JSON schema: ${JSON.stringify(parameters)}`;
    })
    .join('\n\n');
}
