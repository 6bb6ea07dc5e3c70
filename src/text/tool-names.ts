/** Tools as a model may name them: in other case, with underscores, behind a prefix. Pure; knows no form of calls. */
import type { JsonObject } from '../core/json.ts';

/** What the readers of calls know of a tool. `required`: those of its parameters that every call has. */
export type KnownTool = {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly required: readonly string[];
};

export function knownTool({ name, parameters }: { name: string; parameters: JsonObject }): KnownTool {
  const { properties, required } = parameters;
  return {
    name,
    parameters: properties && typeof properties === 'object' ? Object.keys(properties) : [],
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

/** The tool that a name means: `submit_answer` and `functions.SubmitAnswer:0` mean SubmitAnswer. Null where none or several fit. */
export function findTool<T extends { readonly name: string }>(tools: readonly T[], name: string): T | null {
  const exact = tools.find((tool) => tool.name === name);
  if (exact || name.length > 100) return exact ?? null;
  const unnumbered = name.replace(/:\d{1,9}$/, '');
  const afterPrefix = Math.max(...['.', ':', '/'].map((sign) => unnumbered.lastIndexOf(sign))) + 1;
  for (const requested of [name, unnumbered, unnumbered.slice(afterPrefix)]) {
    const matching = tools.filter((tool) => letters(tool.name) === letters(requested));
    if (matching.length > 0) return matching.length === 1 ? (matching[0] ?? null) : null;
  }
  return null;
}

const letters = (name: string): string => name.replaceAll(/[_\s-]/g, '').toLowerCase();
