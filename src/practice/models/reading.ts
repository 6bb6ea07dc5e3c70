/** What every wire reads alike: JSON schemas, images in data URLs, arguments of calls. Pure. */
import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import type { ImagePart } from '../../core/model.ts';
import { Refusal } from './wire.ts';

export const jsonObject = z.record(z.string(), z.json());

export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refusal(z.prettifyError(parsed.error));
}

export function imageOf(url: string): ImagePart {
  const { mediaType, data } = /^data:(?<mediaType>[^;]+);base64,(?<data>.*)$/s.exec(url)?.groups ?? {};
  if (!mediaType || data === undefined)
    throw new Refusal('Images must be data URLs here: this server fetches nothing.');
  return { type: 'image', mediaType, data };
}

/** As the model wrote them: an object, or whatever else it was. */
export function argumentsOf(json: string): { args: JsonObject } | { args: null; raw: string } {
  if (json.trim() === '') return { args: {} };
  try {
    const value = jsonObject.safeParse(JSON.parse(json));
    return value.success ? { args: value.data } : { args: null, raw: json };
  } catch {
    return { args: null, raw: json };
  }
}
