/** All sessions of a workspace, a line each: from what they left on disk, and whether somebody is at work on them. */
import { z } from 'zod';
import type { Shell } from '../../../cli/contract.ts';
import { dollars, grouped, moment } from '../../../text/format.ts';
import { freeBecause, partText } from '../../../text/labels.ts';
import { table } from '../../../text/table.ts';
import type { AhcSession } from '../load/session.ts';
import type { SessionPlace } from './manifest.ts';

const documentShape = z.object({
  current_generation: z.number(),
  final_best_individual_id: z.string().nullable(),
  best_score_history: z.array(z.object({ score: z.number().nullable() })),
  total_llm_tokens_used: z.object({ total_tokens: z.number().nullable() }),
  known_llm_tokens_used: z.object({ total_tokens: z.number() }).optional(),
  estimated_llm_cost_usd: z.number().nullable(),
  known_llm_cost_usd: z.number().optional(),
  models: z.array(z.object({ kind: z.enum(['live', 'script', 'recording', 'person']) })),
});

export type SessionRow = Spending & {
  readonly session: string;
  readonly id: string;
  readonly status: string;
  readonly started_at: string;
  readonly generation: number | null;
  readonly best_score: number | null;
  readonly best: string | null;
  /** Where no live model was asked: why it was free. */
  readonly label: string | null;
};

/** Null where its file cannot be read, and totals where one call or more did not tell. */
type Spending = {
  readonly tokens: number | null;
  readonly known_tokens: number | null;
  readonly cost_usd: number | null;
  readonly known_cost_usd: number | null;
};

export async function allSessions(
  shell: Shell,
  ahc: AhcSession,
  sessions: readonly SessionPlace[],
): Promise<readonly SessionRow[]> {
  const rows: SessionRow[] = [];
  for (const place of sessions) rows.push(await rowOf(shell, ahc, place));
  return rows;
}

async function rowOf({ env }: Shell, ahc: AhcSession, place: SessionPlace): Promise<SessionRow> {
  const { name, id, createdAtMs } = place.manifest;
  const status = await ahc.withStoreOf(place, env, (store) => ahc.statusNow(store, place));
  const read = documentShape.safeParse(await jsonIn(place));
  const document = read.success ? read.data : null;
  return {
    session: name,
    id,
    status,
    started_at: new Date(createdAtMs).toISOString(),
    generation: document?.current_generation ?? null,
    best_score: document?.best_score_history.at(-1)?.score ?? null,
    best: document?.final_best_individual_id ?? null,
    tokens: document?.total_llm_tokens_used.total_tokens ?? null,
    known_tokens: document?.known_llm_tokens_used?.total_tokens ?? null,
    cost_usd: document?.estimated_llm_cost_usd ?? null,
    known_cost_usd: document?.known_llm_cost_usd ?? null,
    label: document && freeBecause(Object.fromEntries(document.models.entries())),
  };
}

async function jsonIn({ folder }: SessionPlace): Promise<unknown> {
  try {
    return JSON.parse((await folder.read('session.json')) ?? 'null');
  } catch {
    return null;
  }
}

export function allText({ out }: Shell, rows: readonly SessionRow[]): string {
  if (rows.length === 0) return 'There are no sessions here yet.\n';
  const head = ['session', 'status', 'started', 'generation', 'best score', 'tokens', 'cost'];
  const cells = rows.map((row) => [
    row.session,
    row.status,
    moment(Date.parse(row.started_at)),
    row.generation ?? '',
    row.best_score === null ? '' : grouped(row.best_score),
    partText(row.tokens, row.known_tokens, grouped),
    row.label ?? partText(row.cost_usd, row.known_cost_usd, dollars),
  ]);
  return table(out, head, cells);
}
