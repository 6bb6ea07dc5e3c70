/** Without a script, this model repeats what it was told or fits the requested schema. Its tokens are estimates. */
import type { Json, JsonObject } from '../../../src/core/json.ts';
import type { Message, Model, ModelRequest } from '../../../src/core/model.ts';

export const echoModel: Model = {
  id: 'practice/echo',
  kind: 'script',
  takes: { images: true, tools: true },
  price: null,
  async generate(request) {
    const text = request.output ? JSON.stringify(sampleOf(request.output.schema)) : echoOf(request);
    const input = Math.ceil(JSON.stringify(request.messages).length / 4);
    const tokens = { input, cachedInput: 0, output: Math.ceil(text.length / 4), reasoning: 0 };
    return {
      ok: true,
      message: { role: 'assistant', content: [{ type: 'text', text }] },
      finish: 'stop',
      usage: { tokens, costUsd: null },
    };
  },
};

function echoOf({ messages }: ModelRequest): string {
  const last = messages.findLast(({ role }) => role === 'user' || role === 'tool');
  return `You said: ${last ? wordsOf(last) : 'nothing'}`;
}

function wordsOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
}

/** The least that fits: the first of what may be chosen, empty lists and texts, zeros. */
function sampleOf(schema: JsonObject): Json {
  const { const: constant, enum: choices, anyOf, type, properties } = schema;
  if (constant !== undefined) return constant;
  if (Array.isArray(choices)) return choices[0] ?? null;
  if (Array.isArray(anyOf)) return sampleOf(objectIn(anyOf[0]));
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === 'object' || properties) {
    const fields = Object.entries(objectIn(properties));
    return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(objectIn(field))]));
  }
  if (kind === 'array') return [];
  if (kind === 'integer' || kind === 'number') return Number(schema.minimum ?? 0);
  return kind === 'boolean' ? false : kind === 'null' ? null : '';
}

function objectIn(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
