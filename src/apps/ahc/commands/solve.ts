/**
 * `polya ahc solve`: lets models improve a program in a session. It plans the session, tells what it may cost, and lets it
 * live in a process of its own in the background, or here with a live view.
 */
import { join } from 'node:path';
import type { Command } from 'commander';
import { modelsFor, usualModels } from '../../../cli/bring.ts';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { drive } from '../../../cli/drive.ts';
import { estimate, estimateText, nobodyAskedText, restText, usualOf } from '../../../cli/estimate.ts';
import { withPolya, withScratch } from '../../../cli/journals.ts';
import { quietIn, showLife, showRun } from '../../../cli/launch.ts';
import { requireModel } from '../../../cli/options.ts';
import { usualBudget } from '../../../cli/user-settings.ts';
import { exitCodes } from '../../../core/errors.ts';
import { agentLoaders } from '../../../open/agents.ts';
import type { WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import { previewRun } from '../../../open/journals.ts';
import type { Journals, JournalsOptions } from '../../../open/options.ts';
import { environmentOf } from '../../../open/store.ts';
import { newRunId } from '../../../run/hash.ts';
import { readJournal } from '../../../run/load.ts';
import { type PreparedRun, prepareRun } from '../../../run/start.ts';
import { ahcCall } from '../../../text/format.ts';
import { freeBecause } from '../../../text/labels.ts';
import { foldSession } from '../session/fold.ts';
import { type Attachment, attachSession, beginJob, completeFiles } from '../session/live.ts';
import { appLogOf } from '../session/log.ts';
import { findSession, isFiled, type SeenSession, seeSession, sessionsHere } from '../session/look.ts';
import { dropSession, newSession, refuseTakenName, sessionNamed, sessionsIn } from '../session/manifest.ts';
import { files } from '../session/names.ts';
import { checkOptions, choicesOf, type SolveOptions, solveKeys, solveOptions } from '../session/options.ts';
import { planSession, resumption, type SessionPlan, type SolveChoices } from '../session/plan.ts';
import { detach } from '../session/process.ts';
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
async function newPlan(shell: Shell, question: WorkspaceQuestion, given: SolveChoices): Promise<SessionPlan> {
  const choices = { ...given, limits: { ...usualBudget(shell.env), ...given.limits } };
  const plan = planSession(question, choices);
  if (Object.keys(plan.spec.models).length > 0) return plan;
  const agent = await agentLoaders[plan.spec.agent]?.();
  const models = modelsFor(agent ?? { roles: [] }, await usualModels(shell));
  return Object.keys(models).length > 0 ? planSession(question, { ...choices, models }) : plan;
}

/** Everything is checked before the folder is made. Where the process cannot begin, the folder is removed again. */
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
    const spec = { id: idIn(polya), ...plan.spec };
    const prepared = await prepareRun(polya.world, spec);
    const cost = [await costOf(polya, prepared), prepared.header.agent.decided].filter(Boolean).join('; ');
    const place = await newSession(plan, { name: options.sessionName, run: spec.id, home: polya.place.name });
    try {
      const start: SessionStart = { place, job: { how: 'start', spec }, change: {}, prepared };
      return await letLive(solving, polya, start, cost);
    } catch (error) {
      if (!(await polya.world.store.get(spec.id))) await dropSession(workspace, place.folder);
      throw error;
    }
  };
  return withPolya(shell, begin, { ...opening, ...askedThere(solving) });
}

/** In the background another process asks a person: this one must not hold the port. */
function askedThere({ shell, options }: Solving): Pick<JournalsOptions, 'person'> {
  const { person } = quietIn(options);
  if (person) return { person };
  const announce = (line: string): unknown => (shell.loud ?? shell.err).write(`${line}\n`);
  return { person: { terminal: shell.person, announce, isLater: !options.foreground } };
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
  if (options.interactive && found?.isRunning) return attend({ shell, place, folder: workspace.folder });
  const begin = async (polya: Journals): Promise<number> => {
    const seen = await seeSession(polya.world.store, place);
    if (!options.dryRun) await completeOldFiles(solving, polya, seen);
    const named = Object.keys(question.flags ?? {});
    const { job, change, changes } = resumption({ seen, plan, choices, named, newRunId: idIn(polya) });
    for (const each of changes) shell.err.write(`Holds from here on: ${each}\n`);
    const cost = restText(seen.state.run);
    if (!options.dryRun) return letLive(solving, polya, { place, job, change }, cost);
    const start: Parameters<typeof showLife>[2] = (world, observer) => beginJob(world, job, observer);
    return showLife(shell, polya, start, { json: Boolean(options.json), estimate: cost });
  };
  const env = environmentOf(place.manifest.home, opening.env ?? {});
  return withPolya(shell, begin, { ...opening, ...askedThere(solving), env });
}

/** A full disk may have kept the process of the last life from writing them. */
async function completeOldFiles(
  { shell, plan }: Solving,
  { world }: Journals,
  { row, place, status, state }: SeenSession,
): Promise<void> {
  if (!row || status === 'running' || state.run.end === null || (await isFiled(place))) return;
  const observer = { onNotice: (notice: string) => shell.err.write(`${notice}\n`) };
  await completeFiles({ world, place, observer, ...placesOf(plan) }, row.id);
  if (await isFiled(place)) shell.err.write('What its files lacked is written now.\n');
}

function placesOf({ workspace, opening: { env = {} } }: SessionPlan) {
  return { workspace: workspace.folder, env, log: appLogOf(workspace.config, env) };
}

type SessionStart = Pick<Attachment, 'place' | 'job' | 'change' | 'prepared'>;

/** Lets a session live that was checked and has its folder. Resolves to the exit code. */
function letLive(solving: Solving, polya: Journals, start: SessionStart, cost: string): Promise<number> {
  const { shell, options, plan } = solving;
  shell.err.write(`Estimate: ${cost}\n`);
  if (!options.foreground) return inBackground(solving, polya, start, cost);
  return drive(shell, polya, {
    isJson: false,
    start: (observer) => attachSession({ world: polya.world, ...start, observer, ...placesOf(plan) }),
  });
}

async function inBackground(
  { shell, options, plan }: Solving,
  polya: Journals,
  { place, job, change }: SessionStart,
  cost: string,
): Promise<number> {
  const { name, id, home } = place.manifest;
  const folder = place.folder.path;
  const { backend, env = {} } = plan.opening;
  const { out } = shell;
  const order = {
    workspace: plan.workspace.folder.path,
    session: name,
    job,
    change,
    backend,
    logFile: join(folder, files.worker),
  };
  const { pid, run, asks = [] } = await detach(order, environmentOf(home, env));
  const { header } = foldSession((await readJournal(polya.world.store, run)).events).run;
  // A script in the place of a model is labelled wherever a person sees a result.
  const label = header && freeBecause(header.models);
  if (options.json)
    tellJson(shell, { session: name, id, run, pid, folder, label, estimate: cost, answer_at: asks[0] });
  else {
    const call = ahcCall(shell);
    const lines = {
      ...(label === null ? {} : { models: label }),
      ...(asks[0] === undefined ? {} : { answer: asks[0] }),
      files: folder,
      talk: `${call} tell ${name} "…"`,
      watch: `${call} status ${name} --watch`,
      stop: `${call} stop ${name}`,
      'go on': `${call} solve --session-id ${name}`,
    };
    out.write(`Session ${out.paint('strong', name)} runs in the background, in process ${pid}.\n`);
    for (const [what, how] of Object.entries(lines))
      out.write(`  ${out.paint('faint', what.padEnd(8))}${how}\n`);
  }
  if (!options.interactive) return exitCodes.ok;
  // Only now its manifest names the run.
  const now = sessionNamed(await sessionsIn(plan.workspace), name);
  return attend({ shell, place: now, folder: plan.workspace.folder });
}
