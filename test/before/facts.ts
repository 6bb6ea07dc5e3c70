/** What a journal says of its run, as far as no later version of the code may say anything else of it. */
import type { Event, Opened } from './library.ts';

export function factsOf(polya: Opened, events: readonly Event[]) {
  const view = polya.fold(events);
  const { header, end, totals, inherited, possiblyBilled, open } = view;
  return {
    title: header?.problem.title,
    agent: header?.agent.name,
    settings: header?.agent.settings,
    // Without folders: a script is named by its path.
    models: Object.fromEntries(
      Object.entries(header?.models ?? {}).map(([role, { spec }]) => [role, spec.replace(/:.*\//, ':')]),
    ),
    fork: header?.fork ? { run: header.fork.run, seq: header.fork.seq } : null,
    events: events.length,
    kinds: counted(events.map(({ kind }) => kind)),
    open: open.map(({ event: { kind, branch } }) => `${branch} ${kind}`),
    outcome: end?.outcome ?? null,
    answer: end?.solution?.answer ?? null,
    grade: end?.grade ?? null,
    totals,
    inherited,
    possiblyBilled,
  };
}

export type Facts = ReturnType<typeof factsOf>;

function counted(kinds: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of [...kinds].sort()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
