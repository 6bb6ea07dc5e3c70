/**
 * What every command does that starts one run: it prepares it, so that all that can be wrong is found; shows it and
 * calls nothing with --dry-run; else tells the estimate and brings it to life.
 */
import type { Command } from 'commander';
import type { Observer, Polya, PreparedRun, RunHandle, RunSpec } from '../index.ts';
import { beginRun, prepareRun, previewLife, previewRun } from '../index.ts';
import { dryRunJson, dryRunText } from './dry-run.ts';
import { estimate, estimateText, nobodyAskedText, usualOf } from './estimate.ts';
import { type NotifyOptions, notifyOption } from './notify.ts';
import type { Shell } from './shell.ts';
import { harmlessJson } from './text.ts';

export type LaunchOptions = NotifyOptions & { readonly dryRun?: boolean; readonly json?: boolean };

export const dryRunWords = 'show what would be run and the first request; call nothing';

export function launchOptions(command: Command): Command {
  return notifyOption(command).option('--dry-run', dryRunWords).option('--json', 'print the result as JSON');
}

/** What brings the run to life, after its estimate was told. */
export async function readyRun(
  shell: Shell,
  { world }: Polya,
  spec: RunSpec,
): Promise<(observer: Observer) => Promise<RunHandle>> {
  const prepared = await prepareRun(world, spec);
  const first = await previewRun(world, prepared);
  const usual = usualOf(await world.agent(spec.agent));
  const told = first.end ? nobodyAskedText(first.end) : estimateText(estimate(prepared.header, first, usual));
  shell.err.write(`Estimate: ${told}\n`);
  return (observer) => beginRun(world, prepared, observer);
}

/** Shows how a run would go on, or how its fork would begin. Resolves to the exit code. */
export async function showLife(
  shell: Shell,
  { world }: Polya,
  begin: (world: Polya['world']) => Promise<RunHandle>,
  { json, estimate: rest }: { readonly json?: boolean; readonly estimate: string },
): Promise<number> {
  const { header, first } = await previewLife(world, begin);
  const dryRun = { header, first, usual: usualOf(await world.agent(header.agent.name)), rest };
  shell.out.write(json ? `${harmlessJson(dryRunJson(dryRun), 2)}\n` : dryRunText(shell.out, dryRun));
  return 0;
}

/** Shows a run that is not begun. Resolves to the exit code. */
export async function showRun(
  shell: Shell,
  { world }: Polya,
  spec: RunSpec,
  { json }: LaunchOptions,
): Promise<number> {
  const prepared: PreparedRun = await prepareRun(world, spec);
  const first = await previewRun(world, prepared);
  const dryRun = { header: prepared.header, first, usual: usualOf(await world.agent(spec.agent)) };
  shell.out.write(json ? `${harmlessJson(dryRunJson(dryRun), 2)}\n` : dryRunText(shell.out, dryRun));
  return 0;
}
