/**
 * The life of one candidate: proposed, held against what is known, evaluated as far as it deserves, settled. Whatever
 * becomes of it, it is noted, with why.
 */
import type { Run } from '../../core/agent.ts';
import { LimitReached } from '../../core/errors.ts';
import type { CandidateNote } from '../../core/evolution-notes.ts';
import type { ProgramEvaluation } from '../../core/program.ts';
import type { Slot } from './generations.ts';
import { type CarriedOut, carryOut } from './operators/carry-out.ts';
import { type Plan, parentsOf } from './operators/plan.ts';
import { bestOf, type Island, type Program, settle } from './population.ts';
import { race } from './race.ts';
import { crown, end, hintsOf, type Search, scaleOf, write } from './search.ts';

export type Candidate = {
  readonly search: Search;
  /** Null: it belongs to none. */
  readonly island: Island | null;
  readonly slot: Slot;
  readonly doing: (what: string) => void;
};

type Made = Pick<CarriedOut, 'summary' | 'tokens' | 'calls' | 'parameters'> & { readonly source: string };
type Fate = Pick<CandidateNote, 'status' | 'detail'> & { readonly evaluation?: ProgramEvaluation };
type Origin = Pick<CandidateNote, 'operator' | 'parents'>;

/** A limit that is reached on the way ends the search; what there is of the candidate by then is kept. */
export async function develop(
  candidate: Candidate & { readonly island: Island },
  plan: Plan,
  run: Run,
): Promise<Program> {
  const { search, island, doing } = candidate;
  const origin = { operator: plan.operator, parents: parentsOf(plan) };
  const hints = hintsShown(candidate, plan);
  let made: Made = { ...nothing, summary: `${plan.operator} ${origin.parents.join(', ')}`.trim() };
  const fate = await orLimit(search, async () => {
    const proposal = await carryOut({ search, island, run, doing }, plan);
    made = { ...proposal, source: proposal.source ?? '' };
    if (proposal.source === null) {
      return {
        status: proposal.isUnanswered ? ('unanswered' as const) : ('unusable' as const),
        detail: proposal.detail,
      };
    }
    return tried(candidate, origin, proposal.source, run);
  });
  return settled(candidate, { ...origin, ...made, ...fate, hints }, run);
}

/** A program that is there already: its user's, or the template. */
export async function admitted(
  candidate: Candidate,
  program: { operator: 'template' | 'given'; source: string; summary: string },
  run: Run,
): Promise<Program> {
  const origin = { operator: program.operator, parents: [] };
  const fate = await orLimit(candidate.search, () => tried(candidate, origin, program.source, run));
  return settled(candidate, { ...nothing, ...origin, ...program, ...fate, hints: [] }, run);
}

const nothing = {
  source: '',
  summary: '',
  tokens: { input: 0, output: 0 },
  calls: 0,
  parameters: {},
} as const;

async function orLimit(search: Search, work: () => Promise<Fate>): Promise<Fate> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    end(search, error.message);
    return { status: 'unanswered', detail: error.message };
  }
}

async function tried(
  { search, island, slot, doing }: Candidate,
  { parents, operator }: Origin,
  source: string,
  run: Run,
): Promise<Fate> {
  const work = { id: slot.id, source, parents };
  const nearest = search.novelty.nearest(work);
  // What its user gave, and the template, are run whatever they are like.
  if (nearest && operator !== 'template' && operator !== 'given') {
    const { likeness, id } = nearest;
    if (likeness >= search.settings.noveltyThreshold) {
      const how = likeness === 1 ? 'the same as' : `${(likeness * 100).toFixed(0)} % the change that is`;
      return { status: 'duplicate', detail: `${how} ${id}` };
    }
  }
  search.novelty.add(work);
  doing(`evaluates ${slot.id}`);
  return race(run, {
    source,
    cases: search.cases.search,
    points: search.points,
    rules: () => search.settings,
    reference: () => (island ? (bestOf(island, scaleOf(search))?.outcomes ?? null) : null),
  });
}

type Told = Made & Fate & Origin & Pick<CandidateNote, 'hints'>;

function settled({ search, island, slot }: Candidate, told: Told, run: Run): Program {
  const { evaluation = null, ...rest } = told;
  const outcomes = evaluation?.cases ?? [];
  const common = { ...slot, island: island?.number ?? 0, ...fieldsOf(rest) };
  const program: Program = {
    ...common,
    score: rest.status === 'evaluated' ? search.points.scoreOf(outcomes, search.settings) : null,
    outcomes,
    strategy: island?.strategy.name ?? '',
  };
  const { outcomes: _, strategy: __, ...note } = program;
  write(run, 'candidate', { ...note, evaluation });
  if (program.status === 'evaluated') search.programs.push(program);
  if (island) settle(island, program, scaleOf(search), search.settings.islandSize);
  crown(search, run, 'better');
  return program;
}

function fieldsOf({
  operator,
  parents,
  summary,
  source,
  status,
  detail,
  parameters,
  ...rest
}: Omit<Told, 'evaluation'>) {
  const { hints, tokens, calls } = rest;
  return { operator, parents, summary, source, status, detail, parameters, hints, tokens, calls };
}

/** Hints that held when it was asked for; a tuning is asked of nobody. */
function hintsShown({ search }: Candidate, { operator }: Plan): number[] {
  return operator === 'tune' ? [] : hintsOf(search).map(({ number }) => number);
}
