/** Hints of its user's: numbered, in every prompt from then on, and each island's next candidate is made for the newest. */

import type { Run } from '../../../core/agent.ts';
import { write } from '../../../notes/evolution.ts';
import { constantsNamed } from '../constants.ts';
import { bestOf, type Island, type Program } from '../population.ts';
import { type Directed, type Hint, type Search, scaleOf } from '../search.ts';

export type Said = Pick<Hint, 'text'> & Partial<Pick<Hint, 'range' | 'sources'>>;

export function takeHint(search: Search, run: Run, { text, range, sources = [] }: Said): Hint {
  const hint: Hint = { number: search.hints.length + 1, text, sources, range };
  search.hints.push(hint);
  const islands = new Set(search.islands.map((island) => island.number));
  // Said before there are islands, it is in their first prompts.
  if (islands.size > 0) search.directed.push({ hint, islands });
  write(run, 'hint', {
    number: hint.number,
    text,
    range,
    sources: sources.length > 0 ? sources.map(({ name }) => name) : undefined,
  });
  return hint;
}

export type DirectedPlan = {
  readonly operator: 'change' | 'tune';
  readonly parent: Program;
  readonly hint: Hint;
};

/** The oldest hint that this island has not made a candidate for; null where there is none, or nothing to make it of. */
export function directedPlan(search: Search, island: Island): DirectedPlan | null {
  const parent = bestOf(island, scaleOf(search)) ?? search.root;
  const next = search.directed.find(({ islands }) => islands.has(island.number));
  if (!parent || !next) return null;
  done(search, next, island);
  const { hint } = next;
  const isTuned = hint.range !== undefined && constantsNamed(parent.source, hint.range.name).length > 0;
  return { operator: isTuned ? 'tune' : 'change', parent, hint };
}

function done(search: Search, directed: Directed, { number }: Island): void {
  directed.islands.delete(number);
  if (directed.islands.size === 0) search.directed.splice(search.directed.indexOf(directed), 1);
}
