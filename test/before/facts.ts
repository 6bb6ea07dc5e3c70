/** What a journal says of its run, as far as no later version of the code may say anything else of it. */
import type { Event, Opened } from './library.ts';

export function factsOf(polya: Opened, events: readonly Event[]) {
  const { header, end, totals, inherited, possiblyBilled, open } = polya.fold(events);
  return {
    agent: header?.agent.name,
    fork: header?.fork ? { run: header.fork.run, seq: header.fork.seq } : null,
    events: events.length,
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
