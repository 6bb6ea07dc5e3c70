/** The descriptions of an agent's settings, which stand in a JSON file beside their schema. */
import type { z } from 'zod';

/** The same fields; help and docs/agents.md show each with its text. */
export function described<Name extends string, Fields extends Readonly<Record<Name, z.ZodType>>>(
  fields: Fields,
  texts: Readonly<Record<Name, string>>,
): Fields {
  const withTexts: Record<string, z.ZodType> = {};
  for (const name in texts) withTexts[name] = fields[name].describe(texts[name]);
  return { ...fields, ...withTexts };
}
