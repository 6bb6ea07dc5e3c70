/** JSON as a type: the only shape that journals, settings and references may have. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** JSON with the keys of every object in one order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedKeys(value)) ?? 'null';
}

/** A copy and not a replacer of `JSON.stringify`, which would take longer than all the rest of an event. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return mapSorted(value, withSortedKeys);
}

/** A copy of an object with its keys in order and each value changed. */
export function mapSorted(value: object, change: (inner: unknown) => unknown): Record<string, unknown> {
  const sorted: Record<string, unknown> = {};
  const entries = value as Record<string, unknown>;
  for (const key of Object.keys(value).sort()) setKey(sorted, key, change(entries[key]));
  return sorted;
}

/** The value as a journal gives it back, with its keys in order. Throws where it has no JSON at all. */
export function toJson(value: unknown): Json {
  return withSortedKeys(JSON.parse(JSON.stringify(value) ?? 'null')) as Json;
}

/** A model may name a key `__proto__`, which an assignment would lose. */
export function setKey(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Every string in a value changed; those that name fields only with `names`. */
export function changeStrings<T>(value: T, change: Change, options?: { readonly names?: boolean }): T;
export function changeStrings(value: unknown, change: Change, { names = false } = {}): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => changeStrings(inner, change, { names }));
  if (!isJsonObject(value)) return value;
  const changed = Object.entries(value).map(([key, inner]) => [
    names ? change(key) : key,
    changeStrings(inner, change, { names }),
  ]);
  return Object.fromEntries(changed);
}

type Change = (text: string) => string;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As a file holds it: indented, with a newline at the end. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The JSON of a text; null if there is none, or it is damaged. */
export function jsonIn(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
