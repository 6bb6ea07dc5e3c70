/** `polya ahc solve`: lets models improve a program, in a session of its own in the background. */
import type { Command } from 'commander';
import { usualModels } from '../../../cli/bring.ts';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { restText } from '../../../cli/estimate.ts';
import { withPolya } from '../../../cli/journals.ts';
import { showLife, showRun } from '../../../cli/launch.ts';
import { requireModel } from '../../../cli/options.ts';
import { withScratch } from '../../../cli/scratch.ts';
import type { Journals } from '../../../open/options.ts';
import { newRunId } from '../../../run/run-id.ts';
import { prepareRun } from '../../../run/start.ts';
import { type AhcSession, loadAhcSession } from '../load/session.ts';
import { letLive, type Solving } from '../session/begin.ts';
import { sessionEstimate } from '../session/estimate.ts';
import { type Found, findSession, sessionsHere } from '../session/find.ts';
import type { SessionJob } from '../session/live.ts';
import type { SeenSession } from '../session/look.ts';
import {
  checkOptions,
  choicesOf,
  namedKeys,
  type SolveOptions,
  solveOptions,
  solveQuestion,
} from '../session/options.ts';
import type { SessionPlan } from '../session/plan.ts';
import { attend } from '../talk/attend.ts';
import { tellWarnings } from '../workspace.ts';

const help = `
It checks everything, tells what it may cost, starts a process of its own and returns; the process survives this terminal.

Examples:
  polya ahc solve --model openai/gpt-5 --budget 5
  polya ahc solve --from main.cpp --time-limit 600
  polya ahc solve --session-id night --max-generations 60
  polya ahc solve --interactive --model openai/gpt-5 --budget 5
  polya ahc solve --interactive --session-id night`;

export const ahcSolve: CommandFile = {
  define(command: Command) {
    solveOptions(command).addHelpText('after', help);
  },
  async run(shell, command) {
    const options = command.opts<SolveOptions>();
    checkOptions(options);
    const ahc = await loadAhcSession();
    const question = solveQuestion(shell, command);
    const choices = choicesOf(shell, options);
    const isNew = options.sessionId === undefined;
    const plan = await (isNew ? newPlan(shell, ahc, question, choices) : ahc.planSession(question, choices));
    tellWarnings(shell, plan.warnings);
    const solving = { shell, ahc, options, question, choices, plan };
    return isNew ? beginNew(solving) : goOn(solving);
  },
};

/** The configuration of contests goes before the model that is usual for all runs. */
async function newPlan(shell: Shell, ahc: AhcSession, ...asked: Parameters<AhcSession['planSession']>) {
  const [question, choices] = asked;
  const plan = ahc.planSession(question, choices);
  if (Object.keys(plan.spec.models).length > 0) return plan;
  const models = await usualModels(shell);
  return Object.keys(models).length > 0 ? ahc.planSession(question, { ...choices, models }) : plan;
}

/** Everything is checked before the folder is made, and nothing of it stays where the process could not begin. */
async function beginNew(solving: Solving): Promise<number> {
  const { shell, ahc, options, plan } = solving;
  requireModel(
    plan.spec.models,
    'Or write one into the configuration: `polya ahc config llm.model openai/gpt-5`.',
  );
  await ahc.refuseTakenName(plan.workspace, options.sessionName);
  if (options.dryRun) {
    return withScratch(shell, {}, (scratch) =>
      withPolya(scratch, (polya) => showRun(shell, polya, specIn(polya, plan), options), {
        ...plan.opening,
        env: { ...plan.opening.env, ...scratch.env },
      }),
    );
  }
  return withPolya(
    shell,
    async (polya) => {
      const spec = specIn(polya, plan);
      const estimate = await sessionEstimate(polya, await prepareRun(polya.world, spec));
      shell.err.write(`Estimate: ${estimate}\n`);
      const place = await ahc.newSession(plan, { name: options.sessionName, run: spec.id, home: polya.home });
      const start = { polya, place, job: { how: 'start', spec } as const, change: {}, estimate };
      try {
        return await letLive(solving, start);
      } catch (error) {
        if (!(await polya.world.store.get(spec.id))) await ahc.dropSession(place, plan);
        throw error;
      }
    },
    plan.opening,
  );
}

function specIn(polya: Journals, plan: SessionPlan) {
  return { id: newRunId(polya.world.io.clock.now(), polya.world.io.chance), ...plan.spec };
}

async function goOn(solving: Solving): Promise<number> {
  const { shell, ahc, options, question, choices, plan } = solving;
  const { place, isRunning } = await sessionToGoOn(solving);
  if (options.interactive && isRunning) return attend({ shell, ahc, place, folder: plan.workspace.folder });
  return withPolya(
    shell,
    async (polya) => {
      const seen = await ahc.seeSession(polya.world.store, place);
      if (!options.dryRun) await completeFiles(solving, polya, seen);
      const newId = newRunId(polya.world.io.clock.now(), polya.world.io.chance);
      const { job, settings, changes } = ahc.resumption({
        seen,
        plan,
        choices,
        named: namedKeys(question),
        newRunId: newId,
      });
      for (const change of changes) shell.err.write(`Holds from here on: ${change}\n`);
      const estimate = restText(seen.state.run);
      if (options.dryRun) return showRest(shell, polya, { ahc, job, estimate, json: Boolean(options.json) });
      shell.err.write(`Estimate: ${estimate}\n`);
      return letLive(solving, { polya, place, job, change: ahc.changeOf(plan, settings, place), estimate });
    },
    { ...plan.opening, env: { ...plan.opening.env, POLYA_HOME: place.manifest.home } },
  );
}

/** A full disk may have kept the process of before from that. */
async function completeFiles(
  { shell, ahc, plan }: Solving,
  { world }: Journals,
  { row, place, status, state }: SeenSession,
): Promise<void> {
  if (!row || status === 'running' || state.run.end === null || (await ahc.isFiled(place))) return;
  const env = plan.opening.env ?? {};
  const log = ahc.appLogOf(plan.workspace.config, env);
  const observer = { onNotice: (notice: string) => shell.err.write(`${notice}\n`) };
  const workspace = plan.workspace.folder;
  await ahc.completeFiles({ world, place, workspace, env, log, observer }, row.id);
  if (await ahc.isFiled(place)) shell.err.write('What its files lacked is written now.\n');
}

/** Without a name: the only one that runs, which is then refused; else the newest. */
async function sessionToGoOn({ shell, ahc, options, plan }: Solving): Promise<Found> {
  const sessions = await sessionsHere(shell, ahc, plan.workspace);
  const name = options.sessionId === true ? undefined : options.sessionId;
  const found = await findSession(shell, { ahc, sessions, name });
  if (found) return found;
  return { place: sessions[0] ?? ahc.sessionNamed(sessions, ''), isRunning: false };
}

function showRest(
  shell: Shell,
  polya: Journals,
  { ahc, job, estimate, json }: { ahc: AhcSession; job: SessionJob; estimate: string; json: boolean },
): Promise<number> {
  const begin: Parameters<typeof showLife>[2] = (world, observer) => ahc.beginJob(world, job, observer ?? {});
  return showLife(shell, polya, begin, { json, estimate });
}
