/**
 * What the problem offers to draw on: its algorithm library, and past contests. Every part may be missing, and what a
 * model says of it is checked against what is there.
 */
import type { Run } from '../../core/agent.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Problem } from '../../core/problem.ts';

export type Sources = {
  /** For a prompt; empty where the problem offers none. */
  readonly library: string;
  readonly contests: string;
  /** Names of the library's entries. */
  readonly entries: readonly string[];
};

export async function sourcesOf(run: Run, problem: Problem): Promise<Sources> {
  const library = await offered(run, problem, 'library_list', {});
  const contests = await offered(run, problem, 'contests_similar', {});
  return {
    library: library?.text ?? '',
    contests: contests?.text ?? '',
    entries: namesIn(library?.data?.entries),
  };
}

/** Null where the problem has no such tool, or it had nothing to say. */
export async function offered(
  run: Run,
  { tools = [] }: Problem,
  name: string,
  args: JsonObject,
): Promise<{ readonly text: string; readonly data?: JsonObject } | null> {
  if (!tools.some((tool) => tool.name === name)) return null;
  const result = await run.tool(name, args);
  return result.isError ? null : result;
}

/** `dijkstra`, `dijkstra.hpp` and `<dijkstra.hpp>` are one; what is not there is left out. */
export function knownEntries(names: readonly string[], entries: readonly string[]): readonly string[] {
  const bare = names.map((name) => name.replaceAll(/[<>"]|\.hpp$/g, '').trim());
  return [...new Set(bare)].filter((name) => entries.includes(name));
}

function namesIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
