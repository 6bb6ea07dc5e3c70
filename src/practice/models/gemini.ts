/** Gemini's generateContent and streamGenerateContent: what they answer, and their errors. Calls carry no ids. */
import { readGeminiRequest } from './gemini-request.ts';
import { argumentsOf } from './reading.ts';
import { pieces, type Said, signatureOf, sse } from './said.ts';
import { statuses, type Told, type Wire } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;

export const gemini: Wire = {
  name: 'gemini',
  path: /\/models\/[^/]+:(generateContent|streamGenerateContent)$/,
  key: 'x-goog-api-key',
  headers: { 'server-timing': 'gfet4t7; dur=12' },
  read: readGeminiRequest,
  whole: (said, body) => chunkOf(said, partsOf(said, body), true),

  *events(said, body) {
    const [last, ...before] = partsOf(said, body).flatMap(inPieces).reverse();
    for (const part of before.reverse()) yield sse(chunkOf(said, [part], false));
    yield sse(chunkOf(said, last ? [last] : [], true));
  },

  error: (told) => ({ status: statusOf(told), body: errorOf(told) }),
  errorEvent: (told) => sse(errorOf(told)),
};

const names: Partial<Record<Told['kind'], string>> = {
  'rate-limit': 'RESOURCE_EXHAUSTED',
  overloaded: 'UNAVAILABLE',
  timeout: 'DEADLINE_EXCEEDED',
  auth: 'INVALID_ARGUMENT',
  'bad-request': 'INVALID_ARGUMENT',
  'context-overflow': 'INVALID_ARGUMENT',
  other: 'UNIMPLEMENTED',
};

/** A key that is none is a bad request here. */
function statusOf({ kind }: Told): number {
  return kind === 'auth' ? 400 : statuses[kind];
}

/** How long to wait stands in the body here, not in a header. */
function errorOf({ kind, message, retryAfterMs }: Told) {
  const reason = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
  };
  const wait = {
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay: `${(retryAfterMs ?? 0) / 1000}s`,
  };
  return {
    error: {
      code: statusOf({ kind, message }),
      message,
      status: names[kind] ?? 'INTERNAL',
      ...(retryAfterMs === undefined ? {} : { details: [wait] }),
      ...(kind === 'auth' ? { details: [reason] } : {}),
    },
  };
}

type Part = Readonly<Record<string, unknown>> & { readonly text?: string };

/** Thoughts are told where they were asked for; the signature of what was thought goes with the first call. */
function partsOf({ reasoning, text, calls }: Said, body: Body): readonly Part[] {
  const wantsThoughts = JSON.stringify(body.generationConfig ?? {}).includes('"includeThoughts":true');
  return [
    ...(reasoning && wantsThoughts ? [{ text: reasoning, thought: true }] : []),
    ...(text ? [{ text }] : []),
    ...calls.map(({ name, json }, index) => ({
      functionCall: { name, args: argumentsOf(json).args ?? {} },
      ...(index === 0 ? { thoughtSignature: signatureOf(name) } : {}),
    })),
  ];
}

function inPieces(part: Part): readonly Part[] {
  if (part.text === undefined) return [part];
  return pieces(part.text).map((text) => ({ ...part, text }));
}

function chunkOf(said: Said, parts: readonly Part[], isLast: boolean) {
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        ...(isLast ? { finishReason: reasonOf(said) } : {}),
        index: 0,
      },
    ],
    ...(said.tokens ? { usageMetadata: usageOf(said.tokens, isLast) } : {}),
    modelVersion: said.model,
    responseId: said.id,
  };
}

function reasonOf({ finish, calls }: Said): string {
  if (finish === 'length') return 'MAX_TOKENS';
  if (finish === 'refusal') return 'SAFETY';
  return calls.some(({ json }) => argumentsOf(json).args === null) ? 'MALFORMED_FUNCTION_CALL' : 'STOP';
}

/** What was thought is counted beside what was said. */
function usageOf(tokens: NonNullable<Said['tokens']>, isLast: boolean) {
  const { input, cachedInput, output, reasoning } = tokens;
  return {
    promptTokenCount: input,
    ...(cachedInput > 0 ? { cachedContentTokenCount: cachedInput } : {}),
    ...(isLast ? { candidatesTokenCount: output - reasoning, thoughtsTokenCount: reasoning } : {}),
    totalTokenCount: isLast ? input + output : input,
  };
}
