/** What OpenRouter's providers seal and sign of their reasoning: pieces put together, kept, and given back unchanged. */
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { AssistantMessage } from '../../core/model.ts';
import type { ReplyPart } from '../collected.ts';

const detailsKey = 'openrouter';

/** Details go with the first reasoning of their reply. Where it has none, theirs is the text. `isKept`: they are given back. */
export function withDetails(
  content: readonly ReplyPart[],
  parts: readonly JsonObject[],
  isKept: boolean,
): readonly ReplyPart[] {
  if (parts.length === 0) return content;
  const details = joined(parts);
  const provider = isKept ? { [detailsKey]: { reasoning_details: [...details] } } : undefined;
  const index = content.findIndex(({ type }) => type === 'reasoning');
  if (index < 0) return [{ type: 'reasoning', text: detailedText(details), provider }, ...content];
  if (!provider) return content;
  return content.map((part, at) =>
    at === index ? { ...part, provider: { ...part.provider, ...provider } } : part,
  );
}

/** The fields of a message that its parts kept. */
export function detailsOf({ content }: AssistantMessage): JsonObject {
  const holding = content.find((part) => part.provider?.[detailsKey]);
  const found = holding?.provider?.[detailsKey];
  return isJsonObject(found) ? found : {};
}

/** Pieces of one detail have its index; their words are put together, of all else the last word counts. */
function joined(parts: readonly JsonObject[]): readonly JsonObject[] {
  const details = new Map<string, JsonObject>();
  for (const [at, jsonObject] of parts.entries()) {
    const key = jsonObject.index === undefined ? `piece ${at}` : `${jsonObject.type} ${jsonObject.index}`;
    details.set(key, mergeDetail(details.get(key) ?? {}, jsonObject));
  }
  return [...details.values()];
}

const growing = ['text', 'summary'];

function mergeDetail(before: JsonObject, jsonObject: JsonObject): JsonObject {
  const input = Object.entries(jsonObject).filter(([, value]) => value !== null);
  return {
    ...before,
    ...Object.fromEntries(
      input.map(([name, value]) => [
        name,
        growing.includes(name) && typeof value === 'string' ? `${before[name] ?? ''}${value}` : value,
      ]),
    ),
  };
}

function detailedText(details: readonly JsonObject[]): string {
  return details
    .flatMap((detail) => growing.map((name) => detail[name]))
    .filter((text) => typeof text === 'string')
    .join('');
}
