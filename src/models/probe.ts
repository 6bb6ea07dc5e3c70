/** Finds out, with a few small calls outside of any run, what the server of a model refuses. Nothing is kept. */
import { applicableQuirks, type Model, type ModelRequest, type ServerQuirk } from '../core/model.ts';

export type ProbeCheck = {
  readonly name: string;
  /** What had to be sent otherwise for it to be answered. */
  readonly quirks: readonly ServerQuirk[];
  /** Why it was not answered at all; null where it was. */
  readonly failure: string | null;
};

export type Probe = {
  readonly model: string;
  /** Calls that were answered, and calls that the server refused. */
  readonly calls: number;
  readonly refusedCalls: number;
  readonly quirks: readonly ServerQuirk[];
  readonly checks: readonly ProbeCheck[];
};

export const probeOutputTokens = 16;

const user = (content: string) => ({ role: 'user', content }) as const;
const settings = { maxOutputTokens: probeOutputTokens };
const schema = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
};

const requests: readonly { readonly name: string; readonly request: ModelRequest }[] = [
  {
    name: 'a limit on the reply, temperature, a stream',
    request: { messages: [user('Say yes.')], settings: { ...settings, temperature: 0.5 } },
  },
  {
    name: 'a reply as JSON of a schema',
    request: { messages: [user('Name a digit.')], output: { name: 'digit', schema }, settings },
  },
  {
    name: 'a tool',
    request: {
      messages: [user('Say yes.')],
      tools: [{ name: 'note', description: 'Keeps a digit.', parameters: schema }],
      settings,
    },
  },
  {
    name: 'a system message, two user messages',
    request: {
      messages: [{ role: 'system', content: 'Be brief.' }, user('Say yes.'), user('Now.')],
      settings,
    },
  },
  {
    name: 'reasoning effort',
    request: { messages: [user('Say yes.')], settings: { ...settings, reasoningEffort: 'low' } },
  },
];

/** OpenAI's reasoning models fail where thoughts alone reach the limit. */
const cutAtLimit = /could not finish the message because max_tokens/i;

export const maxProbeCalls = requests.length;

/** One call for each check; what the server refuses is asked for again with what would help. */
export async function probeModel(model: Model, signal: AbortSignal): Promise<Probe> {
  const known: ServerQuirk[] = [...(model.quirks ?? [])];
  const checks: ProbeCheck[] = [];
  const count = { answered: 0, refused: 0 };
  for (const [index, { name, request }] of requests.entries()) {
    const attempt: ServerQuirk[] = [];
    for (;;) {
      const call = { role: 'probe', branch: '', index, attempt: attempt.length, signal };
      const reply = await model.generate(request, { ...call, quirks: [...known, ...attempt] });
      const quirk = reply.ok ? undefined : reply.error.quirk;
      if (quirk !== undefined && !attempt.includes(quirk)) {
        count.refused += 1;
        attempt.push(quirk);
        continue;
      }
      // One that was cut at so small a limit was taken all the same.
      const isUsed = reply.ok || cutAtLimit.test(reply.error.message);
      if (isUsed) count.answered += 1;
      else count.refused += 1;
      checks.push({ name, quirks: applicableQuirks(attempt), failure: isUsed ? null : reply.error.message });
      if (isUsed) known.push(...applicableQuirks(attempt));
      break;
    }
    // The next one would meet the same.
    if (index === 0 && checks[0]?.failure !== null) break;
  }
  return { model: model.id, calls: count.answered, refusedCalls: count.refused, quirks: known, checks };
}
