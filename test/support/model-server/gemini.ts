/** Gemini's generateContent and streamGenerateContent, with the checks of the real server. Calls carry no ids. */
import { z } from 'zod';
import type { Message, ModelRequest } from '../../../src/core/model.ts';
import type { AssistantPart, Body, Said, Told, Wire, WireRequest } from './wire.ts';
import { argumentsOf, failures, jsonObject, parse, pieces, Refusal, signatureOf, sse } from './wire.ts';

export const gemini: Wire = {
  name: 'gemini',
  path: /\/models\/[^/]+:(generateContent|streamGenerateContent)$/,
  key: 'x-goog-api-key',
  read: readRequest,
  whole: (said, body) => chunkOf(said, partsOf(said, body), true),

  *events(said, body) {
    const parts = partsOf(said, body).flatMap(inPieces);
    for (const part of parts.slice(0, -1)) yield sse(chunkOf(said, [part], false));
    yield sse(chunkOf(said, parts.slice(-1), true));
  },

  error: (told) => ({ status: statusOf(told), body: errorOf(told) }),
  errorEvent: (told) => sse(errorOf(told)),
};

/** Gemini calls an invalid key a bad request. */
function statusOf({ kind }: Told): number {
  return kind === 'auth' ? 400 : failures[kind].status;
}

/** Gemini puts the wait into the body, not into a header. */
function errorOf(told: Told) {
  const { kind, message, retryAfterMs } = told;
  const rpc = 'type.googleapis.com/google.rpc';
  const reason = { '@type': `${rpc}.ErrorInfo`, reason: 'API_KEY_INVALID', domain: 'googleapis.com' };
  const wait = { '@type': `${rpc}.RetryInfo`, retryDelay: `${(retryAfterMs ?? 0) / 1000}s` };
  const details = kind === 'auth' ? [reason] : retryAfterMs === undefined ? undefined : [wait];
  return { error: { code: statusOf(told), message, status: failures[kind].gemini, details } };
}

type AnswerPart = Body & { readonly text?: string };

/** Thoughts are told where they were asked for; the signature of what was thought goes with the first call. */
function partsOf({ reasoning, text, calls }: Said, body: Body): readonly AnswerPart[] {
  const wantsThoughts = JSON.stringify(body.generationConfig ?? {}).includes('"includeThoughts":true');
  return [
    ...(reasoning && wantsThoughts ? [{ text: reasoning, thought: true }] : []),
    ...(text ? [{ text }] : []),
    ...calls.map(({ name, json }, index) => ({
      functionCall: { name, args: argumentsOf(json).args ?? {} },
      thoughtSignature: index === 0 ? signatureOf(name) : undefined,
    })),
  ];
}

function inPieces(part: AnswerPart): readonly AnswerPart[] {
  return part.text === undefined ? [part] : pieces(part.text).map((text) => ({ ...part, text }));
}

function chunkOf(said: Said, parts: readonly AnswerPart[], isLast: boolean) {
  const finishReason = isLast ? reasonOf(said) : undefined;
  return {
    candidates: [{ content: { parts, role: 'model' }, finishReason, index: 0 }],
    usageMetadata: said.tokens ? usageOf(said.tokens, isLast) : undefined,
    modelVersion: said.model,
    responseId: said.id,
  };
}

function reasonOf({ finish, calls }: Said): string {
  if (finish === 'length') return 'MAX_TOKENS';
  if (finish === 'refusal') return 'SAFETY';
  return calls.some(({ json }) => argumentsOf(json).args === null) ? 'MALFORMED_FUNCTION_CALL' : 'STOP';
}

/** Gemini counts tokens of thoughts apart from those of the answer. */
function usageOf(tokens: NonNullable<Said['tokens']>, isLast: boolean) {
  const { input, cachedInput, output, reasoning } = tokens;
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cachedInput > 0 ? cachedInput : undefined,
    ...(isLast ? { candidatesTokenCount: output - reasoning, thoughtsTokenCount: reasoning } : {}),
    totalTokenCount: isLast ? input + output : input,
  };
}

const partSchema = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
  functionCall: z
    .looseObject({ id: z.string().optional(), name: z.string(), args: jsonObject.default({}) })
    .optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string(), response: jsonObject })
    .optional(),
});
const contentSchema = z.looseObject({
  role: z.enum(['user', 'model']).optional(),
  parts: z.array(partSchema).min(1),
});
const toolSchema = z
  .looseObject({
    name: z.string(),
    description: z.string().default(''),
    parameters: jsonObject.nullish(),
    parametersJsonSchema: jsonObject.nullish(),
  })
  .transform(({ name, description, parameters, parametersJsonSchema }) => ({
    name,
    description,
    parameters: parametersJsonSchema ?? parameters ?? {},
  }));
const bodySchema = z.looseObject({
  contents: z.array(contentSchema).min(1),
  systemInstruction: z.looseObject({ parts: z.array(z.object({ text: z.string() })) }).optional(),
  generationConfig: z
    .looseObject({
      maxOutputTokens: z.int().positive().optional(),
      temperature: z.number().min(0).max(2).optional(),
      responseMimeType: z.string().optional(),
      responseJsonSchema: jsonObject.optional(),
      thinkingConfig: z
        .looseObject({ thinkingBudget: z.int().min(-1).optional(), thinkingLevel: z.string().optional() })
        .optional(),
    })
    .default({}),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(toolSchema).default([]) })).default([]),
});

type Part = z.infer<typeof partSchema>;
type Content = z.infer<typeof contentSchema>;

function readRequest(raw: Body, url: URL): WireRequest {
  const { model = '', method } =
    /\/models\/(?<model>[^/:]+):(?<method>\w+)$/.exec(decodeURIComponent(url.pathname))?.groups ?? {};
  const { contents, systemInstruction, generationConfig, tools } = parse(bodySchema, raw);
  const { thinkingConfig, maxOutputTokens, responseJsonSchema: schema } = generationConfig;
  if (thinkingConfig?.thinkingBudget !== undefined && thinkingConfig.thinkingLevel !== undefined) {
    throw new Refusal('You can only set only one of thinking budget and thinking level.');
  }
  const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations);
  const system = systemInstruction?.parts.map(({ text }) => text).join('');
  const request: ModelRequest = {
    messages: [
      ...(system ? [{ role: 'system' as const, content: system }] : []),
      ...messagesOf(contents, model),
    ],
    tools: declared.length > 0 ? declared : undefined,
    output: schema && { name: 'reply', schema },
    settings: maxOutputTokens ? { maxOutputTokens } : undefined,
  };
  return { request, model, streams: method === 'streamGenerateContent' };
}

/** A call has no id here: the n-th answer after a turn is the answer to its n-th call. */
function messagesOf(contents: readonly Content[], model: string): readonly Message[] {
  return contents.flatMap(({ role, parts }, turn): readonly Message[] => {
    if (role === 'model') {
      refuseUnsigned(parts, turn, model);
      refuseUnanswered(parts, contents[turn + 1]?.parts ?? []);
      return [
        { role: 'assistant', content: parts.map((part, index) => assistantPart(part, `${turn}.${index}`)) },
      ];
    }
    const asked = (contents[turn - 1]?.parts ?? []).flatMap(({ functionCall }, index) =>
      functionCall ? [index] : [],
    );
    const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    const words = parts.filter(({ functionResponse }) => !functionResponse).map(userPart);
    return [
      ...results.map(({ name, response }, index) => ({
        role: 'tool' as const,
        callId: `${turn - 1}.${asked[index]}`,
        name,
        content: String(response.content ?? response.result ?? JSON.stringify(response)),
      })),
      ...(words.length > 0 ? [{ role: 'user' as const, content: words }] : []),
    ];
  });
}

function assistantPart({ functionCall, thought, text = '' }: Part, id: string): AssistantPart {
  if (functionCall) return { type: 'tool-call', id, name: functionCall.name, args: functionCall.args };
  return { type: thought ? 'reasoning' : 'text', text };
}

function userPart({ text = '', inlineData }: Part) {
  return inlineData
    ? { type: 'image' as const, mediaType: inlineData.mimeType, data: inlineData.data }
    : { type: 'text' as const, text };
}

/** The first call of a turn carries the signature of the thought that led to it. */
function refuseUnsigned(parts: readonly Part[], turn: number, model: string): void {
  const first = parts.find(({ functionCall }) => functionCall);
  if (!first?.functionCall || !/gemini-([3-9]|\d\d)/.test(model)) return;
  const { name } = first.functionCall;
  const accepted = [signatureOf(name), 'skip_thought_signature_validator'];
  if (first.thoughtSignature !== undefined && accepted.includes(first.thoughtSignature)) return;
  throw new Refusal(
    `Function call is missing a thought_signature in functionCall parts. Additional data, function call \`default_api:${name}\`, position ${turn}.`,
  );
}

function refuseUnanswered(parts: readonly Part[], next: readonly Part[]): void {
  const calls = parts.filter(({ functionCall }) => functionCall).length;
  const answers = next.filter(({ functionResponse }) => functionResponse).length;
  if (calls === 0 || calls === answers) return;
  throw new Refusal(
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  );
}
