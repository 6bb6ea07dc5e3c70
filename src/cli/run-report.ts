/** A run as a result for people: a summary with a table of its stages. Pure folds. */
import { stringify } from 'yaml';
import { type Event, modelsBehind, positionName } from '../core/event.ts';
import type { RunView } from '../core/fold.ts';
import type { Json } from '../core/json.ts';
import { type SandboxInfo, unsafeLabel } from '../core/sandbox.ts';
import type { RunRow } from '../core/store.ts';
import type { Totals } from '../core/totals.ts';
import { answerLine } from '../notes/answer.ts';
import { explanationOf, stagesOf, stateOf } from '../open/run-json.ts';
import { count, duration, escapeControls, formatTimestamp } from '../text/format.ts';
import { isObject, list, text } from '../text/json.ts';
import {
  allModels,
  cacheText,
  costText,
  freeReason,
  inheritedModels,
  modelsText,
  outcomeText,
  outcomeTone,
  possiblyBilledCalls,
  tokensText,
  toolCallsOf,
} from '../text/labels.ts';
import { formatLabeledValues, type LabeledValue, table } from '../text/table.ts';
import type { Output, RunResult } from './contract.ts';

export function runText(output: Output, { row, view, metrics }: RunResult): string {
  const { header, inherited } = view;
  const { parent } = row;
  const forked = parent ? `, as a fork of ${parent.run} after its event ${parent.seq}` : '';
  const claimed = `${count(inherited.modelCalls, 'model call')}, ${tokensText(inherited)} tokens of the sums are the parent's, ${costText(inherited, inheritedModels(header))}`;
  const broken = possiblyBilledCalls(view, stateOf(row));
  const error = `${count(broken, 'model call')} broken off or lost; tokens and cost are not in the sums`;
  const isFree = header !== null && freeReason(modelsBehind(header)) !== null;
  const entries: readonly LabeledValue[] = [
    ['answer', answerLine(view.end, 600)],
    ['result', explanationOf(view)],
    ['problem', `${text(row.summary, 'title')} (${text(row.summary, 'problem')})`],
    ['agent', text(row.summary, 'agent')],
    ['model', header ? modelsText(modelsBehind(header)) : 'unknown'],
    ...(header?.code ?? []).map(({ file, brings }) => ['code', `${brings.join(', ')} from ${file}`] as const),
    // The user's own, a line for each role that has some.
    ...Object.entries(header?.models ?? {}).map(([role, { settings }]) => {
      const set = Object.entries(settings ?? {}).map(([name, value]) => `${name}=${value}`);
      return ['setting', settings && `${role}: ${set.join(', ')}`] as const;
    }),
    ['begun', `${formatTimestamp(row.createdAtMs)}${forked}`],
    ['host', row.host],
    ['sandbox', sandboxText(header?.sandbox ?? null)],
    ['resumed', view.lives > 1 ? count(view.lives - 1, 'time') : null],
    ['taken over', inherited.modelCalls > 0 ? claimed : null],
    ['cache', cacheText(view.totals.tokens)],
    ['broken off', broken > 0 && isFree ? `${error}; nobody bills them` : null],
    ['possibly billed', broken > 0 && !isFree ? error : null],
  ];
  const stages = header ? `\n${stageTable(output, view)}` : '';
  const parts = metrics ? `\n${metrics.table(output)}` : '';
  return `${title(output, row, view)}\n${formatLabeledValues(output, entries, 16)}${stages}${parts}`;
}

function sandboxText(sandbox: SandboxInfo | null): string {
  return unsafeLabel(sandbox) ?? (sandbox ? `${sandbox.backend} ${sandbox.version}` : '');
}

function title(output: Output, row: RunRow, view: RunView): string {
  const state = stateOf(row);
  const outcome = view.end && state === 'ended' ? outcomeText(view.end) : state;
  const tone = state === 'running' ? 'accent' : outcomeTone(view.end?.outcome ?? null);
  const pid = row.owner ? ` in process ${row.owner.pid}` : '';
  return `${output.paint('strong', `Run ${row.id}`)}: ${output.paint(tone, outcome)}${pid}`;
}

function stageTable(output: Output, view: RunView): string {
  const models = allModels(view);
  const cells = (totals: Totals, aliveMs: number) => [
    ...[totals.modelCalls, toolCallsOf(totals), tokensText(totals), costText(totals, models)],
    duration(aliveMs),
  ];
  const stages = stagesOf(view);
  // For a problem without stages, the total is enough.
  const lines = stages.some(({ stage }) => stage !== '') ? stages : [];
  const rows = lines.map(({ stage, isDone, isUnjudged, totals, aliveMs }) => [
    stage || '(after)',
    stage === '' ? '' : isUnjudged ? 'answered' : isDone ? 'solved' : 'open',
    ...cells(totals, aliveMs),
  ]);
  const total = ['total', '', ...cells(view.totals, view.aliveMs)];
  const head = ['stage', '', 'model calls', 'tool calls', 'tokens', 'cost', 'time'];
  return table(output, head, [...rows, total]);
}

/** Without `whole`, a request leaves out its messages: other events have them, and they are the bulk of a journal. */
export function eventJson(event: Event, isComplete: boolean) {
  const { seq, atMs, kind, branch, ordinal, attempt, body } = event;
  if (isComplete || kind !== 'model-request') return { seq, atMs, kind, branch, ordinal, attempt, body };
  const { messages, tools, ...rest } = event.body;
  const shortened = { ...rest, messageCount: list(event.body, 'messages').length };
  return { seq, atMs, kind, branch, ordinal, attempt, body: shortened };
}

export function eventText(event: Event): string {
  const heading = `event ${event.seq}: ${event.kind} at ${positionName(event)}, ${new Date(event.atMs).toISOString()}`;
  return `${heading}\n\n${yamlText(event.body)}`;
}

/** YAML shows long texts as they are, line by line. */
export function yamlText(value: unknown): string {
  // Through JSON: YAML would write what is undefined, and aliases for what is said twice.
  const plain: Json = JSON.parse(JSON.stringify(value));
  return stringify(trimmed(plain), { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: 'literal' });
}

/** White space at the ends of lines would keep YAML from showing a text line by line; `--json` has it. */
function trimmed(value: Json): Json {
  if (typeof value === 'string') return escapeControls(value).replaceAll(/[ \t]+$/gm, '');
  if (Array.isArray(value)) return value.map(trimmed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trimmed(inner ?? null)]));
}
