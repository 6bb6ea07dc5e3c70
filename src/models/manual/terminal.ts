/**
 * Asks the person at the terminal, one question after the other, however many runs ask at once. What is typed is an
 * answer; lines that begin with a slash are commands. It touches no process: it is handed a terminal.
 */
import { checkAnswer, type PersonAnswer } from './answer.ts';
import { newFrom, placeText, promptText } from './prompt-text.ts';
import type { Ask, Question } from './question.ts';

export type PersonTerminal = {
  write(text: string): void;
  /** Null at the end of input (Ctrl-D). Rejects when the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | null>;
  /** Nobody else draws on the terminal meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};

const help =
  'Type the answer; a line with a single dot ends it. /call NAME {"argument": …} calls a tool, /tokens IN OUT says what a chat window counted, /all shows the whole conversation, // begins a line with a slash.';

export function askInTerminal(terminal: PersonTerminal): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const mine = last.then(() => {
      question.call.signal.throwIfAborted();
      return terminal.alone(() => converse(terminal, question));
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function converse(terminal: PersonTerminal, { request, call }: Question): Promise<PersonAnswer> {
  const from = newFrom(request);
  terminal.write(`\n=== ${placeText(call)} ===\n\n${harmless(promptText(request, from))}\n`);
  if (from > 0) terminal.write(`(${from} earlier messages: /all shows them)\n`);
  terminal.write(`${help}\n`);
  for (;;) {
    const draft = await readDraft(terminal, { request, call });
    const checked = checkAnswer(draft, request);
    if (checked.ok) return checked.answer;
    terminal.write(`${checked.problem} Once more:\n`);
  }
}

async function readDraft(terminal: PersonTerminal, { request, call }: Question): Promise<unknown> {
  const lines: string[] = [];
  const toolCalls: unknown[] = [];
  let tokens: unknown;
  for (;;) {
    const line = await terminal.readLine(call.signal);
    if (line === null && lines.length === 0 && toolCalls.length === 0)
      throw new Error('The person at the terminal has left.');
    if (line === null || line.trim() === '.') break;
    const [, command, rest = ''] = /^\/(all|call|tokens)\b\s*(.*)$/s.exec(line) ?? [];
    if (command === undefined) lines.push(line.startsWith('//') ? line.slice(1) : line);
    else if (command === 'all') terminal.write(harmless(promptText(request)));
    else if (command === 'tokens')
      tokens = tokensIn(rest) ?? told(terminal, 'Write /tokens IN OUT, two whole numbers.');
    else {
      const toolCall = toolCallIn(rest);
      if (toolCall) toolCalls.push(toolCall);
      else terminal.write('Write /call NAME {"argument": "value"}, in one line.\n');
    }
  }
  return {
    ...(lines.length ? { text: lines.join('\n') } : {}),
    ...(toolCalls.length ? { toolCalls } : {}),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

function told(terminal: PersonTerminal, what: string): undefined {
  terminal.write(`${what}\n`);
  return undefined;
}

function tokensIn(text: string): { input: number; output: number } | undefined {
  const [, input, output] = /^(\d+)\s+(\d+)\s*$/.exec(text) ?? [];
  return input === undefined ? undefined : { input: Number(input), output: Number(output) };
}

function toolCallIn(text: string): { name: string; args: unknown } | null {
  const [, name, json] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined) return null;
  try {
    return { name, args: JSON.parse(json || '{}') };
  } catch {
    return null;
  }
}

/** A terminal must not obey what a puzzle or a program wrote. */
function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys
  return text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd');
}
