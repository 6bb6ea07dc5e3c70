/** A request as Markdown: for a person to read, and to paste whole into a chat window. Pure. */
import type { ImagePart, Message, ModelCall, ModelRequest } from '../../core/model.ts';

/** Where a call stands, in a line: `run 20261121-… · solver · branch main · call 3`. */
export function placeText({ run, role, branch, index, attempt }: ModelCall): string {
  const place = [run ? `run ${run}` : '', role, branch ? `branch ${branch}` : '', `call ${index + 1}`];
  const retried = attempt > 0 ? [`attempt ${attempt + 1}`] : [];
  return [...place.filter(Boolean), ...retried].join(' · ');
}

/** `from` leaves out the messages before; images are named by their number in the whole request. */
export function promptText(request: ModelRequest, from = 0): string {
  const images = imageNumbers(request);
  const parts = request.messages
    .slice(from)
    .map((message, index) => messageText(message, images[from + index] ?? 0));
  if (from === 0) parts.push(...expectedParts(request));
  return `${parts.join('\n\n')}\n`;
}

/** The number of the first message behind the last one that was answered. */
export function newFrom({ messages }: ModelRequest): number {
  return messages.findLastIndex(({ role }) => role === 'assistant') + 1;
}

function imageNumbers({ messages }: ModelRequest): readonly number[] {
  let count = 0;
  return messages.map(({ content }) => {
    const before = count;
    if (typeof content !== 'string') count += content.filter(({ type }) => type === 'image').length;
    return before;
  });
}

const headings: Readonly<Record<Message['role'], string>> = {
  system: 'Instructions',
  user: 'Asked',
  assistant: 'Answered before',
  tool: 'A tool returned',
};

function messageText(message: Message, imagesBefore: number): string {
  const heading = `## ${headings[message.role]}${message.role === 'tool' ? `: ${message.name}` : ''}`;
  return `${heading}\n\n${contentText(message, imagesBefore)}`;
}

function contentText({ content }: Message, imagesBefore: number): string {
  if (typeof content === 'string') return content;
  let images = imagesBefore;
  const parts = content.map((part) => {
    if (part.type === 'image') return `[image ${++images}]`;
    if (part.type === 'tool-call')
      return `Called ${part.name}:\n${fenced(part.raw ?? JSON.stringify(part.args, null, 2))}`;
    return part.type === 'reasoning' ? '' : part.text;
  });
  return parts.filter(Boolean).join('\n\n');
}

function expectedParts({ tools = [], output }: ModelRequest): readonly string[] {
  const capabilities = tools.map(
    ({ name, description, parameters }) =>
      `### ${name}\n\n${description}\n\n${fenced(JSON.stringify(parameters))}`,
  );
  const parts: string[] = [];
  if (tools.length) parts.push(`## Tools that can be called\n\n${capabilities.join('\n\n')}`);
  if (output)
    parts.push(`## The answer must be JSON of this schema\n\n${fenced(JSON.stringify(output.schema))}`);
  return parts;
}

function fenced(text: string): string {
  const maxLength = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(maxLength + 1);
  return `${fence}json\n${text}\n${fence}`;
}

export function imagesIn({ messages }: ModelRequest): readonly ImagePart[] {
  return messages.flatMap(({ content }) => {
    if (typeof content === 'string') return [];
    return content.flatMap((part) => (part.type === 'image' ? [part] : []));
  });
}
