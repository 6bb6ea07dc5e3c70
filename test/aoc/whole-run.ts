/**
 * Whole runs of the agent `tool-loop` in a folder of their own: composition root, journal, real sandbox, real HTTP; only
 * the model is a script, a function that knows the right answers because it is given them.
 */

import { withDesk } from '../../src/apps/aoc/day-options.ts';
import type { Limits } from '../../src/core/agent.ts';
import type { Event } from '../../src/core/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { AocService } from '../../src/families/aoc/day.ts';
import { type AocMetrics, aocMetrics } from '../../src/families/aoc/metrics.ts';
import type { ScriptSuccess } from '../../src/models/scripted.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { openJournals } from '../../src/open/journals.ts';
import type { Journals, JournalsOptions } from '../../src/open/options.ts';
import { readJournal } from '../../src/run/load.ts';
import { startRun } from '../../src/run/start.ts';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export type Place = { readonly folder: string; readonly env: Record<string, string> };

export function newPlace(): Place {
  const folder = temporaryFolder('aoc-run');
  return { folder, env: { HOME: folder, PATH: process.env.PATH ?? '' } };
}

export type WholeRun = {
  readonly problem: JsonObject;
  readonly replies: readonly ScriptSuccess[];
  readonly limits?: Limits;
  readonly settings?: JsonObject;
  readonly options?: JournalsOptions;
};

export type Played = {
  readonly events: readonly Event[];
  readonly metrics: AocMetrics;
  readonly outcome: string | undefined;
};

export function openIn(
  place: Place,
  replies: readonly ScriptSuccess[],
  options: JournalsOptions = {},
): Journals {
  const script = scriptedModel({
    id: 'test/script',
    script: ({ index }) => replies[index] ?? { text: 'I am done.' },
  });
  return openJournals({
    folder: place.folder,
    env: place.env,
    create: true,
    sandbox: bubblewrapSandbox(),
    models: { 'test/script': script },
    ...options,
    familyOptions: { aoc: { practiceCooldownMs: 1_000, ...options.familyOptions?.aoc } },
  });
}

/** What a person asks of a day without a run. */
export async function askDesk<T>(
  place: Place,
  work: (desk: AocService) => Promise<T>,
  options: JournalsOptions = {},
): Promise<T> {
  const polya = openIn(place, [], options);
  const { folder, env } = { ...place, ...options };
  try {
    return await withDesk({ folder, env, familyOptions: options.familyOptions }, polya, work);
  } finally {
    await polya.close();
  }
}

export async function playRun(place: Place, run: WholeRun): Promise<Played> {
  const polya = openIn(place, run.replies, run.options);
  try {
    const handle = await startRun(polya.world, {
      id: `run-${process.hrtime.bigint()}`,
      family: 'aoc',
      agent: 'tool-loop',
      problem: run.problem,
      models: { default: 'test/script' },
      limits: run.limits ?? { toolCalls: 50 },
      settings: run.settings ?? {},
    });
    await handle.done;
    const { events } = await readJournal(polya.world.store, handle.id);
    const metrics = aocMetrics(events);
    const end = events.find((event) => event.kind === 'run-end');
    if (!metrics) throw new Error('No run of this family.');
    return { events, metrics, outcome: end?.kind === 'run-end' ? end.body.outcome : undefined };
  } finally {
    await polya.close();
  }
}

const call = (name: string, args: JsonObject) => ({ name, args });

/** The calls of one day, as a script makes them. */
export function toolsOf(year: number, day: number, lang = 'python') {
  return {
    statement: (part: number) => call('DownloadProblemStatement', { year, day, part }),
    input: () => call('DownloadInput', { year, day }),
    run: (code: string, input?: string) =>
      call('RunGeneratedCode', { lang, code, ...(input === undefined ? {} : { input }) }),
    submit: (answer: string) => call('SubmitAnswer', { year, day, answer }),
  };
}
