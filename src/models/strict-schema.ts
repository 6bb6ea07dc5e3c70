/** Whether a JSON schema keeps the rules of OpenAI's strict mode. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';

/** Whether every object of a schema is closed and requires all its properties: OpenAI refuses other schemas as strict. */
export function isStrict(schema: JsonObject): boolean {
  const { properties, required, additionalProperties } = schema;
  if (isJsonObject(properties)) {
    const names = Array.isArray(required) ? required : [];
    const closed = additionalProperties === false;
    if (!closed || Object.keys(properties).some((name) => !names.includes(name))) return false;
  } else if (schema.type === 'object') return false;
  return Object.values(schema).every(isStrictInside);
}

function isStrictInside(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.every(isStrictInside);
  if (!isJsonObject(value)) return true;
  return isStrict(value);
}
