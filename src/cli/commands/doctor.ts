/**
 * `polya doctor`: what works on this machine, why, and what is missing, found by trying; it changes nothing. With
 * `--clean` it removes what killed Polyas left, and what has not been used for long.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import type { Removed, SandboxInfo } from '../../core/sandbox.ts';
import { findHome } from '../../io/home.ts';
import { codeVersion } from '../../open/version.ts';
import { probeBackends } from '../../sandbox/choose.ts';
import { cleanMachine } from '../../sandbox/clean.ts';
import { missingNeeds } from '../../sandbox/needs.ts';
import { count, harmlessJson, oneLine } from '../../text/format.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { type Diagnosis, diagnosisText, type TriedBackend } from '../doctor-report.ts';
import { withPolya } from '../journals.ts';
import { type BackendOption, backendIn, backendOption } from '../options.ts';

type Options = BackendOption & {
  readonly clean?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
};

export const doctor: CommandFile = {
  define(command: Command) {
    backendOption(command)
      .option('--clean', 'remove what killed Polyas left, and staged files that are not used any more')
      .option('--dry-run', 'with --clean: tell what would be removed, and remove nothing')
      .option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    if (options.clean) return clean(shell, options);
    if (options.dryRun) {
      throw new UserError({
        code: 'options-conflict',
        what: '--dry-run is for --clean.',
        fix: 'Give both, or leave it out.',
      });
    }
    const diagnosis = await diagnose(shell, options);
    if (options.json) shell.out.write(`${harmlessJson(diagnosis, 2)}\n`);
    else shell.out.write(diagnosisText(shell, diagnosis));
    return diagnosis.usable ? exitCodes.ok : exitCodes.unavailable;
  },
};

async function diagnose(shell: Shell, options: Options): Promise<Diagnosis> {
  const { sandbox, problem } = await withPolya(
    shell,
    ({ world }) => trySandbox(() => world.io.sandbox.info()),
    backendIn(options),
  );
  const home = findHome(shell.folder, shell.env);
  const writable = isWritable(home.folder);
  return {
    usable: sandbox !== null && sandbox.toolchains.length > 0 && writable,
    polya: codeVersion(),
    node: { version: process.version, path: process.execPath },
    store: { ...home, writable },
    sandbox,
    problem,
    chosenBy: options.backend ? '--backend' : shell.env.POLYA_SANDBOX ? 'POLYA_SANDBOX' : 'probing',
    backends: (await probeBackends(shell.env)).map((tried): TriedBackend => {
      const isChosen = tried.name === sandbox?.backend;
      const { name, works } = tried;
      if (tried.works) {
        const { version, folder } = tried;
        return { name, works, version, folder, why: null, isChosen };
      }
      const { why, what } = tried.error.explanation;
      return { name, works, version: null, folder: null, why: why ?? what, isChosen };
    }),
    missing: await missingNeeds(),
  };
}

async function trySandbox(info: () => Promise<SandboxInfo>) {
  try {
    return { sandbox: await info(), problem: null };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { sandbox: null, problem: error.message };
  }
}

/** A folder that is not there yet can be made where the next one above it can be written. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder) && dirname(folder) !== folder) return isWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function clean(shell: Shell, { dryRun = false, json }: Options): Promise<number> {
  const removed = await cleanMachine({ isDryRun: dryRun });
  if (json) shell.out.write(`${harmlessJson({ dryRun, removed }, 2)}\n`);
  else shell.out.write(cleanText(removed, dryRun));
  return exitCodes.ok;
}

function cleanText(removed: readonly Removed[], isDryRun: boolean): string {
  if (removed.length === 0) return 'Nothing was left behind.\n';
  const lines = removed.map(({ kind, name }) => `  ${kind.padEnd(11)} ${oneLine(name)}\n`);
  const verb = isDryRun ? 'Would be removed' : 'Removed';
  return `${lines.join('')}${verb}: ${count(removed.length, 'thing')}.\n`;
}
