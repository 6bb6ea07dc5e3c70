/** A compiler's messages, short enough for a model: the first errors whole, the rest counted, without warnings. Pure. */
export type Message = {
  readonly severity: 'error' | 'warning';
  /** The first says what and where. */
  readonly lines: readonly string[];
  /** Where several have the same cause, the first ones say enough. */
  readonly cause?: string;
};

export type MessageReader = (text: string) => readonly Message[];

export type DigestLimits = { readonly messages: number; readonly characters: number };

const usualLimits: DigestLimits = { messages: 8, characters: 4_000 };
const [lineCharacters, ofOneCause] = [240, 2];
/** Colours and other commands to a terminal. */
const control = /\p{Cc}\[[0-9;]*[A-Za-z]|[^\P{Cc}\n\t]/gu;

/** A text that no reader understands is given by its beginning and end. */
export function digestMessages(text: string, read: MessageReader, limits = usualLimits): string {
  const clean = text.replaceAll(control, '').trim();
  const messages = read(clean);
  const errors = messages.filter(({ severity }) => severity === 'error');
  const told = errors.length > 0 ? errors : messages;
  if (told.length === 0) return cutLines(clean.split('\n'), limits.characters);
  const visible: string[] = [];
  // The rest of the room holds the line that counts the others.
  let capacity = limits.characters - 40;
  for (const { lines } of withoutRepeats(told).slice(0, limits.messages)) {
    const block = lines.map(cutLine).join('\n');
    if (block.length + 1 > capacity && visible.length > 0) break;
    visible.push(block.length > capacity ? cutLines(block.split('\n'), capacity) : block);
    capacity -= block.length + 1;
  }
  const omitted = told.length - visible.length;
  const kind = errors.length > 0 ? 'error' : 'warning';
  if (omitted > 0) visible.push(`… and ${omitted} more ${kind}${omitted === 1 ? '' : 's'}`);
  return visible.join('\n');
}

/** The same complaint in several instances of one template says nothing new. */
function withoutRepeats(messages: readonly Message[]): readonly Message[] {
  const [seen, causes] = [new Set<string>(), new Map<string, number>()];
  return messages.filter(({ lines, cause }) => {
    const key = lines.join('\n');
    const ofCause = cause === undefined ? 0 : (causes.get(cause) ?? 0);
    if (seen.has(key) || ofCause >= ofOneCause) return false;
    seen.add(key);
    if (cause !== undefined) causes.set(cause, ofCause + 1);
    return true;
  });
}

export function cutLine(line: string): string {
  if (line.length <= lineCharacters) return line;
  const half = Math.floor((lineCharacters - 3) / 2);
  return `${line.slice(0, half)} … ${line.slice(line.length - half)}`;
}

/** Whole lines from the beginning and from the end; the end is often where the reason stands. */
function cutLines(lines: readonly string[], characters: number): string {
  const short = lines.map(cutLine);
  if (short.join('\n').length <= characters) return short.join('\n');
  const capacity = characters - 40;
  const head = takeWithin(short, capacity / 2);
  const tail = takeWithin(short.slice(head.length).toReversed(), capacity - lengthOf(head)).toReversed();
  return [...head, `… ${short.length - head.length - tail.length} lines omitted …`, ...tail].join('\n');
}

function takeWithin(lines: readonly string[], characters: number): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > characters;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
