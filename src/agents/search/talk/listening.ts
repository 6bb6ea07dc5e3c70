/** What a person means: asked of a model in one cheap call, and found by rules where it does not say. */
import { z } from 'zod';
import type { Run } from '../../../core/agent.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { ModelRequest } from '../../../core/model.ts';
import { ask } from '../asking.ts';
import { liftConstants } from '../constants.ts';
import { Meter } from '../draft.ts';
import { objectIn } from '../json-reply.ts';
import type { Search } from '../search.ts';
import { orNobody } from './nobody.ts';
import { algorithmsIn, contestsIn, type Meaning, meaningByRules, rangeOf } from './rules.ts';

const heard = z.object({
  kind: z.enum(['hint', 'question', 'range', 'reference']),
  parameter: z.string().default(''),
  low: z.number().nullable().default(null),
  high: z.number().nullable().default(null),
  contests: z.array(z.string()).default([]),
  algorithms: z.array(z.string()).default([]),
});

const output: NonNullable<ModelRequest['output']> = {
  name: 'meaning',
  schema: z.toJSONSchema(heard, { io: 'input' }) as JsonObject,
  repair: false,
};

export type Heard = { readonly meaning: Meaning; readonly by: 'model' | 'rules' };

export async function listen(search: Search, run: Run, text: string): Promise<Heard> {
  const meaning = await orNobody(() => meaningByModel(search, run, text));
  if ('value' in meaning && meaning.value) return { meaning: meaning.value, by: 'model' };
  return { meaning: meaningByRules(text), by: 'rules' };
}

async function meaningByModel(search: Search, run: Run, text: string): Promise<Meaning | null> {
  const { maxOutputTokens } = search.settings;
  const content = run.prompt('listen', { words: text, parameters: parametersIn(search) });
  const reply = await ask(run, new Meter(), {
    role: 'listener',
    messages: [{ role: 'user', content }],
    settings: maxOutputTokens === null ? {} : { maxOutputTokens },
    output,
  });
  const read = reply.ok ? heard.safeParse(objectIn(reply)) : null;
  return read?.success ? meaningOf(text, read.data) : null;
}

/** What its user said stays in its user's words; null where the reply contradicts itself. */
function meaningOf(text: string, said: z.infer<typeof heard>): Meaning | null {
  switch (said.kind) {
    case 'range': {
      const range = rangeOf(said.parameter, said.low ?? Number.NaN, said.high ?? Number.NaN);
      return range && { kind: 'range', text, range };
    }
    case 'reference': {
      const contests = contestsIn(said.contests.join(' '));
      const algorithms = [...new Set([...said.algorithms, ...algorithmsIn(text)])].filter((each) =>
        each.trim(),
      );
      return contests.length + algorithms.length === 0
        ? null
        : { kind: 'reference', text, contests, algorithms };
    }
    default:
      return { kind: said.kind, text };
  }
}

const mostParameters = 40;

function parametersIn({ champion }: Search): string {
  const names = champion ? liftConstants(champion.source).constants : [];
  const named = names.filter(({ origin }) => origin !== 'plain').slice(0, mostParameters);
  return named.map(({ name, text }) => `${name} = ${text}`).join(', ') || 'none is known';
}
