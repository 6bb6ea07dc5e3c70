/** One event of a journal as one line for people; notes in the words of the agent that wrote them. Pure. */
import { type Event, type EventOf, type Header, modelsBehind, type Settlement } from '../core/event.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { FinishReason } from '../core/model.ts';
import { unsafeLabel } from '../core/sandbox.ts';
import { count, duration, oneLine } from '../text/format.ts';
import { field, isObject, list, text } from '../text/json.ts';
import {
  endReason,
  formatAmount,
  limitNames,
  limitsText,
  modelsText,
  outcomeText,
  outcomeTone,
} from '../text/labels.ts';
import type { EventLine } from '../text/line.ts';
import { answerLine } from './answer.ts';
import { describeEnsembleNote } from './ensemble.ts';
import { describeEvolutionNote } from './evolution-line.ts';
import { describeInductionNote } from './induction.ts';
import { majorLine, minorLine } from './note.ts';
import { countersIn, describeProofNote } from './proof.ts';
import { describeToolLoopNote } from './tool-loop.ts';
import { describeTuningNote } from './tuning.ts';

/** What the run was told, where the event is a look into its mailbox. */
export function notesIn({ kind, body }: Event): readonly Json[] {
  return kind === 'inbox' && body.status === 'ok' ? list(body.result, 'messages') : [];
}

/** A look into the mailbox that found nothing: agents look before each call. */
export function isIdle(event: Event): boolean {
  return event.kind === 'inbox' && event.body.status === 'ok' && notesIn(event).length === 0;
}

/** `author`: the header of the journal, whose agent wrote the notes in it. */
export function describeEvent(event: Event, author: EventAuthor): EventLine {
  const line = describe(event, author);
  const branch = event.branch ? `[${event.branch}] ` : '';
  return { ...line, text: oneLine(branch + line.text) };
}

function describe(event: Event, author: EventAuthor): EventLine {
  switch (event.kind) {
    case 'run-start':
    case 'run-fork': {
      const { problem, agent, fork } = event.body;
      const from = fork ? `fork of ${fork.run} after its event ${fork.seq}: ` : '';
      // In front, where no clipping takes it away.
      const unsafe = unsafeLabel(event.body.sandbox);
      return majorLine(
        `${unsafe ? `${unsafe}: ` : ''}${from}${problem.title}; ${agent.name} ${describeModels(event.body)}`,
        unsafe ? 'warn' : 'strong',
      );
    }
    case 'run-limits':
      return majorLine(`its user changed what it may use: ${limitsText(event.body.limits)}`, 'warn');
    case 'run-resume': {
      const { aliveMs, host } = event.body;
      return majorLine(
        `resumed after ${duration(aliveMs)}${host === undefined ? '' : ` on ${host}`}`,
        'warn',
      );
    }
    case 'run-end': {
      const answer = answerLine(event.body);
      const result = answer === null ? outcomeText(event.body) : `${outcomeText(event.body)}: ${answer}`;
      const stop = /[.!?]$/.test(result) ? '' : '.';
      return majorLine(`${result}${stop} ${endReason(event.body)}`, outcomeTone(event.body.outcome));
    }
    case 'stage-end':
      return event.body.isUnjudged
        ? majorLine(`✔ ${event.body.stage} is answered; nobody here knows whether it is right`, 'accent')
        : majorLine(`✔ ${event.body.stage} is solved`, 'good');
    case 'stage-start':
      return majorLine(`${event.body.stage} begins`, 'strong');
    case 'note':
      return notesOf(author)?.line(event) ?? majorLine(noteText(event.body.kind, event.body.data), 'faint');
    case 'model-request':
      return minorLine(
        `${text(event.body, 'role')} asks ${text(event.body, 'model')}: ${count(list(event.body, 'messages').length, 'message')}`,
      );
    case 'tool-call':
      return majorLine(`→ ${text(event.body, 'name')} ${args(field(event.body, 'args'))}`, 'accent');
    case 'ask':
      return majorLine(`? ${text(event.body, 'question')}`, 'warn');
    case 'exec-start':
      return majorLine(
        `→ a ${text(event.body, 'language')} program of ${lines(text(event.body, 'source'))}${inSession(event.body)}`,
        'accent',
      );
    case 'evaluate-start':
      // Agents note the result of an evaluation themselves.
      return minorLine(`→ evaluation on ${count(list(event.body, 'cases').length, 'case')}`);
    case 'check-start':
      return minorLine(`→ check of ${describeSubmission(event.body)}`);
    case 'grade-start':
      return minorLine(`→ grading of ${describeSubmission(event.body)}`);
    default:
      return settled(event.kind, event.body);
  }
}

/** A note whose data is a text is shown by it. */
function noteText(kind: string, data: Json): string {
  const isText = isObject(data) && typeof data.text === 'string' && Object.keys(data).length === 1;
  if (isText) return `${kind}: ${text(data, 'text')}`;
  return `note: ${kind} ${isObject(data) ? args(data) : abbreviate(data)}`;
}

function describeModels(header: Header): string {
  const models = modelsBehind(header);
  return Object.keys(models).length > 0 ? `with ${modelsText(models)}` : 'without a model';
}

/** Some tokens or dollars may be left, but too few. */
function rejectionText({ limit, max }: Extract<Settlement, { status: 'refused' }>): string {
  const isSum = limit === 'tokens' || limit === 'costUsd';
  const named = `the limit of ${formatAmount(limit, max)} (${limitNames[limit]})`;
  return isSum ? `it might take more than is left of ${named}` : `${named} is reached`;
}

function settled(kind: string, body: Settlement): EventLine {
  if (body.status === 'refused') return majorLine(`✘ refused: ${rejectionText(body)}`, 'bad');
  if (body.status === 'cancelled')
    return majorLine(body.by === 'late' ? '✘ broken off: too late to be of use' : '✘ broken off', 'warn');
  if (body.status === 'error') return majorLine(`✘ ${body.error.name}: ${body.error.message}`, 'bad');
  const { result } = body;
  switch (kind) {
    case 'model-response':
      return isReplyCut(result)
        ? majorLine(`cut off: ${resultText(result)}`, 'warn')
        : majorLine(resultText(result));
    case 'tool-result':
      return field(result, 'isError') === true
        ? majorLine(`← ✘ ${text(result, 'text')}`, 'bad')
        : majorLine(`← ${text(result, 'text')}`, 'faint');
    case 'exec-end':
      return majorLine(
        `← ${verdictOf(result)}${restoredText(result)}`,
        restoredText(result) ? 'warn' : 'faint',
      );
    case 'inbox': {
      const messages = list(result, 'messages');
      return messages.length
        ? majorLine(`told: ${messages.join(' / ')}`, 'warn')
        : minorLine('nothing was told');
    }
    case 'answer':
      return majorLine(`answered: ${text(result, 'text')}`, 'warn');
    case 'check-end':
      return majorLine(
        `← ${field(result, 'pass') === true ? 'passed' : 'not passed'}: ${text(result, 'feedback')}`,
        'faint',
      );
    case 'clock':
      return minorLine(abbreviate(result));
    case 'evaluate-end':
      return minorLine(`← score ${abbreviate(field(result, 'score'))}`);
    case 'grade-end':
      return minorLine(text(result, 'explanation'));
    default:
      return majorLine(`← ${abbreviate(result)}`, 'faint');
  }
}

const cutEnds: ReadonlySet<string> = new Set<FinishReason>(['length', 'cut']);

const isReplyCut = (result: Json): boolean => cutEnds.has(text(result, 'finish'));

/** Its words; without words, its thoughts; without either, what it calls. */
function resultText(result: Json): string {
  const parts = list(field(result, 'message'), 'content');
  const words = (type: string) =>
    parts
      .filter((part) => text(part, 'type') === type)
      .map((part) => text(part, 'text'))
      .join(' ')
      .trim();
  const spoken = words('text');
  const thought = words('reasoning');
  if (spoken) return `“${spoken}”`;
  if (thought) return `(thinks) ${thought}`;
  const calls = parts.filter((part) => text(part, 'type') === 'tool-call').map((part) => text(part, 'name'));
  return calls.length ? `calls ${calls.join(', ')}` : '(says nothing)';
}

/** Texts of several lines are shown by their length: the event holds them. */
function args(input: Json | undefined): string {
  if (!isObject(input)) return '(no readable arguments)';
  const format = (value: Json | undefined) =>
    typeof value === 'string' && value.includes('\n') ? lines(value) : abbreviate(value);
  const named = Object.entries(input).map(([name, value]) => `${name}: ${format(value)}`);
  return named.join(', ');
}

function lines(source: string): string {
  return count(source.trimEnd().split('\n').length, 'line');
}

/** The answer in a few words; its event has the full one. */
function describeSubmission(body: JsonObject): string {
  const answer = field(body, 'answer');
  const attempts = list(answer, 'attempts');
  if (attempts.length > 0) return `grids for ${count(attempts.length, 'test input')}`;
  const source = text(answer, 'source');
  if (source !== '') return `a program of ${lines(source)}`;
  const words = text(answer, 'text');
  return words === '' ? 'no answer' : `“${words}”`;
}

function verdictOf(result: Json): string {
  const step = field(result, 'run') ?? field(result, 'compile');
  return `${text(step, 'verdict')} ${text(field(step, 'stdout'), 'text')}`;
}

function inSession(request: JsonObject): string {
  const name = text(request, 'session');
  return name ? `, in the folder of ${name}` : '';
}

/** The folder of a session was lost with a process, and its programs were executed once more. */
function restoredText(result: Json): string {
  const rebuilt = field(field(result, 'folder'), 'rebuilt');
  if (!isObject(rebuilt)) return '';
  const different = list(rebuilt, 'different');
  const outcome = different.length ? `${different.join(', ')} came out differently` : 'with the same results';
  return ` (its folder was made again by ${count(Number(rebuilt.calls), 'earlier call')}: ${outcome})`;
}

function abbreviate(value: Json | JsonObject | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

type AgentNotes = {
  /** Null where the agent knows no such note. */
  line(event: EventOf<'note'>): EventLine | null;
  /** How far the agent says that it is; null where the note does not say. */
  progress?(event: EventOf<'note'>): string | null;
};

const ensemble: AgentNotes = { line: describeEnsembleNote };
const proof: AgentNotes = { line: describeProofNote, progress: countersIn };

const toolLoop: AgentNotes = { line: describeToolLoopNote };

const byAgent: Readonly<Record<string, AgentNotes>> = {
  'tool-loop': toolLoop,
  ensemble,
  program: ensemble,
  chain: ensemble,
  react: ensemble,
  evolution: { line: (event) => describeTuningNote(event) ?? describeEvolutionNote(event) },
  'parameter-search': { line: describeTuningNote },
  'best-of-n': { line: describeEvolutionNote },
  'induction-graph': { line: describeInductionNote },
  'verify-loop': proof,
  'proof-grader': proof,
};

/** The header of a journal; null where it has none yet. */
type EventAuthor = Pick<Header, 'agent'> | null;

function notesOf(author: EventAuthor): AgentNotes | undefined {
  return author && Object.hasOwn(byAgent, author.agent.name) ? byAgent[author.agent.name] : undefined;
}

/** How far an agent says that it is. */
export function progressIn(event: Event, author: EventAuthor): string | null {
  return (event.kind === 'note' ? notesOf(author)?.progress?.(event) : null) ?? null;
}
