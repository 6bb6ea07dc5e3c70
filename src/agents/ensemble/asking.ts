/**
 * What the ensemble's strategies have in common: what each is handed, how it asks a model and has the answer read, how
 * it comes to nothing, and how it is an agent of its own. A strategy either returns an answer or throws
 * `NoAnswerError`; all else is the run's business.
 */
import type { Run, Solution } from '../../core/agent.ts';
import { describeCut, describeModelRefusal, describePartialText, requireReply } from '../../core/cut-off.ts';
import { describeFailure } from '../../core/errors.ts';
import {
  isCutOff,
  type Message,
  type ModelRequest,
  type ModelSettings,
  type ModelSuccess,
  textOf,
} from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { totalTokens, type Usage } from '../../core/usage.ts';
import type { SampleNote } from '../../notes/ensemble.ts';
import {
  briefFields,
  describeCutReply,
  modelSettings,
  nothingSaid,
  readAnswer,
  requestReading,
  system,
  takeHints,
  user,
} from '../kit/asking.ts';
import type { CallSettings } from './settings.ts';

/** What a strategy works with. */
export type Task = {
  readonly problem: Problem;
  readonly run: Run;
  /** Asked of the solver; other roles are asked for the same but temperature and seed. */
  readonly modelSettings: ModelSettings;
  readonly meter: Meter;
  /** How often a reply without an answer is asked for one. */
  readonly reminders: number;
  /** What its user has said so far; common to all of a run. */
  readonly hints: string[];
  /** Texts below the question: the plan, another wording. */
  readonly asides: readonly string[];
};

type Sample = Omit<SampleNote, 'number' | 'name' | 'tokens'>;
type Facts = Partial<Omit<Sample, 'answer' | 'failed' | 'strategy'>>;

/** What a strategy found, and how; what it does not say was not there. */
export type Found = { readonly answer: Answer } & Facts;

type Reason = NonNullable<Sample['failed']>;

/** No answer came of it, and that is the model's doing. */
export class NoAnswerError extends Error {
  readonly reason: Reason;
  readonly facts: Facts;

  constructor(reason: Reason, detail: string, facts: Facts = {}) {
    super(detail);
    this.reason = reason;
    this.facts = facts;
  }
}

/** What a strategy had done, told also where a call of its comes to nothing. */
export async function withFacts<Result>(facts: () => Facts, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    throw new NoAnswerError(error.reason, error.message, { ...facts(), ...error.facts });
  }
}

/** Tokens of all calls of one sample, null as soon as one provider does not say; and what it said last. */
export class Meter {
  tokens: number | null = 0;
  lastWords = '';

  add({ tokens }: Usage): void {
    this.tokens = this.tokens === null || tokens === null ? null : this.tokens + totalTokens(tokens);
  }
}

export type Reply = ModelSuccess & { readonly text: string };

/**
 * One call. Trouble that the model has with this very request is its own; what a provider lacks is not. A reply that was
 * cut off is returned: its reader takes nothing from it.
 */
export async function requestReply(
  { run, meter, modelSettings, hints }: Task,
  role: string,
  messages: readonly Message[],
  output?: ModelRequest['output'],
): Promise<Reply> {
  const { temperature: _, seed: __, ...others } = modelSettings;
  const settings = role === 'solver' ? modelSettings : others;
  // The hints so far, the new ones included, stand behind what a model is asked.
  if (role !== 'summariser') await takeHints(run, hints);
  const turns = role === 'summariser' ? [] : hints.map((hint) => user(run.prompt('hint', { hint })));
  const reply = await run.generate(role, {
    messages: [...messages, ...turns],
    output,
    settings: Object.keys(settings).length > 0 ? settings : undefined,
  });
  if (reply.usage) meter.add(reply.usage);
  if (!reply.ok && reply.error.kind === 'context-overflow')
    throw new NoAnswerError('context', describeFailure(reply));
  if (!reply.ok && reply.error.kind === 'malformed') {
    const detail = `The ${role}'s call failed (${reply.error.kind}): ${reply.error.message}`;
    const received = describePartialText(reply.error.partialText);
    throw new NoAnswerError('model', received ? `${detail} ${received}` : detail);
  }
  const modelSuccess = reply.ok && isCutOff(reply) ? reply : requireReply(reply);
  if (modelSuccess.finish === 'refusal')
    throw new NoAnswerError('refused', describeModelRefusal(modelSuccess, `The ${role}`));
  const text = textOf(modelSuccess.message);
  if (role !== 'summariser') meter.lastWords = text;
  return { ...modelSuccess, text };
}

/** The answer in a reply; a reply without one is asked about. */
export async function answerOf(task: Task, role: string, messages: readonly Message[]) {
  const { problem, run } = task;
  const answerFormat = problem.spec.brief.answerFormat || nothingSaid;
  const { reading, reply, repairs } = await requestReading<Answer, Reply>({
    messages,
    repairs: task.reminders,
    request: (turns) => requestReply(task, role, turns),
    read: ({ text }) => readAnswer(problem, text),
    repairPrompt: (feedback) => run.prompt('noAnswer', { feedback, answerFormat }),
  });
  if (reading.ok) return { answer: reading.value, reply, repairs };
  throw isCutOff(reply)
    ? truncatedReplyError(task, reply, { repairs })
    : new NoAnswerError('no-answer', reading.problem, { repairs });
}

/** The last reply was cut off as well: nothing in it is an answer, whatever it would have answered. */
export function truncatedReplyError(
  { problem }: Pick<Task, 'problem'>,
  reply: ModelSuccess,
  facts: Facts = {},
): NoAnswerError {
  const cut = describeCut(reply) ?? undefined;
  return new NoAnswerError('cut-off', describeCutReply(problem, reply), { ...facts, cut });
}

/** The question as it was posed, with its pictures, and what goes with it. */
export function questionTurn({ problem, asides }: Pick<Task, 'problem' | 'asides'>): Message {
  const descendants = asides.filter((text) => text !== '').map((text) => ({ type: 'text', text }) as const);
  return { role: 'user', content: [...problem.spec.statement, ...descendants] };
}

/** A system prompt with the problem's brief in it. */
export function systemTurn({ problem, run }: Task, name: string, more = {}): Message {
  return system(run.prompt(name, { ...briefFields(problem), ...more }));
}

export const blankSample = { detail: '', repairs: 0, steps: 0, summaries: 0, review: null } as const;

/** What came of a strategy, as it is noted. */
export async function sampleOf(strategy: Sample['strategy'], work: () => Promise<Found>): Promise<Sample> {
  try {
    return { strategy, failed: null, ...blankSample, ...(await work()) };
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    const { reason, message, facts } = error;
    return { strategy, ...blankSample, ...facts, answer: null, failed: reason, detail: message };
  }
}

/** A strategy as an agent of its own: the same function as in the ensemble, without plan and vote. */
export async function runSingleStrategy(
  strategy: SampleNote['strategy'],
  { problem, run, settings }: { problem: Problem; run: Run; settings: CallSettings },
  work: (task: Task) => Promise<Found>,
): Promise<Solution> {
  const meter = new Meter();
  const { reminders } = settings;
  const input = { modelSettings: modelSettings(settings), meter, reminders };
  const task: Task = { problem, run, ...input, hints: [], asides: [] };
  const sample = await sampleOf(strategy, () => work(task));
  run.note('sample', { ...sample, number: 0, name: '', tokens: meter.tokens });
  const detail = sample.detail || undefined;
  if (sample.answer) return { end: 'answered', answer: sample.answer, detail };
  if (sample.failed === 'context') return { end: 'gave-up', limit: 'context', detail };
  return { end: ends[sample.failed ?? 'no-answer'] ?? 'gave-up', detail };
}

const ends: Readonly<Partial<Record<Reason, Solution['end']>>> = {
  'no-answer': 'malformed',
  'cut-off': 'malformed',
  model: 'malformed',
  refused: 'refused',
};
