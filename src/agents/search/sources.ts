/** The problem's algorithm library and past contests. Either may be missing; names are checked against them. */
import type { Run } from '../../core/agent.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Problem } from '../../core/problem.ts';
import type { HintRange } from '../../notes/evolution.ts';
import type { Hint } from './search.ts';

/** What a person who talks to the search means. */
export type MessageMeaning =
  | { readonly kind: 'hint' | 'question'; readonly text: string }
  | { readonly kind: 'range'; readonly text: string; readonly range: HintRange }
  | {
      readonly kind: 'reference';
      readonly text: string;
      /** `ahc015`. */
      readonly contests: readonly string[];
      /** Words to look for in the algorithm library. */
      readonly algorithms: readonly string[];
    };

export type Sources = {
  /** For a prompt; empty where the problem offers none. */
  readonly library: string;
  readonly contests: string;
  /** Names of the library's entries. */
  readonly entries: readonly string[];
};

export async function sourcesOf(run: Run, problem: Problem): Promise<Sources> {
  const library = await callTool(run, problem, 'library_list', {});
  const contests = await callTool(run, problem, 'contests_similar', {});
  return {
    library: typeof library?.data?.short === 'string' ? library.data.short : (library?.text ?? ''),
    contests: contests?.text ?? '',
    entries: namesIn(library?.data?.entries),
  };
}

/** Null where the problem has no such tool, or it had nothing to say. */
export async function callTool(run: Run, { tools = [] }: Problem, name: string, args: JsonObject) {
  if (!tools.some((tool) => tool.name === name)) return null;
  const result = await run.tool(name, args);
  return result.isError ? null : result;
}

/** With the headers of the algorithm library that it includes put in, where the problem offers that. */
export async function asOneFile(run: Run, problem: Problem, source: string): Promise<string> {
  if (!/^[ \t]*#\s*include\s*"/m.test(source)) return source;
  const toolResult = await callTool(run, problem, 'library_inline', { source });
  return toolResult?.text ?? source;
}

/** `dijkstra`, `dijkstra.hpp` and `<dijkstra.hpp>` are one; unknown names are left out. */
export function knownEntries(names: readonly string[], entries: readonly string[]): readonly string[] {
  const bare = names.map((name) => name.replaceAll(/[<>"]|\.hpp$/g, '').trim());
  return [...new Set(bare)].filter((name) => entries.includes(name));
}

function namesIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

const [mostContests, mostAlgorithms, mostCharacters] = [3, 3, 6_000];

/** What the user refers to: past contests by id, algorithms of the library by words. */
export async function referencesOf(
  run: Run,
  problem: Problem,
  { contests, algorithms }: Extract<MessageMeaning, { readonly kind: 'reference' }>,
) {
  const found: Hint['sources'][number][] = [];
  const missing: string[] = [];
  for (const id of contests.slice(0, mostContests)) {
    const toolResult = await callTool(run, problem, 'contests_show', { contest_id: id });
    if (toolResult) found.push({ name: id, text: truncateText(toolResult.text) });
    else missing.push(id);
  }
  for (const words of algorithms.slice(0, mostAlgorithms)) {
    const entry = await entryFor(run, problem, words);
    if (entry && !found.some(({ name }) => name === entry.name)) found.push(entry);
    else if (!entry) missing.push(words);
  }
  return { sources: found, missing };
}

async function entryFor(run: Run, problem: Problem, words: string): Promise<Hint['sources'][number] | null> {
  const toolResult = await callTool(run, problem, 'library_search', { keywords: words });
  const entries = toolResult?.data?.entries;
  const [name] = Array.isArray(entries) ? entries : [];
  if (typeof name !== 'string') return null;
  const shown = await callTool(run, problem, 'library_show', { name });
  return shown && { name, text: truncateText(shown.text) };
}

function truncateText(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters).toWellFormed()}\n…`;
}
