/** The shapes that `--json` promises. Strict: a new field is written down here. */
import { z } from 'zod';
import { errorTypes, failures } from '../../src/families/aoc/failure.ts';

const tokens = z.strictObject({
  input: z.number(),
  cachedInput: z.number(),
  cacheWriteInput: z.number().optional(),
  output: z.number(),
  reasoning: z.number(),
});

const totals = {
  modelCalls: z.number(),
  failedModelCalls: z.number(),
  toolCalls: z.number(),
  toolCallsByName: z.record(z.string(), z.number()),
  failedToolCalls: z.number(),
  programs: z.number(),
  tokens: z.number().nullable(),
  knownTokens: tokens,
  cacheHitRate: z.number().min(0).max(1).nullable(),
  costUsd: z.number().nullable(),
  knownCostUsd: z.number(),
};

const perPart = <Part extends 1 | 2>(part: Part) => ({
  [`success_part${part}`]: z.boolean(),
  [`error_type_part${part}`]: z.enum(Object.keys(errorTypes)).nullable(),
  [`time_spent_part${part}`]: z.number(),
  [`waited_seconds_part${part}`]: z.number(),
  [`tokens_used_part${part}`]: z.number().nullable(),
  [`tool_call_counts_part${part}`]: z.record(z.string(), z.number()),
  [`last_failure_part${part}`]: z.enum(Object.keys(failures)).nullable(),
});

export const metricsShape = z.strictObject({
  run_id: z.string(),
  site: z.string(),
  year: z.number(),
  day: z.number(),
  lang: z.string(),
  model: z.string(),
  model_kind: z.string(),
  toolchain: z.string(),
  level: z.string(),
  sandbox: z.string(),
  outcome: z.string().nullable(),
  cost_usd: z.number().nullable(),
  reminders: z.number(),
  ...perPart(1),
  ...perPart(2),
});

const kind = z.enum(['live', 'script', 'person']);
const model = {
  role: z.string(),
  model: z.string(),
  baseUrl: z.string().nullable(),
  kind,
  label: z.string().nullable(),
  settings: z.record(z.string(), z.union([z.string(), z.number()])),
};
const fork = z.strictObject({ run: z.string(), seq: z.number() }).nullable();
const state = z.enum(['running', 'interrupted', 'ended']);

export const runShape = z.strictObject({
  /** Only where a file of the user's brought something. */
  code: z
    .array(z.strictObject({ file: z.string(), hash: z.string(), brings: z.array(z.string()) }))
    .optional(),
  id: z.string(),
  state,
  pid: z.number().nullable(),
  /** Of a store that several hosts share. */
  host: z.string().nullable(),
  outcome: z.string().nullable(),
  limit: z.string().nullable(),
  explanation: z.string(),
  answer: z.string().nullable(),
  problem: z.string(),
  title: z.string(),
  agent: z.string(),
  models: z.array(z.strictObject(model)),
  sandbox: z
    .strictObject({ backend: z.string(), version: z.string(), label: z.string().nullable() })
    .nullable(),
  settings: z.record(z.string(), z.unknown()),
  limits: z.record(z.string(), z.number()),
  createdAtMs: z.number(),
  aliveMs: z.number(),
  lives: z.number(),
  forkOf: fork,
  events: z.number(),
  stages: z.array(
    z.strictObject({
      stage: z.string(),
      solved: z.boolean(),
      answered: z.boolean(),
      aliveMs: z.number(),
      ...totals,
    }),
  ),
  totals: z.strictObject(totals),
  inherited: z.strictObject(totals),
  possiblyBilled: z.number(),
  metrics: metricsShape.nullable(),
});

const position = {
  seq: z.number(),
  atMs: z.number(),
  kind: z.string(),
  branch: z.string(),
  ordinal: z.number().nullable(),
  attempt: z.number(),
};

export const eventShape = z.strictObject({ ...position, body: z.record(z.string(), z.unknown()) });

export const shownShape = runShape.extend({
  damage: z.strictObject({ seq: z.number(), reason: z.string() }).nullable(),
  journal: z.array(z.strictObject({ ...position, text: z.string() })),
});

export const listShape = z.strictObject({
  runs: z.array(
    z.strictObject({
      id: z.string(),
      state,
      pid: z.number().nullable(),
      host: z.string().nullable(),
      outcome: z.string().nullable(),
      answer: z.string().nullable(),
      problem: z.string(),
      title: z.string(),
      agent: z.string(),
      models: z.array(z.string()),
      modelKinds: z.array(kind),
      labels: z.array(z.string()),
      createdAtMs: z.number(),
      lastAtMs: z.number(),
      aliveMs: z.number().nullable(),
      events: z.number(),
      forkOf: fork,
      set: z.string().nullable(),
      knownTokens: tokens,
      costUsd: z.number().nullable(),
      knownCostUsd: z.number(),
      possiblyBilled: z.number(),
    }),
  ),
  more: z.boolean(),
});

export const replayShape = z.strictObject({
  id: z.string(),
  events: z.number(),
  models: z.array(z.strictObject(model)),
  complete: z.boolean(),
  same: z.boolean().nullable(),
  outcome: z.string().nullable(),
  journaled: z.string().nullable(),
  at: z.string().nullable(),
});

export const dryRunShape = z.strictObject({
  dryRun: z.literal(true),
  problem: z.strictObject({
    id: z.string(),
    title: z.string(),
    contentHash: z.string(),
    stages: z.array(z.string()),
  }),
  agent: z.string(),
  settings: z.record(z.string(), z.unknown()),
  decided: z.string().nullable(),
  roles: z.array(z.strictObject({ role: z.string(), model: z.string().nullable() })),
  models: z.array(
    z.strictObject({
      ...model,
      price: z.record(z.string(), z.number()).nullable(),
    }),
  ),
  limits: z.record(z.string(), z.number()),
  prompts: z.array(z.string()),
  promptsHash: z.string(),
  sandbox: z
    .strictObject({ backend: z.string(), version: z.string(), toolchains: z.array(z.unknown()) })
    .nullable(),
  seed: z.string(),
  estimate: z
    .strictObject({
      free: z.string().nullable(),
      firstRequestTokens: z.number(),
      turns: z.number(),
      tokens: z.number(),
      costUsd: z.number().nullable(),
    })
    .nullable(),
  firstRequest: z
    .looseObject({ role: z.string(), messages: z.array(z.unknown()), tools: z.array(z.unknown()) })
    .nullable(),
  notices: z.array(z.string()),
});

export const doctorShape = z.strictObject({
  usable: z.boolean(),
  polya: z.string(),
  node: z.strictObject({ version: z.string(), path: z.string() }),
  store: z.strictObject({
    folder: z.string(),
    exists: z.boolean(),
    writable: z.boolean(),
    server: z.strictObject({ name: z.string(), problem: z.string().nullable() }).nullable(),
  }),
  network: z.strictObject({
    ways: z.array(z.strictObject({ name: z.string(), url: z.string(), way: z.string() })),
    certificates: z.record(z.string(), z.string()),
    problem: z.string().nullable(),
  }),
  sandbox: z
    .looseObject({ backend: z.string(), toolchains: z.array(z.unknown()), enforcement: z.object({}) })
    .nullable(),
  problem: z.string().nullable(),
  chosenBy: z.enum(['probing', '--backend', 'POLYA_SANDBOX']),
  backends: z.array(
    z.strictObject({
      name: z.string(),
      works: z.boolean(),
      version: z.string().nullable(),
      why: z.string().nullable(),
      folder: z.string().nullable(),
      isChosen: z.boolean(),
    }),
  ),
  missing: z.array(
    z.looseObject({ kind: z.enum(['debian', 'npm']), executable: z.string(), purpose: z.string() }),
  ),
});

const captured = z.strictObject({ text: z.string(), bytes: z.number(), cut: z.boolean() });
const stepFields = {
  verdict: z.enum([
    'ok',
    'exit',
    'signal',
    'wall',
    'cpu',
    'memory',
    'processes',
    'disk',
    'output',
    'cancelled',
  ]),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  stdout: captured,
  stderr: captured,
  wallMs: z.number(),
  cpuMs: z.number(),
  cpuIsUpperBound: z.boolean().optional(),
  memoryIsUpperBound: z.boolean().optional(),
  peakMemoryBytes: z.number(),
  decidedBy: z.string().optional(),
};
const compiled = z.strictObject({ ...stepFields, cached: z.boolean(), digest: z.string() }).nullable();
const step = z.strictObject(stepFields);

export const execShape = z.strictObject({
  backend: z.string(),
  version: z.string(),
  isolation: z.enum(['sandbox', 'none']),
  label: z.string().nullable(),
  language: z.string(),
  toolchain: z.string().nullable(),
  compile: compiled,
  run: step.nullable(),
});

const counts = z.record(z.string(), z.number());

/** `ahc status --json`. */
export const sessionShape = z.strictObject({
  session_id: z.string(),
  session_name: z.string(),
  competition_id: z.string(),
  start_time: z.iso.datetime(),
  end_time: z.iso.datetime().nullable(),
  status: z.enum(['running', 'stopped', 'completed', 'failed', 'crashed']),
  outcome: z.string().nullable(),
  problem_file_path: z.string(),
  paths_relative_to: z.string(),
  configuration_snapshot: z.record(z.string(), z.json()),
  models: z.array(z.strictObject({ role: z.string(), model: z.string(), kind })),
  current_generation: z.number(),
  best_score_history: z.array(
    z.strictObject({ generation: z.number(), score: z.number().nullable(), individual_id: z.string() }),
  ),
  final_best_individual_id: z.string().nullable(),
  total_llm_tokens_used: z.strictObject({
    prompt_tokens: z.number().nullable(),
    completion_tokens: z.number().nullable(),
    total_tokens: z.number().nullable(),
  }),
  known_llm_tokens_used: z.strictObject({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
  }),
  estimated_llm_cost_usd: z.number().nullable(),
  known_llm_cost_usd: z.number(),
  llm_calls: z.number(),
  llm_calls_of_unknown_tokens: z.number(),
  llm_calls_of_unknown_cost: z.number(),
  seconds_alive: z.number(),
  seconds_waited: z.number(),
  runs: z.array(z.string()),
  store: z.string(),
  error_message: z.string().nullable(),
  folder: z.string(),
  files_behind: z.boolean(),
  pid: z.number().nullable(),
  labels: z.array(z.string()),
  islands: z.number().nullable(),
  islands_because: z.string().nullable(),
  trial: z.strictObject({ kept: z.array(z.number()), ended: z.array(z.number()) }).nullable(),
  max_generations: z.number().nullable(),
  time_limit_seconds: z.number().nullable(),
  answer_at: z.string().nullable(),
  best_score: z.number().nullable(),
  candidates: counts,
  operators: z.array(
    z.strictObject({
      operator: z.string(),
      made: z.number(),
      scored: z.number(),
      best: z.number(),
      tokens: z.number().nullable(),
    }),
  ),
  strategies: z.array(z.strictObject({ name: z.string(), idea: z.string() })),
  doing: z.array(z.strictObject({ island: z.number(), what: z.string() })),
  asks: z.boolean(),
  hints: z.array(
    z.strictObject({
      number: z.number(),
      text: z.string(),
      made: z.number(),
      directed: z.number(),
      better_than_parents: z.number(),
      improvements: z.number(),
      gain: z.number(),
    }),
  ),
  over: z.string().nullable(),
  final: z.looseObject({ chosen: z.string() }).nullable(),
  machine: z.strictObject({
    cpu_seconds: z.number().nullable(),
    memory_bytes: z.number().nullable(),
    processes: z.number().nullable(),
    disk_bytes: z.number(),
  }),
});

/** `ahc solve --json`. */
export const begunShape = z.strictObject({
  session: z.string(),
  id: z.string(),
  run: z.string(),
  pid: z.number(),
  folder: z.string(),
  label: z.string().nullable(),
  estimate: z.string(),
});

/** `ahc stop --json`. */
export const stoppedShape = z.strictObject({
  session: z.string(),
  id: z.string(),
  status: z.string(),
  candidates: z.number(),
  best: z.string().nullable(),
  best_score: z.number().nullable(),
  folder: z.string(),
});
