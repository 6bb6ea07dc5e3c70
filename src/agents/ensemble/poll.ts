/**
 * The second stage: samples of the strategies, in branches, asked until the vote cannot change any more. It knows who
 * was asked, what came of it, what it cost and who was spared; what the votes mean, `vote.ts` knows.
 */
import type { BranchResult, Run } from '../../core/agent.ts';
import { EffectFailed, LimitReached } from '../../core/errors.ts';
import type { ModelSettings } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import type { PlanNote, SampleNote } from '../../notes/ensemble.ts';
import { modelSettings } from '../kit/asking.ts';
import { blankSample, type Found, Meter, sampleOf, type Task } from './asking.ts';
import { chain, reviewAnswer } from './chain.ts';
import { program } from './program.ts';
import { react } from './react.ts';
import type { EnsembleSettings, Strategy } from './settings.ts';
import { type Ballot, type Count, countVotes, isDecided, minVotesToDecide, voteLead } from './vote.ts';

/** One sample that is asked for: the `nth` of its strategy. */
type Item = {
  readonly number: number;
  readonly strategy: Strategy;
  readonly nth: number;
  readonly name: string;
  readonly meter: Meter;
  /** The second look at its answer, put off until it is known to be needed. */
  review: ((here: Run) => Promise<Found>) | null;
};

/** Grows while the strategies are asked. */
export type Poll = {
  readonly problem: Problem;
  readonly run: Run;
  readonly settings: EnsembleSettings;
  readonly plan: PlanNote;
  readonly hints: string[];
  /** Votes are counted again with each that comes; no two answers are compared twice. */
  readonly equal: (a: Answer, b: Answer) => boolean;
  /** Null where the settings do not ask for it, or the problem does not know. */
  readonly accepts: ((gold: Answer, reply: Answer) => number) | null;
  readonly items: Item[];
  readonly samples: SampleNote[];
  readonly spared: { readonly strategy: Strategy; readonly begun: boolean; readonly used: number | null }[];
  /** What limit was reached, in a sentence: nothing can be asked any more. */
  limit: string | null;
};

export function pollOf(context: Pick<Poll, 'problem' | 'run' | 'settings' | 'plan' | 'hints'>): Poll {
  const { problem, settings } = context;
  const equal = memoizeJudge<boolean>((a, b) => problem.equal?.(a, b) ?? false);
  const accepts = (settings.forms && problem.accepts && memoizeJudge(problem.accepts)) || null;
  return { ...context, equal, accepts, items: [], samples: [], spared: [], limit: null };
}

function memoizeJudge<Verdict>(judge: (a: Answer, b: Answer) => Verdict): (a: Answer, b: Answer) => Verdict {
  const known = new Map<string, Verdict>();
  return (a, b) => {
    const pair = JSON.stringify([a, b]);
    const verdict = known.get(pair) ?? judge(a, b);
    known.set(pair, verdict);
    return verdict;
  };
}

/** So many at once as the settings say, and none any more as soon as nothing depends on it. */
export async function sampleStrategies(poll: Poll, list: readonly Strategy[]): Promise<void> {
  const waiting = [...list];
  while (waiting.length > 0 && poll.limit === null) {
    const round = waiting.splice(
      0,
      Math.min(minSamples(poll, waiting), poll.settings.atOnce ?? waiting.length),
    );
    const items = round.map((strategy) => newItem(poll, strategy));
    await sampleRound(poll, items, waiting);
    if (!hasAgreement(poll, waiting)) await requestReviews(poll, items);
    if (!isOver(poll, poll.samples, waiting)) continue;
    for (const strategy of waiting) poll.spared.push({ strategy, begun: false, used: 0 });
    return;
  }
}

/** How many of the waiting samples could be enough to decide. */
function minSamples(poll: Poll, waiting: readonly Strategy[]): number {
  const { votesToWin: toWin, certainty, earlyStop, weights } = poll.settings;
  if (certainty === null || !earlyStop) return waiting.length;
  const outstanding = waiting.map((strategy) => weights[strategy]);
  return minVotesToDecide(voteLead(votesIn(poll)), { toWin, certainty }, outstanding);
}

function newItem({ items }: Poll, strategy: Strategy): Item {
  const nth = 1 + items.filter((item) => item.strategy === strategy).length;
  const name = `${strategy}-${nth}`;
  const item: Item = { number: items.length + 1, strategy, nth, name, meter: new Meter(), review: null };
  items.push(item);
  return item;
}

async function sampleRound(poll: Poll, items: readonly Item[], delayed: readonly Strategy[]): Promise<void> {
  const samplingOf = (item: Item) => (here: Run) => takeSample(item, here, () => work(poll, item, here));
  const branches = items.map((item) => [item.name, samplingOf(item)] as const);
  const ended = await poll.run.until(Object.fromEntries(branches), (results) => {
    const samples = [...poll.samples, ...results.flatMap((result) => (result.ok ? [result.value] : []))];
    const names = new Set(results.map(({ name }) => name));
    const open = items.filter(({ name }) => !names.has(name)).map(({ strategy }) => strategy);
    return open.length > 0 && isOver(poll, samples, [...open, ...delayed]);
  });
  keep(poll, items, ended);
  judgeFailures(poll, items, ended, isOver(poll, poll.samples, delayed));
}

/** What more than one has found needs no second look; a vote that one alone decides does. */
function hasAgreement(poll: Poll, open: readonly Strategy[]): boolean {
  const { winner, isTie } = votesIn(poll);
  return winner !== null && !isTie && winner.samples.length > 1 && isOver(poll, poll.samples, open);
}

/** The second looks that were put off. One that a limit refuses leaves the answer as it was. */
async function requestReviews(poll: Poll, items: readonly Item[]): Promise<void> {
  const branches = items.flatMap((item) => {
    const { review } = item;
    return review ? [[`${item.name}-review`, (here: Run) => takeSample(item, here, review)] as const] : [];
  });
  if (branches.length === 0 || poll.limit !== null) return;
  for (const result of await poll.run.until(Object.fromEntries(branches), () => false)) {
    if (result.ok)
      poll.samples[poll.samples.findIndex(({ name }) => name === result.value.name)] = result.value;
    else if (result.error instanceof LimitReached) poll.limit = result.error.message;
    else throw result.error;
  }
}

async function takeSample(item: Item, here: Run, find: (here: Run) => Promise<Found>): Promise<SampleNote> {
  const sample = await sampleOf(item.strategy, () => find(here));
  const note = { ...sample, number: item.number, name: item.name, tokens: item.meter.tokens };
  here.note('sample', note);
  return note;
}

/** The plan goes to program and chain, the problem type to chain; react is told the question alone. */
async function work({ problem, run, settings, plan, hints }: Poll, item: Item, here: Run): Promise<Found> {
  const { strategy, nth, meter } = item;
  const path = samplingSettings(run, settings, nth);
  // Who is to go about it in another way is not told the one that was planned.
  const isPlanned = plan.plan !== '' && (settings.diversity !== 'prompt' || nth === 1);
  const planned = isPlanned ? run.prompt('plan', { plan: plan.plan }) : '';
  const typed = plan.problemType === '' ? '' : run.prompt('problemType', { problemType: plan.problemType });
  const task = (...asides: readonly string[]): Task => {
    const { modelSettings, wording } = path;
    const { reminders } = settings;
    return { problem, run: here, modelSettings, meter, reminders, hints, asides: [...asides, wording] };
  };
  switch (strategy) {
    case 'program':
      return program(task(planned), settings);
    case 'chain': {
      const isOfType = (type: string) => type.toLowerCase() === plan.problemType.toLowerCase();
      const asked = task(typed, planned);
      const review = settings.reviewed.some(isOfType);
      const isPutOff = review && settings.spareReviews && settings.earlyStop;
      const found = await chain(asked, { review: review && !isPutOff });
      const reasoning = meter.lastWords;
      if (isPutOff) item.review = (run) => reviewAnswer({ ...asked, run: run }, found.answer, reasoning);
      return found;
    }
    case 'react':
      return react(task(), settings);
  }
}

/** Results in the order of their ends; samples in that of their numbers. */
function keep(poll: Poll, items: readonly Item[], ended: readonly BranchResult<SampleNote>[]): void {
  for (const item of items) {
    const result = ended.find(({ name }) => name === item.name);
    if (!result) poll.spared.push({ strategy: item.strategy, begun: true, used: item.meter.tokens });
    else if (result.ok) poll.samples.push(result.value);
    else if (result.error instanceof LimitReached) {
      poll.limit = result.error.message;
      keepFailed(poll, item, 'limit', result.error.message);
    }
  }
}

/** A provider or sandbox that is not there ends the run, to be resumed, unless the vote is decided without it. */
function judgeFailures(
  poll: Poll,
  items: readonly Item[],
  ended: readonly BranchResult<SampleNote>[],
  isDecidedNow: boolean,
): void {
  for (const result of ended) {
    if (result.ok || result.error instanceof LimitReached) continue;
    const { error, name } = result;
    const isMissing = error instanceof EffectFailed && error.effectError.unavailable === true;
    const item = items.find((each) => each.name === name);
    if (!isDecidedNow || !isMissing || !item) throw error;
    keepFailed(poll, item, 'unavailable', error.message);
  }
}

function keepFailed(
  poll: Poll,
  { number, name, strategy, meter }: Item,
  failed: 'limit' | 'unavailable',
  detail: string,
): void {
  const cause = { failed, detail, answer: null };
  const note: SampleNote = { ...blankSample, ...cause, strategy, number, name, tokens: meter.tokens };
  poll.samples.push(note);
  poll.run.note('sample', note);
}

function isOver(poll: Poll, samples: readonly SampleNote[], open: readonly Strategy[]): boolean {
  const { votesToWin: toWin, weights, earlyStop, certainty } = poll.settings;
  if (!earlyStop && open.length > 0) return false;
  const outstanding = open.map((strategy) => weights[strategy]);
  return isDecided(voteLead(votesIn(poll, samples)), { toWin, certainty }, outstanding);
}

/** `samples`: other ones than those of the poll, for a count ahead of it. */
export function votesIn(poll: Poll, samples: readonly SampleNote[] = poll.samples): Count {
  const { equal, accepts, settings } = poll;
  const ballots = samples.flatMap(({ number, answer, strategy }): Ballot[] =>
    answer ? [{ number, answer, weight: settings.weights[strategy] }] : [],
  );
  return countVotes(ballots, { toWin: settings.votesToWin, ties: settings.ties }, equal, accepts);
}

/** An estimate; see `VoteNote.savedTokensEstimate`. */
export function savedTokens({ spared, samples }: Poll): number | null {
  let saved = 0;
  for (const { strategy, used } of spared) {
    const own = samples.filter((sample) => sample.strategy === strategy);
    const defaultValue = meanTokens(own) ?? meanTokens(samples);
    if (defaultValue === null || used === null) return null;
    saved += Math.max(0, defaultValue - used);
  }
  return Math.round(saved);
}

function meanTokens(samples: readonly SampleNote[]): number | null {
  const known = samples.flatMap(({ tokens, failed }) =>
    tokens === null || failed === 'limit' ? [] : [tokens],
  );
  return known.length > 0 ? known.reduce((sum, each) => sum + each, 0) / known.length : null;
}

const wordings = ['otherWay', 'thirdWay', 'fourthWay'] as const;

/**
 * What makes two branches of one strategy say different things: the temperature, a seed, or another wording. The `nth`
 * branch of a strategy counts from 1; the first one always has the plain wording.
 */
function samplingSettings(run: Run, settings: EnsembleSettings, nth: number) {
  const asked = { ...modelSettings(settings), ...(settings.diversity === 'seed' && { seed: nth }) };
  const needsWording = nth > 1 && isSameSetting(run.settingsFor('solver', asked), settings.diversity, nth);
  const isNumbered = settings.diversity === 'prompt' && nth - 2 >= wordings.length;
  const name = isNumbered ? 'nthWay' : wordings[(nth - 2) % wordings.length];
  return {
    modelSettings: asked,
    wording: needsWording && name ? run.prompt(name, { number: `${nth}` }) : '',
  };
}

/** Whether the same prompt would be answered the same way, by what the model is really sent. */
function isSameSetting(
  modelSettings: ModelSettings,
  diversity: EnsembleSettings['diversity'],
  nth: number,
): boolean {
  // A seed that its user has set makes some models say the same at any temperature.
  if (diversity === 'auto') return (modelSettings.temperature ?? 0) === 0 || modelSettings.seed !== undefined;
  return (
    diversity === 'prompt' || diversity === 'wording' || (diversity === 'seed' && modelSettings.seed !== nth)
  );
}
