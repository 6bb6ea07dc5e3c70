/**
 * `polya ahc solve`: lets models improve a program in a session. It plans the session, tells what it may cost, and lets it
 * live in a process of its own in the background, or here with a live view.
 */
import { join } from 'node:path';
import type { Command } from 'commander';
import { runInBackground } from '../../../cli/background.ts';
import { modelsFor, usualModels } from '../../../cli/bring.ts';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { drive } from '../../../cli/drive.ts';
import { estimate, estimateText, nobodyAskedText, restText, usualOf } from '../../../cli/estimate.ts';
import { withPolya, withScratch } from '../../../cli/journals.ts';
import { answerLaterOptions, readOnlyOptions, showLife, showRun } from '../../../cli/launch.ts';
import { requireModel } from '../../../cli/options.ts';
import { defaultBudget } from '../../../cli/user-settings.ts';
import { exitCodes } from '../../../core/errors.ts';
import { agentLoaders } from '../../../open/agents.ts';
import type { WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import { previewRun } from '../../../open/journals.ts';
import type { Journals, JournalsOptions } from '../../../open/options.ts';
import { environmentOf } from '../../../open/store.ts';
import { newRunId } from '../../../run/hash.ts';
import { type RunJob, startJob } from '../../../run/job.ts';
import { readJournal } from '../../../run/load.ts';
import { type PreparedRun, prepareRun } from '../../../run/start.ts';
import { ahcCall } from '../../../text/format.ts';
import { freeReason } from '../../../text/labels.ts';
import { inHeader } from '../session/context.ts';
import { foldSession } from '../session/fold.ts';
import { findSession, seeSession, sessionsHere } from '../session/look.ts';
import { files } from '../session/names.ts';
import { checkOptions, choicesOf, type SolveOptions, solveKeys, solveOptions } from '../session/options.ts';
import { planSession, resumption, type SessionPlan, type SolveChoices } from '../session/plan.ts';
import {
  newSession,
  refuseTakenName,
  type SessionPlace,
  sessionNamed,
  sessionsIn,
} from '../session/sessions.ts';
import { attend } from '../talk/attend.ts';
import { questionOf, tellJson, tellWarnings, withHelp } from '../workspace.ts';

export const ahcSolve: CommandFile = {
  define(command: Command) {
    solveOptions(withHelp(command, 'solve'));
  },
  async run(shell, command) {
    const options = command.opts<SolveOptions>();
    checkOptions(options);
    const question = questionOf(shell, command, solveKeys);
    const choices = choicesOf(shell, options);
    const isNew = options.sessionId === undefined;
    const plan = await (isNew ? newPlan(shell, question, choices) : planSession(question, choices));
    tellWarnings(shell, plan.warnings);
    const solving = { shell, options, question, choices, plan };
    return isNew ? beginNew(solving) : goOn(solving);
  },
};

type Solving = {
  readonly shell: Shell;
  readonly options: SolveOptions;
  readonly question: WorkspaceQuestion;
  readonly choices: SolveChoices;
  readonly plan: SessionPlan;
};

/** The configuration of contests goes before the model that is usual for all runs. */
async function newPlan(
  shell: Shell,
  question: WorkspaceQuestion,
  solveChoices: SolveChoices,
): Promise<SessionPlan> {
  const choices = { ...solveChoices, limits: { ...defaultBudget(shell.env), ...solveChoices.limits } };
  const plan = planSession(question, choices);
  if (Object.keys(plan.spec.models).length > 0) return plan;
  const agent = await agentLoaders[plan.spec.agent]?.();
  const models = modelsFor(agent ?? { roles: [] }, await usualModels(shell));
  return Object.keys(models).length > 0 ? planSession(question, { ...choices, models }) : plan;
}

/** Everything is checked before the folder is made. Where the run cannot begin, the folder is removed again. */
async function beginNew(solving: Solving): Promise<number> {
  const { shell, options, plan } = solving;
  const { workspace, opening } = plan;
  requireModel(
    plan.spec.models,
    'Or write one into the configuration: `polya ahc config llm.model openai/gpt-5`.',
  );
  await refuseTakenName(workspace, options.sessionName);
  if (options.dryRun) {
    return withScratch(shell, {}, (scratch) =>
      withPolya(scratch, (polya) => showRun(shell, polya, { id: idIn(polya), ...plan.spec }, options), {
        ...opening,
        env: { ...opening.env, ...scratch.env },
      }),
    );
  }
  const begin = async (polya: Journals): Promise<number> => {
    const id = idIn(polya);
    const { header, models } = await prepareRun(polya.world, { id, ...plan.spec });
    const cost = [await costOf(polya, { header, models }), header.agent.decided].filter(Boolean).join('; ');
    const { folder, context } = await newSession(plan, options.sessionName);
    const own = inHeader(context);
    const job: RunJob = { how: 'start', spec: { id, ...plan.spec, context: own } };
    const prepared = { header: { ...header, context: own }, models };
    try {
      return await start(solving, polya, { job, prepared, cost, session: { ...context, folder } });
    } catch (error) {
      if (!(await polya.world.store.get(id))) await workspace.folder.remove(context.name);
      throw error;
    }
  };
  return withPolya(shell, begin, { ...opening, ...personFor(solving) });
}

function personFor({ shell, options }: Solving): Pick<JournalsOptions, 'person'> {
  return { ...answerLaterOptions(shell, { background: !options.foreground }), ...personIn(options) };
}

function personIn(options: SolveOptions): Pick<JournalsOptions, 'person'> {
  const { person } = readOnlyOptions(options);
  return person ? { person } : {};
}

const idIn = ({ world }: Journals): string => newRunId(world.io.clock.now(), world.io.chance);

/** By the first request of the run; where programs are run or its user is asked before it, by the statement, which every request holds. */
async function costOf({ world }: Journals, prepared: PreparedRun): Promise<string> {
  const { header } = prepared;
  const agent = await world.agent(header.agent.name);
  const first = await previewRun(world, prepared);
  if (!first.end) return estimateText(estimate(header, first, usualOf(agent)));
  const isBeforeCalls = first.end.outcome === 'cancelled' || first.end.error?.unavailable === true;
  if (!isBeforeCalls) return nobodyAskedText(first.end);
  const request = { messages: [{ role: 'user' as const, content: header.problem.statement }] };
  return estimateText(estimate(header, { role: agent.roles[0] ?? 'default', request }, usualOf(agent)));
}

async function goOn(solving: Solving): Promise<number> {
  const { shell, options, question, choices, plan } = solving;
  const { workspace, opening } = plan;
  const sessions = await sessionsHere(shell, workspace);
  // Without a name: the only session that runs, which is then refused; else the newest.
  const name = options.sessionId === true ? undefined : options.sessionId;
  const found = await findSession(shell, sessions, name);
  const place = found?.place ?? sessions[0] ?? sessionNamed(sessions, '');
  if (options.interactive && found?.isRunning) return attend({ shell, place });
  const begin = async (polya: Journals): Promise<number> => {
    const seen = await seeSession(polya.world.store, place);
    const named = Object.keys(question.flags ?? {});
    const { job, changes } = resumption({ seen, plan, choices, named, newRunId: idIn(polya) });
    for (const each of changes) shell.err.write(`Holds from here on: ${each}\n`);
    const cost = restText(seen.state.run);
    if (!options.dryRun) return start(solving, polya, { job, cost, session: place });
    const begun: Parameters<typeof showLife>[2] = (runtime, observer) => startJob(runtime, job, observer);
    return showLife(shell, polya, begun, { json: Boolean(options.json), estimate: cost });
  };
  const env = environmentOf(place.store, opening.env ?? {});
  return withPolya(shell, begin, { ...opening, ...personFor(solving), env });
}

type SessionStart = {
  readonly job: RunJob;
  /** A new run that was checked. */
  readonly prepared?: PreparedRun;
  readonly cost: string;
  readonly session: Pick<SessionPlace, 'name' | 'id' | 'folder'>;
};

/** Resolves to the exit code. */
function start(solving: Solving, polya: Journals, sessionStart: SessionStart): Promise<number> {
  const { shell, options } = solving;
  const { job, prepared, cost } = sessionStart;
  shell.err.write(`Estimate: ${cost}\n`);
  if (!options.foreground) return inBackground(solving, polya, sessionStart);
  return drive(shell, polya, {
    isJson: false,
    start: (observer) => startJob(polya.world, job, observer, prepared),
  });
}

async function inBackground(
  { shell, options, plan }: Solving,
  { world, place }: Journals,
  { job, cost, session }: SessionStart,
): Promise<number> {
  const { name, id } = session;
  const folder = session.folder.path;
  const { backend, env = {} } = plan.opening;
  const { out } = shell;
  const order = { folder: plan.workspace.folder.path, job, backend, logFile: join(folder, files.worker) };
  const { pid, run, addresses } = await runInBackground(order, environmentOf(place.name, env));
  const { header } = foldSession((await readJournal(world.store, run)).events).run;
  // A script in the place of a model is labelled wherever a person sees a result.
  const label = header && freeReason(header.models);
  const [address] = addresses;
  if (options.json)
    tellJson(shell, { session: name, id, run, pid, folder, label, estimate: cost, answer_at: address });
  else {
    const call = ahcCall(shell);
    const lines = {
      ...(label === null ? {} : { models: label }),
      ...(address === undefined ? {} : { answer: address }),
      files: folder,
      talk: `${call} tell ${name} "…"`,
      watch: `${call} status ${name} --watch`,
      stop: `${call} stop ${name}`,
      'go on': `${call} solve --session-id ${name}`,
    };
    out.write(`Session ${out.paint('strong', name)} runs in the background, in process ${pid}.\n`);
    for (const [what, method] of Object.entries(lines))
      out.write(`  ${out.paint('faint', what.padEnd(8))}${method}\n`);
  }
  if (!options.interactive) return exitCodes.ok;
  return attend({ shell, place: sessionNamed(await sessionsIn(plan.workspace), name) });
}
