/** What a journal says so far, added up event by event, for live views, lists, metrics and exports alike. */
import {
  type Event,
  type EventBodies,
  type Header,
  isIntent,
  isSettlement,
  type RunEnd,
  type Settlement,
} from './event.ts';
import { canReopen, positionKey } from './history.ts';
import { addTotals, modelCallTotals, noTotals, type Totals } from './totals.ts';

/** What was done while one stage of the problem was open. */
export type StageView = {
  /** Empty for a problem without stages, and for what came after the last one. */
  readonly stage: string;
  readonly isDone: boolean;
  /** It is done with an answer that nobody can judge. */
  readonly isUnjudged: boolean;
  /** Time alive between its start and its end, downtime excluded. */
  readonly aliveMs: number;
  readonly totals: Totals;
};

/** An effect that has begun and has not been settled. */
export type OpenEffect = { readonly event: Event; readonly stage: string; readonly isWanting?: boolean };

/** What a journal says so far: totals by stage and role, what is open, how it ended. */
export type RunView = {
  /** The header with the limits that are valid now. */
  readonly header: Header | null;
  readonly end: RunEnd | null;
  readonly lastSeq: number;
  readonly lastAtMs: number;
  readonly aliveMs: number;
  /** How many processes have worked on it. */
  readonly lives: number;
  readonly totals: Totals;
  /** The part of `totals` that a fork took over from its parent, paid there. */
  readonly inherited: Totals;
  readonly byRole: Readonly<Record<string, Totals>>;
  readonly stages: readonly StageView[];
  readonly open: readonly OpenEffect[];
  /** Broken off, or failed for want of something: open again when the run is resumed, where its end says so. */
  readonly suspended: readonly OpenEffect[];
  /** Model calls that were broken off or lost, and that a provider may have billed. */
  readonly possiblyBilled: number;
};

export const emptyView: RunView = {
  header: null,
  end: null,
  lastSeq: 0,
  lastAtMs: 0,
  aliveMs: 0,
  lives: 1,
  totals: noTotals,
  inherited: noTotals,
  byRole: {},
  stages: [],
  open: [],
  suspended: [],
  possiblyBilled: 0,
};

/** What the events of a journal add up to. */
export function foldRun(events: readonly Event[]): RunView {
  return events.reduce(applyEvent, emptyView);
}

export function applyEvent(before: RunView, event: Event): RunView {
  const view = tick(before, event);
  if (isIntent(event)) return { ...view, open: [...view.open, { event, stage: currentStage(view) }] };
  if (isSettlement(event)) return settle(view, event);
  switch (event.kind) {
    case 'run-start':
      return openStage({ ...view, header: event.body }, event.body.problem.stages[0] ?? '');
    case 'run-fork':
      // What was in flight at the fork point is the parent's to account for.
      return {
        ...view,
        open: [],
        suspended: [],
        header: event.body,
        end: null,
        inherited: view.totals,
        possiblyBilled: 0,
      };
    case 'run-resume':
      return {
        ...reopenView(addElapsedTime(view, event.body.aliveMs - view.aliveMs)),
        header: withContext(view.header, event.body.context),
        end: null,
        lives: view.lives + 1,
      };
    case 'run-limits': {
      const { header } = view;
      return { ...view, header: header && { ...header, limits: { ...header.limits, ...event.body.limits } } };
    }
    case 'run-end':
      return endRun(view, event.body);
    case 'stage-end':
      return openStage(closeStage(view, event.body), '');
    case 'stage-start':
      return openStage({ ...view, stages: view.stages.slice(0, -1) }, event.body.stage);
    default:
      return view;
  }
}

function withContext(header: Header | null, context: Header['context']): Header | null {
  return header && context ? { ...header, context } : header;
}

function tick(view: RunView, event: Event): RunView {
  const isNewLife = event.kind === 'run-resume' || event.kind === 'run-fork';
  const passedMs = view.lastAtMs && !isNewLife ? event.atMs - view.lastAtMs : 0;
  return { ...addElapsedTime(view, passedMs), lastSeq: event.seq, lastAtMs: event.atMs };
}

function addElapsedTime(view: RunView, passedMs: number): RunView {
  const ms = Math.max(0, passedMs);
  const last = view.stages.at(-1);
  return {
    ...view,
    aliveMs: view.aliveMs + ms,
    stages: last ? [...view.stages.slice(0, -1), { ...last, aliveMs: last.aliveMs + ms }] : view.stages,
  };
}

function currentStage(view: RunView): string {
  return view.stages.at(-1)?.stage ?? '';
}

function openStage(view: RunView, stage: string): RunView {
  return {
    ...view,
    stages: [...view.stages, { stage, isDone: false, isUnjudged: false, aliveMs: 0, totals: noTotals }],
  };
}

function closeStage(view: RunView, { stage, isUnjudged }: EventBodies['stage-end']): RunView {
  return {
    ...view,
    stages: view.stages.map((each) =>
      each.stage === stage ? { ...each, isDone: true, isUnjudged: isUnjudged === true } : each,
    ),
  };
}

/** What was in flight when a life ended is made again; a provider may have billed it then. */
function reopenView(view: RunView): RunView {
  const calls = view.open.filter(({ event }) => event.kind === 'model-request');
  const retried = view.end && canReopen(view.end) ? view.suspended : [];
  return {
    ...view,
    open: [...view.open, ...retried],
    suspended: [],
    possiblyBilled: view.possiblyBilled + calls.length,
  };
}

/** What failed for want of something without ending the run is not made again. */
function endRun(view: RunView, end: RunEnd): RunView {
  const again = new Set(end.again?.map(positionKey));
  const openEffects = view.suspended.filter(
    ({ event, isWanting }) => !isWanting || again.has(positionKey(event)),
  );
  return { ...view, end, suspended: openEffects };
}

function settle(view: RunView, event: Extract<Event, { body: Settlement }>): RunView {
  const { kind, body } = event;
  const key = positionKey(event);
  const opened = view.open.find((open) => positionKey(open.event) === key);
  const added = eventTotals(event, opened?.event ?? null);
  const role = roleOf(opened?.event);
  const stage = opened?.stage ?? currentStage(view);
  return {
    ...view,
    open: view.open.filter((open) => open !== opened),
    suspended: suspend(view.suspended, opened, body),
    totals: addTotals(view.totals, added),
    byRole: role ? { ...view.byRole, [role]: addTotals(view.byRole[role] ?? noTotals, added) } : view.byRole,
    stages: addToStage(view.stages, stage, added),
    possiblyBilled: view.possiblyBilled + (kind === 'model-response' && body.status === 'cancelled' ? 1 : 0),
  };
}

function suspend(
  openEffects: readonly OpenEffect[],
  opened: OpenEffect | undefined,
  body: Settlement,
): readonly OpenEffect[] {
  const isOfBranch = body.status === 'cancelled' && body.by === 'branch';
  if (!opened || !(isOfBranch || canRetry(body))) return openEffects;
  return [...openEffects, { ...opened, isWanting: isOfBranch || body.status === 'error' }];
}

function addToStage(stages: readonly StageView[], stage: string, added: Totals): readonly StageView[] {
  const index = stages.findLastIndex((each) => each.stage === stage);
  return stages.map((each, at) => (at === index ? { ...each, totals: addTotals(each.totals, added) } : each));
}

function roleOf(intent: Event | undefined): string | null {
  if (intent?.kind !== 'model-request') return null;
  return typeof intent.body.role === 'string' ? intent.body.role : null;
}

function eventTotals(event: Extract<Event, { body: Settlement }>, intent: Event | null): Totals {
  const { kind, body } = event;
  if (body.status === 'refused') return noTotals;
  if (kind === 'model-response') return modelCallTotals(body);
  if (kind === 'exec-end') return { ...noTotals, programs: 1 };
  if (kind !== 'tool-result' || intent?.kind !== 'tool-call' || canRetry(body)) return noTotals;
  const failed = body.status !== 'ok' || (body.result as { isError?: boolean }).isError === true;
  return { ...noTotals, toolCalls: { [String(intent.body.name)]: 1 }, failedToolCalls: failed ? 1 : 0 };
}

/** Broken off with the run, or for want of something: a resume makes the same call again, and it counts once. */
function canRetry(body: Settlement): boolean {
  if (body.status === 'cancelled') return body.by === 'end';
  return body.status === 'error' && body.error.unavailable === true;
}
