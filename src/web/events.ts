/** An event as one text: what was sent, said, run or printed, so that two can be laid against each other. Pure. */
import type { Json } from '../core/json.ts';
import type { EventItem } from '../notes/page-items.ts';
import { field, list, text } from '../text/json.ts';
import type { VisibleEvent } from './hidden.tsx';

export function fullText(event: VisibleEvent): string {
  const { body } = event;
  const result = field(body, 'result');
  switch (event.kind) {
    case 'model-request':
      return list(body, 'messages').map(messageText).join('\n\n');
    case 'model-response':
      return result ? messageText(field(result, 'message') ?? null) : failure(body);
    case 'exec-start':
      return text(body, 'source');
    case 'exec-end':
      return result ? [field(result, 'compile'), field(result, 'run')].map(stepText).join('') : failure(body);
    case 'tool-result':
      return result ? text(result, 'text') : failure(body);
    default:
      return plain(body);
  }
}

export function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** A value for people: a line for each name, grids and lists of words as they are read. */
export function inWords(value: Json): string {
  if (value === null) return 'nothing';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    const isGrid = value.length > 0 && value.every((row) => Array.isArray(row) && row.every(isNumber));
    if (isGrid) return value.map((row) => inWords(row).replaceAll(', ', ' ')).join('\n');
    if (value.every((each) => each === null || typeof each !== 'object'))
      return value.map(inWords).join(', ') || 'none';
    return value.map((each, at) => withHeading(String(at + 1), inWords(each))).join('\n');
  }
  return Object.entries(value)
    .map(([name, each]) => withHeading(name, inWords(each ?? null)))
    .join('\n');
}

const isNumber = (value: Json): boolean => typeof value === 'number';

function withHeading(name: string, words: string): string {
  return words.includes('\n') ? `${name}:\n${words.replaceAll(/^/gm, '  ')}` : `${name}: ${words}`;
}

function failure(body: Json): string {
  return text(field(body, 'error'), 'message') || text(body, 'status');
}

function messageText(message: Json): string {
  const content = field(message, 'content');
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(message, 'content');
  const words = parts.map((part) => {
    if (text(part, 'type') === 'image') return '(an image)';
    if (text(part, 'type') === 'tool-call')
      return `calls ${text(part, 'name')} ${plain(field(part, 'args') ?? null)}`;
    return text(part, 'text') || plain(part);
  });
  return `${text(message, 'role')}:\n${words.join('\n')}`;
}

function stepText(step: Json | undefined): string {
  if (!step) return '';
  const printed = ['stdout', 'stderr'].map((name) => text(field(step, name), 'text'));
  return `${text(step, 'verdict')}\n${printed.join('\n')}`;
}

/** By number, each once; those that were there stay the same objects. */
export function merged(before: readonly EventItem[], added: readonly EventItem[]): readonly EventItem[] {
  const all = [...before, ...added];
  if (all.every(({ seq }, at) => at === 0 || seq > (all[at - 1]?.seq ?? 0))) return all;
  const bySeq = new Map([...added, ...before].map((item) => [item.seq, item]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}
