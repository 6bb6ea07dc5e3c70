/**
 * What a client of Gemini's generateContent asks, as one of our requests. Like the real server it wants as many answers
 * as it made calls, either a thinking budget or a level, and from the third generation on its own signature back.
 */
import { z } from 'zod';
import type { AssistantMessage, Message, ModelRequest } from '../../core/model.ts';
import { jsonObject, parse } from './reading.ts';
import { signatureOf } from './said.ts';
import { Refusal, type WireRequest } from './wire.ts';

const partSchema = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
  functionCall: z
    .looseObject({ id: z.string().optional(), name: z.string(), args: jsonObject.optional() })
    .optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string(), response: jsonObject })
    .optional(),
});
type Part = z.infer<typeof partSchema>;
const contentSchema = z.looseObject({
  role: z.enum(['user', 'model']).optional(),
  parts: z.array(partSchema).min(1),
});
type Content = z.infer<typeof contentSchema>;
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
    .optional(),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string(),
              description: z.string().default(''),
              parameters: jsonObject.nullish(),
              parametersJsonSchema: jsonObject.nullish(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
});

export function readGeminiRequest(raw: Readonly<Record<string, unknown>>, url: URL): WireRequest {
  const { model = '', method } =
    /\/models\/(?<model>[^/:]+):(?<method>\w+)$/.exec(decodeURIComponent(url.pathname))?.groups ?? {};
  const { contents, systemInstruction, generationConfig = {}, tools = [] } = parse(bodySchema, raw);
  const { thinkingConfig, maxOutputTokens, responseJsonSchema: schema } = generationConfig;
  if (thinkingConfig?.thinkingBudget !== undefined && thinkingConfig.thinkingLevel !== undefined) {
    throw new Refusal('You can only set only one of thinking budget and thinking level.');
  }
  const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  const system = systemInstruction?.parts.map(({ text }) => text).join('');
  const request: ModelRequest = {
    messages: [
      ...(system ? [{ role: 'system' as const, content: system }] : []),
      ...messagesOf(contents, model),
    ],
    ...(declared.length > 0
      ? {
          tools: declared.map(({ name, description, parameters, parametersJsonSchema }) => ({
            name,
            description,
            parameters: parametersJsonSchema ?? parameters ?? {},
          })),
        }
      : {}),
    ...(schema ? { output: { name: 'reply', schema } } : {}),
    ...(maxOutputTokens ? { settings: { maxOutputTokens } } : {}),
  };
  return { request, model, streams: method === 'streamGenerateContent' };
}

/** A call has no id here: the n-th answer after a turn is the answer to its n-th call. */
function messagesOf(contents: readonly Content[], model: string): readonly Message[] {
  return contents.flatMap((content, turn): readonly Message[] => {
    if (content.role === 'model') {
      refuseUnsigned(content.parts, turn, model);
      refuseUnanswered(content, contents[turn + 1]);
      return [
        { role: 'assistant', content: content.parts.map((part, index) => partOf(part, `${turn}.${index}`)) },
      ];
    }
    const words = content.parts.filter((part) => !part.functionResponse).map(userPart);
    const asked = (contents[turn - 1]?.parts ?? []).flatMap((part, index) =>
      part.functionCall ? [index] : [],
    );
    const results = content.parts.flatMap(({ functionResponse }) =>
      functionResponse ? [functionResponse] : [],
    );
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

function partOf(part: Part, id: string): AssistantMessage['content'][number] {
  if (part.functionCall) {
    return { type: 'tool-call', id, name: part.functionCall.name, args: part.functionCall.args ?? {} };
  }
  return { type: part.thought ? 'reasoning' : 'text', text: part.text ?? '' };
}

function userPart({ text = '', inlineData }: Part) {
  return inlineData
    ? { type: 'image' as const, mediaType: inlineData.mimeType, data: inlineData.data }
    : { type: 'text' as const, text };
}

const signs = /gemini-([3-9]|\d\d)/;

/** The first call of a turn carries the signature of the thought that led to it. */
function refuseUnsigned(parts: readonly Part[], turn: number, model: string): void {
  const first = parts.find(({ functionCall }) => functionCall);
  if (!first?.functionCall || !signs.test(model)) return;
  const { name } = first.functionCall;
  if (
    first.thoughtSignature === signatureOf(name) ||
    first.thoughtSignature === 'skip_thought_signature_validator'
  )
    return;
  throw new Refusal(
    `Function call is missing a thought_signature in functionCall parts. Additional data, function call \`default_api:${name}\`, position ${turn}.`,
  );
}

function refuseUnanswered(content: Content, next: Content | undefined): void {
  const calls = content.parts.filter(({ functionCall }) => functionCall).length;
  const answers = next?.parts.filter(({ functionResponse }) => functionResponse).length ?? 0;
  if (calls === 0 || calls === answers) return;
  throw new Refusal(
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  );
}
