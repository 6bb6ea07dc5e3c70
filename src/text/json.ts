/** Reads JSON of unknown shape: missing parts are undefined, empty texts or empty lists. */
import type { Json, JsonObject } from '../core/json.ts';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function field(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

export function text(value: Json | undefined, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

export function list(value: Json | undefined, name: string): readonly Json[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}
