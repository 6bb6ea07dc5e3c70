/** JSON in a reply: the value that came with it, else what a model wrote as text, fenced or not. Pure. */
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { parsedJson } from '../kit/asking.ts';
import { codeBlocks } from '../kit/code.ts';
import type { Reply } from './asking.ts';

/** The last object in it; null where there is none. */
export function objectIn({ text, object }: Pick<Reply, 'text' | 'object'>): JsonObject | null {
  if (isJsonObject(object)) return object;
  const blocks = codeBlocks(text).map(({ code }) => code);
  const outermost = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  const values = [text, outermost, ...blocks].map(parsedJson).filter(isJsonObject);
  return values.at(-1) ?? null;
}
