/** Keeps a key that a server or its model repeats out of the reply, before anybody journals it. Pure. */
import type { Json, JsonObject } from '../core/json.ts';
import type { AssistantMessage } from '../core/model.ts';
import { secretRemover } from './redact.ts';
import { isJsonObject } from './reply.ts';

type Clean = (text: string) => string;

/**
 * For what a model says only the secrets themselves are replaced, and only those that look like keys: a server without
 * keys takes any word, and a model must be free to say `none` or `12345`.
 */
export function replyCleaner(secrets: readonly string[]): Clean {
  return secretRemover(secrets.filter(looksLikeKey));
}

export function cleanMessage({ role, content }: AssistantMessage, clean: Clean): AssistantMessage {
  return { role, content: content.map((part) => cleanPart(part, clean)) };
}

function looksLikeKey(secret: string): boolean {
  return secret.length >= 16 || (secret.length >= 8 && /[a-z]/i.test(secret) && /[^a-z]/i.test(secret));
}

function cleanPart(part: AssistantMessage['content'][number], clean: Clean) {
  if (part.type === 'text') return { ...part, text: clean(part.text) };
  const provider = part.provider ? { provider: cleanObject(part.provider, clean) } : {};
  if (part.type === 'reasoning') return { ...part, text: clean(part.text), ...provider };
  return {
    ...part,
    id: clean(part.id),
    name: clean(part.name),
    args: part.args && cleanObject(part.args, clean),
    ...(part.raw === undefined ? {} : { raw: clean(part.raw) }),
    ...provider,
  };
}

function cleanObject(object: JsonObject, clean: Clean): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [clean(name), cleanJson(value, clean)]),
  );
}

function cleanJson<T extends Json | undefined>(value: T, clean: Clean): Json | T {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((each: Json) => cleanJson(each, clean));
  return isJsonObject(value) ? cleanObject(value, clean) : value;
}
