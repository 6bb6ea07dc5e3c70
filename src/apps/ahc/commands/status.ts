/** `polya ahc status`: how far a session is, what it does now, what it has cost; once, as a live screen, or all in a table. */
import type { Command } from 'commander';
import { z } from 'zod';
import { answerAddress } from '../../../cli/background.ts';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { Repainter } from '../../../cli/screen.ts';
import { exitCodes } from '../../../core/errors.ts';
import { jsonIn } from '../../../core/json.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { escapedJson, formatDollars, formatTimestamp, grouped } from '../../../text/format.ts';
import { freeReason, partText } from '../../../text/labels.ts';
import { table } from '../../../text/table.ts';
import {
  askUntil,
  completeFiles,
  findSession,
  followSession,
  isFiled,
  type SeenSession,
  sessionsHere,
  statusNow,
  untilInterrupted,
  withStoreOf,
} from '../session/look.ts';
import { files } from '../session/names.ts';
import type { SessionPlace } from '../session/sessions.ts';
import { type SessionStatusJson, statusJson, statusText } from '../session/status.ts';
import { conflict, questionOf, tellJson, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type StatusOptions = WorkspaceOptions & { readonly watch?: boolean; readonly all?: boolean };

export const ahcStatus: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command
        .argument('[session]', 'its name or id (default: the only one that runs, else the newest)')
        .option('--watch', 'go on showing it until it ends, or Ctrl-C')
        .option('--all', 'a line for each session'),
    );
  },
  async run(shell, command) {
    const options = command.opts<StatusOptions>();
    const [name] = command.processedArgs as [string?];
    if (options.all && (options.watch || name !== undefined)) {
      throw conflict('--all shows every session, once.', 'Leave it out, or the session and --watch.');
    }
    const workspace = openWorkspace(questionOf(shell, command));
    const sessions = await sessionsHere(shell, workspace);
    if (options.all) {
      const rows: SessionRow[] = [];
      for (const place of sessions) rows.push(await rowOf(shell, place));
      if (options.json) tellJson(shell, rows);
      else shell.out.write(allText(shell, rows));
      return exitCodes.ok;
    }
    const place = (await findSession(shell, sessions, name))?.place ?? sessions[0];
    if (place) return show(shell, place, workspace, options);
    shell.out.write(options.json ? 'null\n' : noSessions);
    return exitCodes.ok;
  },
};

const noSessions = 'There are no sessions here yet.\n';

function show(
  shell: Shell,
  place: SessionPlace,
  workspace: Workspace,
  { watch, json: isJson = false }: StatusOptions,
): Promise<number> {
  return withStoreOf(place, shell.env, async (store) => {
    const poll = followSession(store, place);
    const see = async (): Promise<Seen> => {
      const session = await poll();
      const isRunning = session.status === 'running';
      if (!isRunning) await completeFiles(place, workspace, shell.env);
      const address = session.row && (await answerAddress(store, session.row.id));
      return {
        session,
        json: statusJson(session, { address, isBehind: !isRunning && !(await isFiled(place)) }),
      };
    };
    if (watch) return watching(shell, see, isJson);
    const { session, json } = await see();
    if (isJson) tellJson(shell, json);
    else shell.out.write(statusText(shell.out, session, json));
    return exitCodes.ok;
  });
}

type Seen = { readonly session: SeenSession; readonly json: SessionStatusJson };

/** Until the session ends; with 130 where the user interrupts, which leaves the session running. */
function watching(shell: Shell, see: () => Promise<Seen>, isJson: boolean): Promise<number> {
  const { out } = shell;
  const screen = new Repainter(out);
  let last = '';
  const showOnce = async (): Promise<number | null> => {
    const { session, json } = await see();
    const isLast = session.status !== 'running';
    const key = `${session.state.run.lastSeq} ${session.status}`;
    // A mere tick of the clock is shown on a screen, but not written to a file.
    if (key !== last || (out.isTerminal && !isJson)) {
      if (isJson) out.write(`${escapedJson(json)}\n`);
      else screen.show(statusText(out, session, json), { isLast });
    }
    last = key;
    if (isLast) return exitCodes.ok;
    return out.isClosed ? exitCodes.cancelled : null;
  };
  return untilInterrupted(
    shell,
    async ({ signal }) => (await askUntil(showOnce, { everyMs: 500, signal })) ?? exitCodes.cancelled,
  );
}

/** What `--all` reads of a session.json. */
const documentShape = z.object({
  current_generation: z.number(),
  final_best_individual_id: z.string().nullable(),
  best_score_history: z.array(z.object({ score: z.number().nullable() })),
  total_llm_tokens_used: z.object({ total_tokens: z.number().nullable() }),
  known_llm_tokens_used: z.object({ total_tokens: z.number() }).optional(),
  estimated_llm_cost_usd: z.number().nullable(),
  known_llm_cost_usd: z.number().optional(),
  models: z.array(z.object({ kind: z.enum(['live', 'script', 'person']) })),
});

export type SessionRow = Awaited<ReturnType<typeof rowOf>>;

/** From the files of a session, without its journal. Totals are null where the file cannot be read, or a call reported none. */
async function rowOf({ env }: Shell, place: SessionPlace) {
  const { name, id, createdAtMs } = place;
  const status = await withStoreOf(place, env, (store) => statusNow(store, place));
  const text = await place.folder.read(files.session).catch(() => null);
  const { data: document } = documentShape.safeParse(jsonIn(text));
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
    /** Why it was free, where no live model was asked. */
    label: document ? freeReason(Object.fromEntries(document.models.entries())) : null,
  };
}

export function allText({ out }: Pick<Shell, 'out'>, rows: readonly SessionRow[]): string {
  if (rows.length === 0) return noSessions;
  const head = ['session', 'status', 'started', 'generation', 'best score', 'tokens', 'cost'];
  const cells = rows.map((row) => [
    row.session,
    row.status,
    formatTimestamp(Date.parse(row.started_at)),
    row.generation ?? '',
    row.best_score === null ? '' : grouped(row.best_score),
    partText(row.tokens, row.known_tokens, grouped),
    row.label ?? partText(row.cost_usd, row.known_cost_usd, formatDollars),
  ]);
  return table(out, head, cells);
}
