/** How the search asks a model. Calls are metered; what fails for this request alone is a value, an outage an error. */
import type { OfUse, Run } from '../../core/agent.ts';
import { describeModelRefusal, describePartialText, requireReply } from '../../core/cut-off.ts';
import { describeFailure } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import {
  isCutOff,
  type Message,
  type ModelRequest,
  type ModelSettings,
  type ModelSuccess,
  textOf,
} from '../../core/model.ts';
import type { Problem } from '../../core/problem.ts';
import type { Usage } from '../../core/usage.ts';
import { jsonInReply } from '../../text/model-json.ts';
import { briefFields, system } from '../kit/asking.ts';

export const openingPrompt = {
  opening: `You write programs for heuristic programming contests. They are compiled, run on many cases and scored on each.

What is to be done: {{task}}

Where a program is asked for: {{answerFormat}}

How it is judged: {{criteria}}

Where it runs: {{environment}}`,
};

/** The roles that write programs: the first `proposers` of them. */
export const proposerRoles = ['solver', 'solver2', 'solver3', 'solver4'] as const;
export type ProposerRole = (typeof proposerRoles)[number];

/** `listener` finds out what its user means, `adviser` answers its user's questions. */
export const evolutionRoles = ['analyst', 'strategist', ...proposerRoles, 'listener', 'adviser'] as const;

export type Reply = ModelSuccess & { readonly text: string };

type Question = Pick<ModelRequest, 'messages' | 'output'> & {
  readonly role: (typeof evolutionRoles)[number];
  readonly settings: ModelSettings;
  /** Until when its answer is of use; missing: always. */
  readonly use?: OfUse;
};

type UnansweredRequest = { readonly ok: false; readonly why: string };

export async function requestReply(
  run: Run,
  { role, messages, settings, output, use }: Question,
  meter?: Meter,
): Promise<Reply | UnansweredRequest> {
  const modelSettings = Object.keys(settings).length > 0 ? settings : undefined;
  const reply = await run.generate(role, { messages, output, settings: modelSettings }, use);
  meter?.add(reply.usage);
  if (!reply.ok && reply.error.kind === 'aborted') return { ok: false, why: reply.error.message };
  if (!reply.ok && (reply.error.kind === 'malformed' || reply.error.kind === 'context-overflow')) {
    const received = describePartialText(reply.error.partialText);
    const why = [describeFailure(reply), received].filter(Boolean).join(' ');
    return { ok: false, why };
  }
  // One that was cut off is shown, and its readers take nothing from it.
  const modelSuccess = reply.ok && isCutOff(reply) ? reply : requireReply(reply);
  if (modelSuccess.finish === 'refusal') return { ok: false, why: describeModelRefusal(modelSuccess) };
  return { ...modelSuccess, text: textOf(modelSuccess.message) };
}

/** The beginning of every request, byte for byte the same, so that the provider's cache serves it. */
export function firstMessages(run: Run, problem: Problem): readonly Message[] {
  return [
    system(run.prompt('opening', briefFields(problem))),
    { role: 'user', content: problem.spec.statement },
  ];
}

/** What was made before, and why its user does not want it. */
export type Rejected<T> = { readonly before: T; readonly reason: string };

export type MeterTotals = {
  readonly tokens: { readonly input: number | null; readonly output: number | null };
  readonly calls: number;
  /** Null where the price of a call is not known. */
  readonly costUsd: number | null;
};

/** A program that is proposed, before it is run. */
export type Draft = MeterTotals & {
  /** Null where the model answered, and no program came of it; `detail` says why. */
  readonly source: string | null;
  /** What was done, in one line, for people and for later prompts. */
  readonly summary: string;
  readonly detail: string;
};

/** The sum of two numbers, each of which may be unknown. */
export function sumOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** Adds up what calls use. A number that one provider does not report is unknown from then on. */
export class Meter {
  #input: number | null = 0;
  #output: number | null = 0;
  #calls = 0;
  #costUsd: number | null = 0;

  add(usage: Usage | null): void {
    this.#calls += 1;
    // A call that failed before anything was billed has no usage, and has used nothing.
    if (!usage) return;
    const { tokens, costUsd } = usage;
    this.#costUsd = sumOf(this.#costUsd, costUsd);
    this.#input = sumOf(this.#input, tokens?.input ?? null);
    this.#output = sumOf(this.#output, tokens?.output ?? null);
  }

  get spent(): MeterTotals {
    const tokens = { input: this.#input, output: this.#output };
    return { tokens, calls: this.#calls, costUsd: this.#costUsd };
  }
}

/** The JSON object that came with a reply, else the one in its text; null where there is none, or it was cut off. */
export function objectIn(reply: Pick<Reply, 'text' | 'object' | 'finish'>): JsonObject | null {
  if (isCutOff(reply)) return null;
  const { text, object } = reply;
  const found = isJsonObject(object) ? object : jsonInReply(text);
  return isJsonObject(found) ? found : null;
}

export function line(text: string, most = 240): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length <= most ? flat : `${flat.slice(0, most - 1).toWellFormed()}…`;
}

/** Where a text may end, the best places first: sentences, clauses, words. */
const ends = [/[.!?](?= )|[。！？]/g, /[;:](?= )|[；：]/g, /,(?= )|[、，]| (?=[–—(])/g, / /g];

/** As `line`, and cut at the best end that leaves enough: what goes before it says what and why. */
export function clause(text: string, most = 240): string {
  const flat = line(text, Number.POSITIVE_INFINITY);
  if (flat.length <= most) return flat;
  const head = flat.slice(0, most - 1).toWellFormed();
  const found = ends.map((sign) => [...head.matchAll(sign)].at(-1)?.index ?? 0);
  return `${head.slice(0, found.find((at) => at >= most * 0.4) ?? head.length)} …`;
}

/** `IDEA: …`, else the first words that are no code. */
export function extractIdea(text: string, otherwise: string): string {
  const value = /^\s*(?:```\w*\s*)?\{/.test(text) ? jsonInReply(text) : null;
  if (isJsonObject(value)) {
    const named = [value.idea, value.summary, value.description].find((each) => typeof each === 'string');
    return clause(named ?? otherwise);
  }
  const said = /^(?:[*#>]|[^\S\r\n\u2028\u2029])*idea[\s*]*[::][\s*]*(.+)$/im.exec(text)?.[1];
  const first = text
    .replaceAll(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, '')
    .replaceAll(/<{5,9}\s*SEARCH[\s\S]*?(?:>{5,9}\s*REPLACE|$(?![\s\S]))/gi, '')
    .split('\n')
    .find((each) => /\w/.test(each));
  return clause(said ?? first ?? otherwise);
}
