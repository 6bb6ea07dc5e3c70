/** What the page is told of runs and of events: JSON that the server makes and the browser draws. Pure. */
import {
  type EffectKind,
  type Event,
  type EventKind,
  effectOfIntent,
  effectOfSettlement,
  type Header,
} from '../core/event.ts';
import { totalTokens } from '../core/usage.ts';
import { field, text } from '../text/json.ts';
import type { Tone } from '../text/paint.ts';
import { describeEvent, isIdle } from './event-line.ts';
import { goldOf, withoutGold } from './note.ts';

/** A run as a row of the list. Null: not known, or not yet added up. */
export type RunItem = {
  readonly id: string;
  readonly state: 'running' | 'interrupted' | 'ended';
  /** That has it, or had it last; null where the store is one machine's. */
  readonly host: string | null;
  /** It has asked a person something and waits. */
  readonly question: string | null;
  readonly outcome: string | null;
  readonly family: string;
  readonly problem: string;
  readonly title: string;
  readonly agent: string;
  readonly models: readonly string[];
  /** Why no provider is paid: `free (script)`; null where one is. */
  readonly free: string | null;
  /** What it does now, or why it ended. */
  readonly now: string;
  readonly createdAtMs: number;
  readonly lastAtMs: number;
  readonly aliveMs: number | null;
  readonly modelCalls: number | null;
  readonly tokens: number | null;
  readonly knownTokens: number;
  readonly costUsd: number | null;
  readonly knownCostUsd: number;
  readonly forkOf: { readonly run: string; readonly seq: number } | null;
  readonly events: number;
  /** The limit that it is nearest to; null where it has none, or has ended. */
  readonly bound: Bound | null;
};

/** `share` is from 0 to 1; `text`: `9 of 14 (tool calls)`. */
export type Bound = { readonly share: number; readonly text: string };

/** A line of a journal, without what was sent and said: `GET …/events/SEQ` has that. */
export type EventItem = {
  readonly seq: number;
  readonly atMs: number;
  readonly branch: string;
  readonly ordinal: number | null;
  readonly attempt: number;
  readonly kind: EventKind;
  readonly text: string;
  readonly tone: Tone;
  /** A look into the mailbox that found nothing: agents look before each call. */
  readonly isIdle: boolean;
  /** The effect that it begins or ends. */
  readonly effect: EffectKind | null;
  readonly half: 'intent' | 'settlement' | null;
  /** Who is asked; the language of a program; the name of a tool or of a note. */
  readonly who: string;
  readonly failed: boolean;
  /** Null where it is no model call, or unknown. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
};

/** A text of an event that no model of its run was shown, and where it stands in the body. */
export type HiddenPlace = { readonly path: readonly string[]; readonly text: string };

/** A run-set as a row of the list. */
export type SetItem = {
  readonly id: string;
  readonly createdAtMs: number;
  readonly name: string;
  readonly rows: number;
  /** `running`, `interrupted`, else why it ended. */
  readonly state: string;
  readonly pid: number | null;
  /** Rows that have ended, and those of them that are solved, passed, answered or scored. */
  readonly ended: number;
  readonly good: number;
};

/** A run-set as the head of its screen. Texts are those of `polya run-set show`. */
export type SetHead = {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** When its last row ended; null while one has not. */
  readonly endedAtMs: number | null;
  readonly isRunning: boolean;
  /** The current state, or the reason why it ended. */
  readonly state: string;
  readonly lines: readonly string[];
  readonly columns: readonly string[];
  readonly rows: number;
  /** False until all rows are read: what is counted over them then says nothing yet. */
  readonly isRead: boolean;
  readonly ended: number;
  /** `5 solved, 2 not begun` */
  readonly counts: string;
  readonly spent: string;
  readonly tokens: string;
  /** Null where it has none. */
  readonly budget: string | null;
  /** The known part of the budget that is spent, from 0 to 1. */
  readonly budgetShare: number | null;
  readonly concurrency: number;
  /** How long it may still take and what that is from; null where that cannot be told. */
  readonly eta: string | null;
  /** The command that continues it; null if nothing is left. */
  readonly goOn: string | null;
};

/** A row of a run-set. */
export type SetRowItem = {
  readonly index: number;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly run: string;
  readonly state: 'missing' | 'running' | 'interrupted' | 'ended';
  /** As of a run. */
  readonly host: string | null;
  readonly outcome: string | null;
  /** In the words of `polya run-set show`. */
  readonly outcomeText: string;
  readonly correct: boolean | null;
  readonly score: number | null;
  /** Why it ended so. */
  readonly why: string;
  /** What it handed in, shortened. */
  readonly answer: string;
  readonly title: string;
  readonly problem: string;
  readonly family: string;
  readonly modelCalls: number;
  readonly tokens: string;
  readonly tokenCount: number;
  readonly cost: string;
  /** Null where it is not known, or not of all calls. */
  readonly costUsd: number | null;
  readonly aliveMs: number | null;
};

/** A worker of a store that several hosts share. Of keys it is only told whose it has. */
export type HostItem = {
  readonly id: string;
  readonly host: string;
  readonly slots: number;
  readonly runs: readonly { readonly id: string; readonly title: string }[];
  readonly startedAtMs: number;
  /** When it last said that it lives. */
  readonly seenMsAgo: number;
  readonly codeVersion: string;
  /** How its programs are isolated; null: it runs none. */
  readonly isolation: string | null;
  readonly toolchains: readonly string[];
  /** Prefixes of the models that it can ask. */
  readonly providers: readonly string[];
  /** The families whose runs it takes; empty: all that fit. */
  readonly only: readonly string[];
};

/** What a run asks a person and waits for. */
export type QuestionItem = {
  readonly run: string;
  /** The event that asks: with it the answer is sent. */
  readonly seq: number;
  readonly atMs: number;
  readonly title: string;
  readonly problem: string;
  readonly agent: string;
  /** `question`: its agent asks. `model`: a person is in a model's place. */
  readonly kind: 'question' | 'model';
  /** The role and the branch, where a person is in a model's place. */
  readonly place: string;
  readonly text: string;
  /** What was said before; empty where nothing was. */
  readonly before: string;
  /** As addresses of data. */
  readonly images: readonly string[];
  /** Answers that can be chosen: those of a question that names them, and the values of a schema that lists them. */
  readonly choices: readonly string[];
  /** The answer must be JSON of this schema; null where it is free. */
  readonly schema: string | null;
  /** Tools that can be called in the place of an answer, as JSON. */
  readonly tools: readonly string[];
  /** False: the run is not alive, and reads the answer when it is resumed. */
  readonly isAlive: boolean;
  /** The command that answers it. */
  readonly command: string;
};

/** What was spent on something, in the words of `polya cost`. */
export type CostLine = {
  readonly name: string;
  readonly modelCalls: number;
  /** Null where any of it is unknown; so is `output`. */
  readonly input: number | null;
  /** The share of input tokens from a cache; null if none was sent. */
  readonly cacheHitRate: number | null;
  readonly output: number | null;
  /** Null where any of it is unknown. */
  readonly costUsd: number | null;
  readonly knownCostUsd: number;
  readonly free: boolean;
  readonly possiblyBilled: number;
  /** `$1.20`, `≥ $1.20`, `free (script)`, `unknown` */
  readonly cost: string;
};

export type CostTable = {
  readonly by: string;
  readonly lines: readonly CostLine[];
  readonly total: CostLine;
  /** Calls that were broken off or lost and may have been billed; empty where there are none. */
  readonly lost: string;
  /** Journals that could be read in part only. */
  readonly unread: readonly string[];
};

export function eventItem(event: Event, header: Pick<Header, 'agent' | 'problem'> | null): EventItem {
  const { seq, atMs, branch, ordinal, attempt, kind } = event;
  const eventLine = describeEvent(event, header);
  const { tone } = eventLine;
  const line = isGraded(event) ? withoutGold(eventLine.text, goldOf(header)) : eventLine.text;
  const begins = effectOfIntent(kind) ?? null;
  const ends = effectOfSettlement(kind) ?? null;
  const usage = usageOf(event);
  return {
    seq,
    atMs,
    branch,
    ordinal,
    attempt,
    kind,
    tone,
    isIdle: isIdle(event),
    text: line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line,
    effect: begins ?? ends,
    half: begins ? 'intent' : ends ? 'settlement' : null,
    who: eventActor(event),
    failed: tone === 'bad' || hasFailed(event),
    tokens: usage?.tokens ? totalTokens(usage.tokens) : null,
    costUsd: usage?.costUsd ?? null,
  };
}

/** As much as the widest screen shows. */
const longestLine = 400;

function usageOf(event: Event) {
  return event.kind === 'model-response' && 'usage' in event.body ? event.body.usage : undefined;
}

function eventActor({ kind, body }: Event): string {
  switch (kind) {
    case 'model-request':
      return text(body, 'role');
    case 'tool-call':
      return text(body, 'name');
    case 'exec-start':
      return text(body, 'language');
    case 'note':
      return body.kind;
    case 'stage-start':
    case 'stage-end':
      return body.stage;
    default:
      return '';
  }
}

/** Whether the event holds a wrong grade. After a right one, the gold answer is the submitted one and no secret. */
function isGraded({ kind, body }: Event): boolean {
  if (kind === 'run-end') return body.grade?.correct === false;
  return kind === 'grade-end' && body.status === 'ok' && field(body.result, 'correct') === false;
}

/** A program that did not end well. */
function hasFailed({ kind, body }: Event): boolean {
  if (kind !== 'exec-end' || body.status !== 'ok') return false;
  const step = field(body.result, 'run') ?? field(body.result, 'compile');
  return text(step, 'verdict') !== 'ok';
}
