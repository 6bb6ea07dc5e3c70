/** One event in full, for people and for programs. */
import { stringify } from 'yaml';
import { type Event, positionName } from '../core/event.ts';
import type { Json } from '../core/json.ts';
import { harmless } from '../text/format.ts';
import { isObject, list } from '../text/json.ts';

/** Without `whole`, a request leaves out its messages: other events have them, and they are the bulk of a journal. */
export function eventJson(event: Event, whole: boolean) {
  const { seq, atMs, kind, branch, ordinal, attempt, body } = event;
  if (whole || kind !== 'model-request') return { seq, atMs, kind, branch, ordinal, attempt, body };
  const { messages, tools, ...rest } = event.body;
  const shortened = { ...rest, messageCount: list(event.body, 'messages').length };
  return { seq, atMs, kind, branch, ordinal, attempt, body: shortened };
}

export function eventText(event: Event): string {
  const heading = `event ${event.seq}: ${event.kind} at ${positionName(event)}, ${new Date(event.atMs).toISOString()}`;
  return `${heading}\n\n${yamlText(event.body)}`;
}

/** YAML shows long texts as they are, line by line. */
export function yamlText(value: unknown): string {
  // Through JSON: YAML would write what is undefined, and aliases for what is said twice.
  const plain: Json = JSON.parse(JSON.stringify(value));
  return stringify(trimmed(plain), { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: 'literal' });
}

/** White space at the ends of lines would keep YAML from showing a text line by line; `--json` has it. */
function trimmed(value: Json): Json {
  if (typeof value === 'string') return harmless(value).replaceAll(/[ \t]+$/gm, '');
  if (Array.isArray(value)) return value.map(trimmed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trimmed(inner ?? null)]));
}
