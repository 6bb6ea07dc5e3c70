/**
 * Acts that begin something: a new run, a fork, a resume. Each is a command of Polya, told before it is called, and its
 * run lives in that command's process: the end of this server is not its end. Keys of providers are never in its words.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { ExplainedError, exitCodes, UserError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { rejectLinks } from '../io/no-links.ts';
import type { Journals } from '../open/options.ts';
import { changedLimits } from '../run/changed-limits.ts';
import { hashText } from '../run/hash.ts';
import { readableRuns } from '../run/spending.ts';
import { shellWord } from '../text/format.ts';
import { isObject, text } from '../text/json.ts';
import type { Answer, Commands } from './commands.ts';
import { rejectRequest } from './guard.ts';

const line = z.string().max(1_000_000);
const whole = z.int().min(1);

/** What may be changed of a run; what is left out stays as it is. */
const changes = {
  /** By role; `default` for all. */
  models: z.record(z.string(), line).default({}),
  /** Settings of models: `effort`, `solver.temperature`. */
  modelSettings: z.record(z.string(), line).default({}),
  /** Settings of the agent. */
  settings: z.record(z.string(), z.json()).default({}),
  prompts: z.record(z.string().regex(/^[\w-]+$/), line).default({}),
  limits: changedLimits.extend({ minutes: z.number().positive().exactOptional() }).default({}),
  /** Only shows what would be done, and what it may cost. */
  dryRun: z.boolean().default(false),
};

const shapes = {
  fork: z.strictObject({ ...changes, at: whole.optional(), hint: line.optional() }),
  resume: z.strictObject({ dryRun: changes.dryRun, limits: changedLimits.default({}) }),
  run: z.strictObject({
    ...changes,
    family: line,
    agent: line,
    problem: z.record(z.string(), z.json()),
    seed: line.optional(),
  }),
};
type Changes = Omit<z.infer<typeof shapes.fork>, 'at' | 'hint'>;

export type ActionOptions = {
  readonly polya: Journals;
  readonly commands: Commands;
  readonly closing: AbortSignal;
};

export function actionRoutes(options: ActionOptions): Hono {
  const { commands } = options;
  const app = new Hono();
  let parts: Promise<Json> | null = null;
  app.onError((error, context) => {
    if (!(error instanceof ExplainedError)) throw error;
    return context.json({ error: error.message, ...error.explanation }, 400);
  });

  // What the forms are made from: agents with their settings, families with what a problem is named by.
  app.get('/parts', async (context) => {
    parts ??= partsFrom(commands);
    parts.catch(() => {
      parts = null;
    });
    return context.json(await parts);
  });

  app.post('/runs', (context) =>
    runAction(context, options, shapes.run, ({ family, agent, problem, seed, settings, ...more }) => [
      ...['run', ...option('--family', family), ...option('--agent', agent)],
      ...Object.entries(problem).flatMap(([name, value]) =>
        option('--problem', `${name}=${argumentText(value)}`),
      ),
      ...Object.entries(settings).flatMap(([name, value]) =>
        option('--agent-setting', `${name}=${argumentText(value)}`),
      ),
      ...option('--seed', seed),
      ...changed(options, more),
    ]),
  );

  app.post('/runs/:id/fork', (context) => {
    const id = context.req.param('id');
    return runAction(context, options, shapes.fork, ({ at, hint, settings, ...more }) => [
      ...['runs', 'fork', id, ...option('--at', at), ...option('--hint', hint)],
      ...Object.entries(settings).flatMap(([name, value]) =>
        option('--set', `${name}=${argumentText(value)}`),
      ),
      ...changed(options, more),
    ]);
  });

  app.post('/runs/:id/resume', (context) => {
    const id = context.req.param('id');
    const words = ({ limits }: { limits: Limits }) => ['runs', 'resume', id, ...limitWords(limits)];
    return runAction(context, options, shapes.resume, words, id);
  });

  return app;
}

async function partsFrom(commands: Commands): Promise<Json> {
  const [agents, families] = await Promise.all(
    ['agents', 'families'].map(async (noun) => answerOutput(await commands.call([noun, '--json'])) ?? []),
  );
  return { agents: agents ?? [], families: families ?? [] };
}

async function runAction<T extends { readonly dryRun: boolean }>(
  context: Context,
  { polya, commands, closing }: ActionOptions,
  shape: z.ZodType<T>,
  wordsFor: (body: T) => readonly string[],
  resumed?: string,
) {
  const read = shape.safeParse(await context.req.json().catch(() => null));
  if (!read.success)
    return rejectRequest(context, 400, `This cannot be asked: ${z.prettifyError(read.error)}`);
  const words = wordsFor(read.data);
  const command = [commands.calledAs, ...words.map(shellWord)].join(' ');
  if (read.data.dryRun) {
    const answer = await commands.call([...words, '--dry-run', '--json']);
    const shown = answerOutput(answer);
    return answer.code === exitCodes.ok && isObject(shown)
      ? context.json({ command, ...shown })
      : failed(context, answer);
  }
  const started = await begin(polya, commands, [...words, '--json'], { resumed, closing });
  return typeof started === 'string' ? context.json({ command, run: started }) : failed(context, started);
}

/** The id of the run that the command works on as soon as it does; what the command said where it did not come to that. */
async function begin(
  { world: { store } }: Journals,
  commands: Commands,
  words: readonly string[],
  { resumed, closing }: { readonly resumed?: string; readonly closing: AbortSignal },
): Promise<string | Answer> {
  const { pid, ended } = commands.launch(words);
  let answer: Answer | null = null;
  const settled = ended.then((found) => {
    answer = found;
  });
  while (!answer && !closing.aborted) {
    const rows = resumed
      ? [await store.get(resumed)]
      : await readableRuns(store, () => undefined, { limit: 50 });
    const own = rows.find((row) => row?.owner?.pid === pid);
    if (own) return own.id;
    const pause = Promise.withResolvers<void>();
    const timer = setTimeout(pause.resolve, 50);
    await Promise.race([settled, pause.promise]);
    clearTimeout(timer);
  }
  const id = answer && text(answerOutput(answer), 'id');
  return id || (answer ?? { code: exitCodes.cancelled, out: '', err: 'This server ends.' });
}

function answerOutput({ out }: Answer): Json | undefined {
  try {
    return JSON.parse(out);
  } catch {
    return undefined;
  }
}

/** Answers with what, why and what to do, as the command does. */
function failed(context: Context, answer: Answer) {
  const { error } = (answerOutput(answer) ?? {}) as { readonly error?: ExplainedError['explanation'] };
  const { what = answer.err.trim() || 'The command failed.', why, fix } = error ?? {};
  const status = answer.code === exitCodes.bug ? 500 : answer.code === exitCodes.journal ? 409 : 400;
  return context.json({ error: [what, why, fix].filter(Boolean).join(' '), what, why, fix }, status);
}

function changed({ polya, commands }: ActionOptions, input: Omit<Changes, 'settings'>): readonly string[] {
  const { models, modelSettings, prompts, limits } = input;
  const folder = Object.keys(prompts).length > 0 ? kept(polya.home, prompts) : undefined;
  const text = folder && relative(commands.folder, folder);
  return [
    ...Object.entries(models).flatMap(([role, spec]) =>
      option('--model', role === 'default' ? spec : `${role}=${spec}`),
    ),
    ...Object.entries(modelSettings).flatMap(([name, value]) => option('--setting', `${name}=${value}`)),
    ...option('--prompts', text?.startsWith('..') ? folder : text),
    ...limitWords(limits),
    ...option('--max-minutes', limits.minutes),
  ];
}

type Limits = z.infer<typeof changedLimits>;

function limitWords({ toolCalls, costUsd, tokens }: Limits): readonly string[] {
  return [
    ...option('--max-tool-calls', toolCalls),
    ...option('--budget', costUsd),
    ...option('--max-tokens', tokens),
  ];
}

/** Changed prompts as files, under a name that their words give, so that the command can be typed later too. */
function kept(home: string, prompts: Readonly<Record<string, string>>): string {
  const folder = join(home, 'prompts', hashText(JSON.stringify(prompts)));
  const files = Object.keys(prompts).map((name) => join(relative(home, folder), `${name}.md`));
  rejectLinks(home, ...files);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, words] of Object.entries(prompts))
      writeFileSync(join(folder, `${name}.md`), `${words}\n`);
  } catch (error) {
    throw new UserError({
      code: 'prompts-unwritable',
      what: `The changed prompts cannot be written to ${folder}.`,
      why: error instanceof Error ? error.message : undefined,
      fix: 'Make room there, or fork without a changed prompt.',
    });
  }
  return folder;
}

/** As one word where a value might be taken for an option. */
function option(name: string, value: string | number | undefined): readonly string[] {
  if (value === undefined) return [];
  const words = String(value);
  return words.startsWith('-') || words === '' ? [`${name}=${words}`] : [name, words];
}

/** A text that would be read as JSON is written as JSON. */
function argumentText(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}
