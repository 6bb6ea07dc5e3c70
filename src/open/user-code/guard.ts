/** Wraps agents and families of the user's: errors before a run begins name the user's code, and long waits are shown. */
import { fileURLToPath } from 'node:url';
import type { Agent } from '../../core/agent.ts';
import { ExplainedError, errorOf, UserCodeError } from '../../core/errors.ts';
import type { Family } from '../../core/problem.ts';
import { isOfUser } from './imports.ts';

export const guardedAgent = (agent: Agent): Agent =>
  guardMethods(agent, `agent ${agent.name}`, ['usual', 'decide', 'demands']);

export const guardedFamily = (family: Family): Family =>
  guardMethods(family, `family ${family.name}`, ['load', 'open']);

/** One wrapper for each: a file is found by the agent that it brought. */
const wrappers = new WeakMap<object, object>();

function guardMethods<T extends object>(part: T, name: string, methods: readonly string[]): T {
  const known = wrappers.get(part) as T | undefined;
  if (known) return known;
  const wrapper = new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target);
      return methods.includes(String(key)) ? blameUserCode(name, String(key), method) : method;
    },
  });
  wrappers.set(part, wrapper).set(wrapper, wrapper);
  return wrapper;
}

function blameUserCode(who: string, name: string, method: (...args: readonly unknown[]) => unknown) {
  const blame = (error: unknown): never => {
    throw userCodeError(who, name, errorOf(error));
  };
  return (...args: readonly unknown[]): unknown => {
    try {
      const result = method(...args);
      return result instanceof Promise
        ? waitingFor(`\`${name}\` of the ${who}`, result).catch(blame)
        : result;
    } catch (error) {
      return blame(error);
    }
  };
}

/** An error that already explains itself stays as it is. */
function userCodeError(who: string, name: string, error: Error): Error {
  if (error instanceof ExplainedError) return error;
  const place = placeOf(error);
  return new UserCodeError({
    code: 'user-code-throws',
    what: `The ${who} throws in \`${name}\`${place ? ` (${place})` : ''}: ${error.message}`,
    fix: 'Correct it; nothing was begun.',
  });
}

/** The line in the user's own code: at the head of a syntax error's stack, or in the first frame that is the user's. */
export function placeOf({ stack = '' }: Pick<Error, 'stack'>): string | undefined {
  const [head = '', ...frames] = stack.split('\n');
  const atHead = /^(?:file:\/\/)?(\/.*):(\d+)$/.exec(head);
  if (atHead) return `${decodeURI(atHead[1] ?? '')}:${atHead[2]}`;
  for (const frame of frames) {
    const [, url = '', line] = /(file:\/\/[^\s)]+?):(\d+)(?::\d+)?\)?$/.exec(frame) ?? [];
    if (isOfUser(url)) return `${fileURLToPath(url)}:${line}`;
  }
  return undefined;
}

const waits = new Set<{ readonly what: string }>();
let report: (what: string) => void = () => undefined;
const quietMs = 5_000;

/** What the user's code was asked for and has not returned yet. */
export const pendingWaits = (): readonly string[] => [...waits].map(({ what }) => what);

/** `listener` is called once for each wait that takes long. */
export function onLongWait(listener: (what: string) => void): void {
  report = listener;
}

export async function waitingFor<T>(what: string, work: Promise<T>): Promise<T> {
  const wait = { what };
  waits.add(wait);
  const timer = setTimeout(() => report(what), quietMs).unref();
  try {
    return await work;
  } finally {
    waits.delete(wait);
    clearTimeout(timer);
  }
}
