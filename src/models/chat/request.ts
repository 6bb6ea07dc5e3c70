/** A request as the body of chat completions. Pure. */
import { changeStrings } from '../../core/json.ts';
import type { ModelRequest, ServerQuirk, ToolDefinition } from '../../core/model.ts';
import { isStrict } from '../strict-schema.ts';
import { chatMessages } from './messages.ts';
import { adaptBody, adaptRequest } from './quirks.ts';

export type ChatBody = Record<string, unknown>;

export type ChatRequestOptions = {
  /** The model's name. */
  readonly name: string;
  readonly stream: boolean;
  /** False: the instructions go into the first turn of the user. */
  readonly hasSystemRole: boolean;
  readonly keepsDetails: boolean;
  /** Changes the body before it is sent, for what only this server understands. */
  readonly changeBody?: (body: ChatBody) => ChatBody;
};

/** The text of the body. */
export function chatBody(
  request: ModelRequest,
  options: ChatRequestOptions,
  known: readonly ServerQuirk[] = [],
): string {
  const { changeBody, hasSystemRole } = options;
  const quirks = new Set(hasSystemRole ? known : [...known, 'no-system-role' as const]);
  const body: ChatBody = { ...adaptBody(bodyOf(adaptRequest(request, quirks), options), quirks) };
  return serializeBody(changeBody ? changeBody(body) : body);
}

function bodyOf(request: ModelRequest, options: ChatRequestOptions): ChatBody {
  const { messages, tools, output, settings = {} } = request;
  return {
    model: options.name,
    max_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    response_format: output && responseFormat(output),
    seed: settings.seed,
    // Where rules have left a budget, `changeBody` knows what to make of it.
    thinking_budget: settings.thinkingBudgetTokens,
    reasoning_effort: settings.reasoningEffort,
    messages: chatMessages(messages, options.keepsDetails),
    tools: tools?.length ? tools.map(functionTool) : undefined,
    ...(options.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

function responseFormat({ name, schema }: NonNullable<ModelRequest['output']>) {
  return { type: 'json_schema', json_schema: { schema, strict: isStrict(schema), name } };
}

function functionTool({ name, description, parameters }: ToolDefinition) {
  return { type: 'function', function: { name, description, parameters } };
}

/** Half of a surrogate pair, which a cut excerpt may end with, makes a body that strict servers refuse. */
function serializeBody(body: ChatBody): string {
  const text = JSON.stringify(body);
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return JSON.stringify(changeStrings(body, (each) => each.toWellFormed(), { names: true }));
}
