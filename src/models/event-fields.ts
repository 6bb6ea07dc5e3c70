/** Fields of a provider's JSON that may be missing or of another type. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';

/** Empty where the value is no object. */
export function fieldsOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Null where the value is no number; some servers write numbers as text. */
export function countOf(value: Json | undefined): number | null {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) ? count : null;
}
