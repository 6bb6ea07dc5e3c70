/** `polya doctor`: what works on this machine and what is missing, found by trying. It changes nothing. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, UnavailableError } from '../../core/errors.ts';
import type { SandboxInfo } from '../../core/sandbox.ts';
import { codeVersion, findHome, missingNeeds } from '../../index.ts';
import type { CommandFile } from '../command.ts';
import { withPolya } from '../journals.ts';
import { packageName } from '../setup-plan.ts';
import type { Shell } from '../shell.ts';
import { asCalled, harmlessJson, oneLine } from '../text.ts';

type Diagnosis = {
  readonly usable: boolean;
  readonly polya: string;
  readonly node: { readonly version: string; readonly path: string };
  readonly store: { readonly folder: string; readonly exists: boolean; readonly writable: boolean };
  readonly sandbox: SandboxInfo | null;
  /** Why there is no sandbox. */
  readonly problem: string | null;
  readonly missing: Awaited<ReturnType<typeof missingNeeds>>;
};

export const doctor: CommandFile = {
  define(command: Command) {
    command.option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const diagnosis = await diagnose(shell);
    if (command.opts<{ json?: boolean }>().json) shell.out.write(`${harmlessJson(diagnosis, 2)}\n`);
    else shell.out.write(diagnosisText(shell, diagnosis));
    return diagnosis.usable ? exitCodes.ok : exitCodes.unavailable;
  },
};

async function diagnose(shell: Shell): Promise<Diagnosis> {
  const { sandbox, problem } = await withPolya(shell, ({ world }) =>
    trySandbox(() => world.io.sandbox.info()),
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

function diagnosisText(shell: Shell, diagnosis: Diagnosis): string {
  const { sandbox, node, store, missing } = diagnosis;
  const { paint } = shell.out;
  const lines: [boolean, string, string][] = [
    [true, 'polya', `${diagnosis.polya}, Node ${node.version} (${node.path})`],
    [store.writable, 'store', storeText(store)],
    [
      sandbox !== null,
      'sandbox',
      sandbox ? `${sandbox.backend} ${sandbox.version}` : (diagnosis.problem ?? ''),
    ],
    ...(sandbox?.toolchains ?? []).map(({ name, version, level, notes }): [boolean, string, string] => [
      true,
      name,
      [`${version}${level ? ` (${level})` : ''}`, ...notes].join('; ').replaceAll('.; ', '; '),
    ]),
    ...missing.map((need): [boolean, string, string] => [
      false,
      'missing',
      `${need.executable}, for ${need.purpose}: ${need.kind === 'npm' ? 'npm' : 'Debian'}'s package ${packageName(need)}`,
    ]),
  ];
  const told = lines.map(([isGood, name, fact]) => {
    const mark = isGood ? paint('good', '✔') : paint('bad', '✘');
    return `${mark} ${name.padEnd(10)} ${asCalled(oneLine(fact), shell.calledAs)}\n`;
  });
  return `${told.join('')}${sandbox ? enforcementText(sandbox) : ''}${verdict(shell, diagnosis)}`;
}

function storeText({ folder, exists, writable }: Diagnosis['store']): string {
  if (!writable) return `${folder} cannot be written`;
  return exists ? folder : `${folder} (made with the first run)`;
}

function enforcementText({ enforcement, limits }: SandboxInfo): string {
  const seconds = (ms: number) => `${ms / 1_000} s`;
  const size = (bytes: number) =>
    bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
  const lines: [string, string, string][] = [
    ['wall time', seconds(limits.wallMs), enforcement.wallMs],
    ['CPU time', seconds(limits.cpuMs), enforcement.cpuMs],
    ['memory', size(limits.memoryBytes), enforcement.memoryBytes],
    ['processes', String(limits.processes), enforcement.processes],
    ['one file', size(limits.fileBytes), enforcement.fileBytes],
    ['disk', size(limits.diskBytes), enforcement.diskBytes],
    ['output', size(limits.outputBytes), enforcement.outputBytes],
  ];
  const told = lines.map(
    ([name, limit, means]) => `  ${name.padEnd(10)} ${limit.padStart(9)}   by ${means}\n`,
  );
  return `\nLimits of a program, and what enforces them:\n${told.join('')}`;
}

function verdict(shell: Shell, { usable, missing }: Diagnosis): string {
  if (!usable) return `\nNot usable yet. Run ${shell.calledAs} setup.\n`;
  return missing.length
    ? `\nUsable; ${shell.calledAs} setup installs what is missing.\n`
    : '\nAll is well.\n';
}
