/**
 * `polya doctor`: what works on this machine, why, and what is missing, found by trying; it changes nothing. With
 * `--clean` it removes what killed Polyas left, and what has not been used for long.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import type { Removed } from '../../core/sandbox.ts';
import { findHome } from '../../io/home.ts';
import type { Journals } from '../../open/options.ts';
import { codeVersion } from '../../open/version.ts';
import { probeBackends } from '../../sandbox/choose.ts';
import { cleanMachine } from '../../sandbox/clean.ts';
import { missingNeeds } from '../../sandbox/needs.ts';
import { count, oneLine } from '../../text/format.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { type Diagnosis, diagnosisText, type TriedBackend } from '../doctor-report.ts';
import { withPolya } from '../journals.ts';
import { type BackendOption, backendIn, backendOption } from '../options.ts';
import { print } from '../output.ts';

type Options = BackendOption & {
  readonly clean?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
};

export const doctor: CommandFile = {
  define(command) {
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
    print(
      shell.out,
      options.json,
      () => diagnosis,
      () => diagnosisText(shell, diagnosis),
    );
    return diagnosis.usable ? exitCodes.ok : exitCodes.unavailable;
  },
};

async function diagnose(shell: Shell, options: Options): Promise<Diagnosis> {
  const { sandbox, problem } = await withPolya(shell, trySandbox, backendIn(options));
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
      const { name, works } = tried;
      const about = {
        name,
        works,
        version: null,
        folder: null,
        why: null,
        isChosen: name === sandbox?.backend,
      };
      if (tried.works) return { ...about, version: tried.version, folder: tried.folder };
      const { why, what } = tried.error.explanation;
      return { ...about, why: why ?? what };
    }),
    missing: await missingNeeds(),
  };
}

async function trySandbox({ world: { io } }: Journals) {
  try {
    return { sandbox: await io.sandbox.info(), problem: null };
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
  print(
    shell.out,
    json,
    () => ({ dryRun, removed }),
    () => cleanText(removed, dryRun),
  );
  return exitCodes.ok;
}

function cleanText(removed: readonly Removed[], isDryRun: boolean): string {
  if (removed.length === 0) return 'Nothing was left behind.\n';
  const lines = removed.map(({ kind, name }) => `  ${kind.padEnd(11)} ${oneLine(name)}\n`);
  const verb = isDryRun ? 'Would be removed' : 'Removed';
  return `${lines.join('')}${verb}: ${count(removed.length, 'thing')}.\n`;
}
