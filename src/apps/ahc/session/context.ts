/**
 * What the header of a session's run says beside the search: its name, what was configured, and how its files are kept. With
 * the journal it is all that the files of a session are made of. A run of another command has none, and is shown by its id. Pure.
 */
import { z } from 'zod';
import type { Header } from '../../../core/event.ts';
import type { JsonObject } from '../../../core/json.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { contestInfo } from '../../../families/ahc/problem/facts.ts';
import type { SessionState } from './fold.ts';

const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

export const sessionContext = z.object({
  id: z.string(),
  name: z.string(),
  contest: z.string(),
  createdAtMs: z.number(),
  scoring: z.enum(['absolute', 'relative']),
  direction: z.enum(['maximise', 'minimise']),
  problemFile: z.string(),
  /** The agent's settings in force, without programs; and what the files and the environment said of them. */
  settings: jsonObject,
  configured: jsonObject,
  /** Every key as it was in force, secrets masked; and the options of the command line. */
  configuration: jsonObject,
  keepsFiles: z.boolean(),
  maxLogBytes: z.number(),
  logsAreJson: z.boolean(),
  /** Present if the session is a row of a batch: its combination, from 0, by number and in words. */
  batch: z.object({ combination: z.number(), text: z.string(), repeat: z.number() }).optional(),
});

export type SessionContext = z.infer<typeof sessionContext>;

/** Null where the run is no session. */
export function contextIn({ context }: Pick<Header, 'context'>): SessionContext | null {
  return sessionContext.safeParse(context?.session).data ?? null;
}

/** As the header holds it. */
export function inHeader(session: SessionContext): JsonObject {
  return { session: sessionContext.parse(session) };
}

export type SessionFacts = SessionContext & {
  /** From the first run to the one that is in force; each but the first is a fork of the one before it. */
  readonly runs: readonly string[];
  /** The name of the store that holds its journal. */
  readonly store: string;
  /** The beginning of every path (`workspace/ahc030`), and the folder that it is relative to. */
  readonly workspacePath: string;
  readonly base: string;
};

type FactSources = {
  /** The folder of the workspace. */
  readonly workspace: string;
  readonly store: string;
  /** Of a session of an earlier version, whose header has none. */
  readonly context?: SessionContext | undefined;
};

export function factsOf(
  { run, runs }: SessionState,
  { workspace, store, context }: FactSources,
): SessionFacts {
  const parts = workspace.split('/');
  const known = (run.header && contextIn(run.header)) ?? context ?? contextOfRun(run.header, runs);
  const base = parts.slice(0, -2).join('/') || '/';
  return { ...known, runs, store, workspacePath: parts.slice(-2).join('/'), base };
}

function contextOfRun(header: Header | null, runs: readonly string[]): SessionContext {
  const [id = ''] = runs;
  const contest =
    header && typeof header.problem.detail.facts === 'string' ? contestInfo(header.problem).contest : null;
  return {
    id,
    name: id,
    contest: header?.problem.id.replace(/^ahc\//, '') ?? '',
    createdAtMs: 0,
    scoring: contest?.scoring ?? 'absolute',
    direction: contest?.direction ?? 'maximise',
    problemFile: layout.statement,
    settings: header?.agent.settings ?? {},
    configured: {},
    configuration: {},
    keepsFiles: true,
    maxLogBytes: 100 * 1024 * 1024,
    logsAreJson: false,
  };
}
