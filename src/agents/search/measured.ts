/**
 * Programs on the cases of a search, and the choice among them on cases that none was chosen by: what
 * `best-of-n` measures by. It asks no model.
 */
import { z } from 'zod';
import type { Run, Solution } from '../../core/agent.ts';
import type { CaseOutcome, ProgramTask } from '../../core/program.ts';
import { noteOfBest } from '../../notes/best-of-n.ts';
import { described } from '../kit/described.ts';
import { orAtLimit } from '../kit/limit.ts';
import { Points } from './points.ts';
import { type CaseSplit, evaluateOn, race, splitCases } from './race.ts';
import texts from './settings.json' with { type: 'json' };
import { changeable } from './settings.ts';

const { timeLimitSeconds, timeMargin, onFailure, repairs, finalists, ...asked } = changeable;
const { temperature, maxOutputTokens, reasoningEffort } = asked;

/** Settings as of evolution. */
export const measuring = described(
  {
    searchCases: z.int().min(1).nullable().default(30),
    heldOutCases: z.int().min(0).max(100_000).default(50),
    ...{ timeLimitSeconds, timeMargin, onFailure, repairs, finalists },
    ...{ temperature, maxOutputTokens, reasoningEffort },
  },
  texts.measuring,
);

export type Measuring = z.infer<z.ZodObject<typeof measuring>>;

/** A program that ran on all cases of the search; `mean` in points. */
export type Ran = {
  readonly source: string;
  readonly outcomes: readonly CaseOutcome[];
  readonly name: string;
};

export class Measured {
  /** Why no program was found in the last reply; empty where one was. */
  unusable = '';
  readonly points: Points;
  readonly cases: CaseSplit;
  readonly ran: Ran[] = [];
  readonly #task: ProgramTask;
  readonly #settings: Measuring;

  constructor(run: Run, { task, settings }: { task: ProgramTask; settings: Measuring }) {
    this.#task = task;
    this.#settings = settings;
    this.points = new Points(task);
    this.cases = splitCases(run, task, settings);
  }

  async run(run: Run, source: string, name: string) {
    const rules = () => ({ ...this.#settings, raceAfter: [], raceLevel: 0 });
    const { search: cases } = this.cases;
    const raced = await race(run, {
      source,
      cases,
      points: this.points,
      rules,
      references: () => [],
      mayGoOn: async () => this.ran.length === 0 || (await this.hasTime(run)),
    });
    const outcomes = raced.evaluation.cases;
    if (raced.status === 'evaluated') this.ran.push({ source, outcomes, name });
    return { ...raced, outcomes };
  }

  async hasTime(run: Pick<Run, 'alive'>): Promise<boolean> {
    return (await run.alive()) < this.#settings.timeLimitSeconds * 1000;
  }

  /** Null where the program is worth nothing. */
  worthOf({ outcomes }: Pick<Ran, 'outcomes'>): number | null {
    return this.points.meanOf(outcomes, this.#settings);
  }

  scoreOf({ outcomes }: Pick<Ran, 'outcomes'>): number | null {
    return this.points.scoreOf(outcomes, this.#settings);
  }

  /** The best first; of equals the older. */
  ranked(): readonly Ran[] {
    const worth = (each: Ran) => this.worthOf(each) ?? Number.NEGATIVE_INFINITY;
    return this.ran
      .filter((each) => this.worthOf(each) !== null)
      .map((each) => ({ each, worth: worth(each) }))
      .toSorted((a, b) => b.worth - a.worth)
      .map(({ each }) => each);
  }

  /** The finalist with the best mean on held-out cases; where none can be run, the best of the search. */
  async handIn(run: Run, because: string): Promise<Solution> {
    const finalists = this.ranked().slice(0, this.#settings.finalists);
    const [first] = finalists;
    if (!first) {
      const last = this.unusable && `The last reply: ${this.unusable}`;
      const why = ['No program ran on all cases without a failure.', last, because].filter(Boolean);
      return { end: 'gave-up', detail: why.join(' ') };
    }
    const { heldOut } = this.cases;
    const means = heldOut.length === 0 ? null : await this.#onHeldOut(run, finalists);
    const best = (means ?? []).reduce<number | null>(
      (most, each) => (each !== null && (most === null || each > most) ? each : most),
      null,
    );
    const chosen = (best !== null && finalists[means?.indexOf(best) ?? 0]) || first;
    const why =
      best === null
        ? 'the best on the cases of the search'
        : `the best of ${finalists.length} on ${heldOut.length} held-out cases`;
    noteOfBest(run, 'final', {
      ...{
        chosen: chosen.name,
        cases: best === null ? 0 : heldOut.length,
        means: [...(means ?? [])],
        because: why,
      },
    });
    const answer = { type: 'source', language: this.#task.language, source: chosen.source } as const;
    return { end: 'answered', answer, detail: `${chosen.name}: ${why}. ${because}`.trim() };
  }

  #onHeldOut(run: Run, finalists: readonly Ran[]): Promise<readonly (number | null)[] | null> {
    return orAtLimit(
      async () => {
        const found: (readonly CaseOutcome[])[] = [];
        for (const { source } of finalists) {
          const { cases } = await evaluateOn(run, source, this.cases.heldOut);
          this.points.learn(cases);
          found.push(cases);
        }
        return found.map((outcomes) => this.worthOf({ outcomes }));
      },
      () => null,
    );
  }
}
