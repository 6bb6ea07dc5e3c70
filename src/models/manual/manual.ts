/** A person in a model's place, asked at the terminal or over local HTTP. */
import { readFileSync } from 'node:fs';
import { errorOf, UserError } from '../../core/errors.ts';
import type { Model } from '../../core/model.ts';
import { abortedFailure, failure, freePrice } from '../reply.ts';
import { checkAnswer, type PersonAnswer, type Question, type RequestAnswer, replyOf } from './answer.ts';
import { type ReadInbox, requestAlsoFromInbox } from './mail.ts';
import { newFrom, placeText, promptText } from './prompt-text.ts';
import { openReplyServer } from './server.ts';

export type ManualOptions = {
  /** Null where standard input is no terminal. */
  readonly terminal: ManualTerminal | null;
  /** `address`: where a browser can answer. */
  readonly announce: (line: string, address: string) => void;
  /** The desk of a port opens when somebody is asked: where another process may be the one that asks. */
  readonly isLater?: boolean;
  /** What is sent to a run from elsewhere; whichever answer comes first counts. Absent: nothing is. */
  readonly mail?: ReadInbox;
};

/** One for a process: its runs share the terminal and the desk of a port. */
export type ManualModels = {
  /** `name` is what follows `manual`: nothing, `:http` or `:http:PORT`. Throws `UserError`. */
  model(id: string, name: string): Promise<Model>;
  close(): Promise<void>;
};

export function createManualModels({
  terminal,
  announce,
  isLater = false,
  mail,
}: ManualOptions): ManualModels {
  const desks = new Map<number, ReturnType<typeof openReplyServer>>();
  const requestAnswer = terminal && promptInTerminal(terminal);
  const deskAt = async (port: number) => {
    const known = desks.get(port);
    const start = known ?? openReplyServer(port);
    desks.set(port, start);
    try {
      const replyServer = await start;
      if (!known) announce(`Answer at ${replyServer.url} what the models are asked.`, replyServer.url);
      return replyServer;
    } catch (error) {
      desks.delete(port);
      throw error;
    }
  };
  return {
    async model(id, name) {
      const port = portIn(name, id);
      const manual = (request: RequestAnswer) =>
        manualModel(id, mail ? requestAlsoFromInbox(request, mail) : request);
      if (port !== null && !isLater) await deskAt(port);
      if (port !== null) return manual(async (question) => (await deskAt(port)).ask(question));
      if (name !== '') throw unknownFormError(id);
      if (requestAnswer === null) throw noTerminalError();
      return manual(requestAnswer);
    },
    async close() {
      for (const server of desks.values()) await (await server).close();
    },
  };
}

function manualModel(id: string, ask: RequestAnswer): Model {
  return {
    id,
    kind: 'person',
    takes: { images: true, tools: true },
    price: freePrice,
    async generate(request, call) {
      if (call.signal.aborted) return abortedFailure(null);
      try {
        return replyOf(await ask({ request, call }), request, call);
      } catch (error) {
        if (call.signal.aborted) return abortedFailure(null);
        const message = error instanceof Error ? error.message : String(error);
        return failure('other', message, { retryable: false, usage: null });
      }
    },
  };
}

const lastPort = 65_535;

function portIn(name: string, id: string): number | null {
  const [, port] = /^:http(?::(.*))?$/s.exec(name) ?? [null, null];
  if (port === null) return null;
  if (port === undefined) return 0;
  if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= lastPort) return Number(port);
  throw new UserError({
    code: 'port-invalid',
    what: `"${id}" names no port.`,
    fix: `Write a number from 1 to ${lastPort}, or \`manual:http\` for any that is free.`,
  });
}

function unknownFormError(id: string): UserError {
  return new UserError({
    code: 'no-such-model',
    what: `"${id}" is no way to answer in a model’s place.`,
    why: 'Questions are asked at the terminal or in a browser, and no longer in files of a folder.',
    fix: 'Use `manual`, or `manual:http`: `GET /waiting` and `POST /waiting/ID` are for programs.',
  });
}

function noTerminalError(): UserError {
  return new UserError({
    code: 'session-not-running',
    what: 'The model `manual` asks the person at the terminal, and there is none.',
    why: 'Standard input or standard error is no terminal.',
    fix: 'Use `manual:http` to answer in a browser.',
  });
}

export type ManualTerminal = {
  write(text: string): void;
  /** Null at the end of input (Ctrl-D). Rejects when the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | null>;
  /** Nobody else draws on the terminal meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};

const help =
  'Type the answer; a line with a single dot ends it. /call NAME {"argument": …} calls a tool, /call NAME ARGUMENT=@FILE with what a file holds (a program), /tokens IN OUT says what a chat window counted, /all shows the whole conversation, // begins a line with a slash.';

/** One question after the other. */
function promptInTerminal(terminal: ManualTerminal): RequestAnswer {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const own = last.then(() => {
      question.call.signal.throwIfAborted();
      return terminal.alone(() => converse(terminal, question));
    });
    last = own.catch(() => undefined);
    return own;
  };
}

async function converse(terminal: ManualTerminal, { request, call }: Question): Promise<PersonAnswer> {
  const from = newFrom(request);
  terminal.write(`\n=== ${placeText(call)} ===\n\n${promptText(request, from)}\n`);
  if (from > 0) terminal.write(`(${from} earlier messages: /all shows them)\n`);
  terminal.write(`${help}\n`);
  for (;;) {
    const draft = await readDraft(terminal, { request, call });
    const checked = checkAnswer(draft, request);
    if (checked.ok) return checked.answer;
    terminal.write(`${checked.problem} Once more:\n`);
  }
}

async function readDraft(terminal: ManualTerminal, { request, call }: Question): Promise<unknown> {
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
    else if (command === 'all') terminal.write(promptText(request));
    else if (command === 'tokens') {
      tokens = tokensIn(rest);
      if (!tokens) terminal.write('Write /tokens IN OUT, two whole numbers.\n');
    } else {
      const toolCall = toolCallIn(rest);
      if (typeof toolCall === 'string') terminal.write(`${toolCall}\n`);
      else toolCalls.push(toolCall);
    }
  }
  return {
    text: lines.length ? lines.join('\n') : undefined,
    toolCalls: toolCalls.length ? toolCalls : undefined,
    tokens,
  };
}

function tokensIn(text: string): { input: number; output: number } | undefined {
  const [, input, output] = /^(\d+)\s+(\d+)\s*$/.exec(text) ?? [];
  return input === undefined ? undefined : { input: Number(input), output: Number(output) };
}

/** A text says what is wrong. */
function toolCallIn(text: string): { name: string; args: unknown } | string {
  const { name, argument, value, json } =
    /^(?<name>\S+)\s*(?:(?<argument>\w+)=(?<value>.*)|(?<json>.*))$/s.exec(text)?.groups ?? {};
  if (name === undefined) return forms;
  try {
    if (argument === undefined) return { name, args: JSON.parse(json || '{}') };
  } catch {
    return forms;
  }
  if (!value?.startsWith('@')) return { name, args: { [argument]: value } };
  try {
    return { name, args: { [argument]: new TextDecoder().decode(readFileSync(value.slice(1).trim())) } };
  } catch (error) {
    return `The file ${value.slice(1).trim()} cannot be read (${errorOf(error).message}).`;
  }
}

const forms =
  'Write /call NAME {"argument": "value"}, in one line, or /call NAME ARGUMENT=VALUE, or /call NAME ARGUMENT=@FILE.';
