/** One candidate's life: proposed, compared with known programs, evaluated, settled, and noted with the reason. */
import type { Run } from '../../core/agent.ts';
import type { ProgramEvaluation } from '../../core/program.ts';
import { type CandidateNote, write } from '../../notes/evolution.ts';
import { orAtLimit } from '../kit/asking.ts';
import { Meter, type ProposerRole, proposerRoles } from './asking.ts';
import type { Slot } from './generations.ts';
import type { Plan, Proposal } from './operators/operator.ts';
import { bestOf, type Island, type Program, settle } from './population.ts';
import { type Reference, race } from './race.ts';
import { checkClock, end, hintsOf, mostCasesAtOnce, type Search, scaleOf, setBest } from './search.ts';

/** `island`: null where it belongs to none. */
type Candidate = { readonly search: Search; readonly island: Island | null; readonly slot: Slot };

type ProposedProgram = Pick<Proposal, 'summary' | 'tokens' | 'calls' | 'costUsd' | 'parameters'> & {
  readonly source: string;
};
type CandidateStatus = Pick<CandidateNote, 'status' | 'detail'> & { readonly evaluation?: ProgramEvaluation };
type Origin = Pick<CandidateNote, 'operator' | 'parents'>;

/** A limit that is reached on the way ends the search; what there is of the candidate by then is kept. */
export function develop(candidate: Candidate & { island: Island }, plan: Plan, run: Run): Promise<Program> {
  const { search, island, slot } = candidate;
  const action = createReporter(run, island);
  return run.branch(slot.id, async (here) => {
    const { operator, parent } = plan;
    const origin = { operator: operator.name, parents: parentsOf(plan) };
    const hints = visibleHints(search, plan);
    let created: ProposedProgram = {
      ...nothing,
      summary: `${operator.name} ${origin.parents.join(', ')}`.trim(),
    };
    const candidateStatus = await orLimit(search, async () => {
      const work = { search, island, run: here, doing: action, role: roleOf(search, plan), id: slot.id };
      if (parent && operator.asks === 'next') search.underway.set(slot.id, { parent: parent.id, idea: null });
      const proposal = await operator.propose(work, plan);
      const { source, detail } = proposal;
      created = { ...proposal, source: source ?? '' };
      if (source === null) return { status: proposal.isUnanswered ? 'unanswered' : 'unusable', detail };
      return recordAttempt(candidate, { ...origin, source, doing: action }, here);
    });
    search.underway.delete(slot.id);
    return settled(candidate, { ...origin, ...created, ...candidateStatus, hints }, here);
  });
}

function parentsOf({ parent, partner, operator }: Plan): CandidateNote['parents'] {
  const joins = 'partner' in operator && operator.partner === 'parent';
  return [parent, joins ? partner : null].flatMap((program) => (program ? [program.id] : []));
}

/** Notes the work in the branch of the line, not in that of the candidate. */
function createReporter(run: Run, island: Island | null) {
  return (what: string): void => write(run, 'doing', { island: island?.number ?? 0, what });
}

/** A model repairs its own programs; proposers take turns with changes. */
function roleOf(search: Search, { operator, parent }: Plan): ProposerRole {
  const roles = proposerRoles.slice(0, search.settings.proposers);
  const maker = roles.find((role) => role === parent?.parameters.role);
  if (operator.asks === 'maker' && maker) return maker;
  if (roles.length === 1 || operator.asks === 'first' || operator.asks === 'nobody') return 'solver';
  search.proposals += 1;
  return roles[(search.proposals - 1) % roles.length] ?? 'solver';
}

/** Takes a program of generation 0 that is there already: its user's, or the template. */
export async function admit(
  search: Search,
  island: Island | null,
  program: { operator: 'template' | 'given'; source: string; summary: string },
  run: Run,
): Promise<Program> {
  const slot = search.generations.beginFirst();
  const candidate = { search, island, slot };
  const input = { ...program, parents: [], doing: createReporter(run, island) };
  const admitted = await run.branch(slot.id, async (here) => {
    const candidateStatus = await orLimit(search, () => recordAttempt(candidate, input, here));
    return settled(candidate, { ...nothing, ...input, ...candidateStatus, hints: [] }, here);
  });
  search.generations.settle(slot);
  return admitted;
}

const nothing: ProposedProgram = { ...new Meter().spent, source: '', summary: '', parameters: {} };

function orLimit(search: Search, work: () => Promise<CandidateStatus>): Promise<CandidateStatus> {
  return orAtLimit(work, (detail) => {
    end(search, detail);
    return { status: 'unanswered', detail };
  });
}

type Attempt = Origin & {
  readonly source: string;
  readonly doing: (what: string) => void;
};

async function recordAttempt(
  { search, island, slot }: Candidate,
  { parents, operator, source, doing }: Attempt,
  run: Run,
): Promise<CandidateStatus> {
  const known = search.novelty.duplicateOf(source);
  // What builds on nothing runs even if it is the same as another: the user's programs, the template, drawn programs.
  if (known !== null && !['template', 'given', 'draw'].includes(operator)) {
    return { status: 'duplicate', detail: `the same as ${known}` };
  }
  search.novelty.add(source, slot.id);
  doing(`evaluates ${slot.id}`);
  const raced = await race(run, {
    source,
    cases: search.cases.search,
    points: search.points,
    rules: () => ({ onFailure: search.onFailure, ...search.settings.room }),
    // Drawn programs build on nothing, and all of them are run to their end.
    references: () => (operator === 'draw' ? [] : referencesOf(search, island, parents)),
    // Without any program there would be nothing to hand in.
    mayGoOn: async () => search.programs.length === 0 || (await checkClock(search, run)),
    mostAtOnce: () => mostCasesAtOnce(search),
  });
  if (raced.status === 'unjudged') search.novelty.remove(source, slot.id);
  return raced;
}

/** A candidate is compared with its own parent first; the failed program that a repair begins with has no worth. */
function referencesOf(
  search: Search,
  island: Island | null,
  [first]: readonly string[],
): readonly Reference[] {
  const parent = search.programs.find(({ id }) => id === first);
  const best = island && bestOf(island, scaleOf(search));
  return [
    ...(parent ? [{ program: parent, name: `its parent ${parent.id}` }] : []),
    ...(best && best !== parent ? [{ program: best, name: `the best of its island, ${best.id}` }] : []),
  ];
}

type StatusReport = ProposedProgram & CandidateStatus & Origin & Pick<CandidateNote, 'hints'>;

function settled({ search, island, slot }: Candidate, statusReport: StatusReport, run: Run): Program {
  const { operator, parents, summary, source, status, detail, parameters, hints, tokens, calls } =
    statusReport;
  const { evaluation = null } = statusReport;
  const outcomes = evaluation?.cases ?? [];
  const program: Program = {
    ...slot,
    operator,
    parents,
    summary,
    source,
    status,
    detail,
    parameters,
    hints,
    tokens,
    calls,
    outcomes,
    island: island?.number ?? 0,
    score: status === 'evaluated' ? search.points.scoreOf(outcomes) : null,
    strategy: island?.strategy.name ?? '',
  };
  const { outcomes: _, strategy: __, ...note } = program;
  write(run, 'candidate', { ...note, evaluation });
  if (program.status === 'evaluated') search.programs.push(program);
  if (island) settle(island, program, scaleOf(search));
  setBest(search, run);
  return program;
}

/** Hints that held when it was asked for; a tuning asks no model, but may be made for one. */
function visibleHints(search: Search, plan: Plan): number[] {
  if (plan.operator.asks === 'nobody') return plan.hint ? [plan.hint.number] : [];
  return hintsOf(search).map(({ number }) => number);
}
