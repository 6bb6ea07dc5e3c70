/**
 * A person in a model's place: for those who have a chat subscription and no key, as a human baseline, and to make
 * cassettes. Three ways to ask (terminal, folder, local HTTP) stand behind one small contract; here is what they share.
 */
import { resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Model, ModelReply } from '../../core/model.ts';
import { freePrice } from '../free.ts';
import { abortedFailure, failure } from '../reply.ts';
import { replyOf } from './answer.ts';
import { askInFolder } from './folder.ts';
import type { Ask } from './question.ts';
import { openDesk } from './server.ts';
import { askInTerminal, type PersonTerminal } from './terminal.ts';

export type PersonOptions = {
  /** Null where nobody sits there. */
  readonly terminal: PersonTerminal | null;
  /** Where something must be told that is no result: the address of the desk. */
  readonly announce: (line: string) => void;
};

/** One for a process: its runs share a terminal, and the desk of one port. */
export type People = {
  /** `name` is what follows `manual`: nothing, `:FOLDER`, `:http` or `:http:PORT`. Throws `UserError`. */
  model(id: string, name: string, folder: string): Promise<Model>;
  close(): Promise<void>;
};

export function people({ terminal, announce }: PersonOptions): People {
  const desks = new Map<number, ReturnType<typeof openDesk>>();
  const askInTurn = terminal && askInTerminal(terminal);
  const deskAt = async (port: number) => {
    const known = desks.get(port);
    const opening = known ?? openDesk(port);
    desks.set(port, opening);
    try {
      const desk = await opening;
      if (!known) announce(`Answer at ${desk.url} what the models are asked.`);
      return desk;
    } catch (error) {
      desks.delete(port);
      throw error;
    }
  };
  return {
    async model(id, name, folder) {
      const port = portIn(name, id);
      if (port !== null) return manualModel(id, (await deskAt(port)).ask);
      if (name.startsWith(':')) return manualModel(id, askInFolder(resolve(folder, name.slice(1).trim())));
      if (askInTurn === null) throw nobodyThere();
      return manualModel(id, askInTurn);
    },
    async close() {
      for (const desk of desks.values()) await (await desk).close();
    },
  };
}

export function manualModel(id: string, ask: Ask): Model {
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
        return failed(error, call.signal);
      }
    },
  };
}

function failed(error: unknown, signal: AbortSignal): ModelReply {
  if (signal.aborted) return abortedFailure(null);
  const message = error instanceof Error ? error.message : String(error);
  return failure('other', message, { retryable: false, usage: null });
}

const anyPort = 0;
const lastPort = 65_535;

function portIn(name: string, id: string): number | null {
  const [, port] = /^:http(?::(.*))?$/s.exec(name) ?? [null, null];
  if (port === null) return null;
  if (port === undefined) return anyPort;
  if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= lastPort) return Number(port);
  throw new UserError({
    code: 'names-no-port',
    what: `"${id}" names no port.`,
    fix: `Write a number from 1 to ${lastPort}, or \`manual:http\` for any that is free.`,
  });
}

function nobodyThere(): UserError {
  return new UserError({
    code: 'nobody-there',
    what: 'The model `manual` asks the person at the terminal, and there is none.',
    why: 'Standard input or standard error is no terminal.',
    fix: 'Use `manual:FOLDER` to answer in files, or `manual:http` to answer in a browser.',
  });
}
