/** What `polya doctor` found, for people: one line a fact, then the limits and by which means each is kept. Pure. */
import type { ExecLimits, SandboxInfo, Toolchain } from '../core/sandbox.ts';
import { unsafeLabel } from '../core/sandbox.ts';
import type { missingNeeds } from '../sandbox/needs.ts';
import { asCalled, oneLine } from '../text/format.ts';
import type { Shell } from './contract.ts';
import { packageName } from './setup-plan.ts';

/** One back-end, tried. */
export type TriedBackend = {
  readonly name: string;
  readonly works: boolean;
  readonly version: string | null;
  /** Why it does not work. */
  readonly why: string | null;
  /** Of staged tools and compiled programs. */
  readonly folder: string | null;
  /** The one that programs run in. */
  readonly isChosen: boolean;
};

export type Diagnosis = {
  readonly usable: boolean;
  readonly polya: string;
  readonly node: { readonly version: string; readonly path: string };
  readonly store: { readonly folder: string; readonly exists: boolean; readonly writable: boolean };
  readonly sandbox: SandboxInfo | null;
  /** Why there is no sandbox. */
  readonly problem: string | null;
  /** Who chose it: the machine, by what works; or its user, by name. */
  readonly chosenBy: 'probing' | '--backend' | 'POLYA_SANDBOX';
  readonly backends: readonly TriedBackend[];
  readonly missing: Awaited<ReturnType<typeof missingNeeds>>;
};

type Mark = 'good' | 'bad' | 'plain';
type Line = readonly [mark: Mark, name: string, fact: string];

export function diagnosisText(shell: Shell, diagnosis: Diagnosis): string {
  const { node, store, missing, sandbox } = diagnosis;
  const lines: readonly Line[] = [
    ['good', 'polya', `${diagnosis.polya}, Node ${node.version} (${node.path})`],
    [store.writable ? 'good' : 'bad', 'store', storeText(store)],
    [sandbox ? 'good' : 'bad', 'sandbox', chosenText(diagnosis)],
    ...diagnosis.backends.filter(({ isChosen }) => isChosen).map(folderLine),
    ...diagnosis.backends.filter(({ isChosen }) => !isChosen).map(otherLine),
    ...(sandbox?.toolchains ?? []).flatMap((toolchain, index, all) =>
      toolchainLines(toolchain, all[index - 1]),
    ),
    ...missing.map((need): Line => {
      const source = need.kind === 'npm' ? 'npm' : 'Debian';
      return [
        'bad',
        'missing',
        `${need.executable}, for ${need.purpose}: ${source}'s package ${packageName(need)}`,
      ];
    }),
  ];
  const told = lines.map((line) => lineText(shell, line));
  return `${told.join('')}${sandbox ? limitsText(sandbox) : ''}${verdict(shell, diagnosis)}`;
}

function lineText(shell: Shell, [mark, name, fact]: Line): string {
  const { paint } = shell.out;
  const marks = { good: paint('good', '✔'), bad: paint('bad', '✘'), plain: ' ' };
  const told = asCalled(oneLine(fact), shell);
  return `${marks[mark]} ${name.padEnd(10)} ${mark === 'plain' ? paint('faint', told) : told}\n`;
}

function chosenText({ sandbox, problem, chosenBy }: Diagnosis): string {
  if (!sandbox) return problem ?? '';
  const reason = chosenBy === 'probing' ? 'the first that works here' : `named by ${chosenBy}`;
  return `${sandbox.backend} ${sandbox.version}, ${unsafeLabel(sandbox) ?? reason}`;
}

function folderLine({ folder }: TriedBackend): Line {
  return ['plain', '', `its tools, and what was compiled, lie in ${folder}`];
}

function otherLine({ name, works, version, why }: TriedBackend): Line {
  if (name === 'none') return ['plain', name, 'isolates nothing; taken only if it is named'];
  return ['plain', name, works ? `${version} works too` : `does not work: ${why}`];
}

/** The default of a language comes first; what a model is told of each stands below it. */
function toolchainLines(toolchain: Toolchain, before: Toolchain | undefined): readonly Line[] {
  const { language, name, version, level, notes } = toolchain;
  const isDefault = before?.language !== language;
  const fact = `${version}${level ? ` (${level})` : ''}`;
  const used = isDefault ? `for ${language}` : `for ${language}, if it is named`;
  return [['good', name, `${fact}, ${used}`], ...notes.map((note): Line => ['plain', '', note])];
}

function storeText({ folder, exists, writable }: Diagnosis['store']): string {
  if (!writable) return `${folder} cannot be written`;
  return exists ? folder : `${folder} (made with the first run)`;
}

function limitsText({ enforcement, limits }: SandboxInfo): string {
  const lines: readonly [string, string, keyof ExecLimits][] = [
    ['wall time', seconds(limits.wallMs), 'wallMs'],
    ['CPU time', seconds(limits.cpuMs), 'cpuMs'],
    ['memory', size(limits.memoryBytes), 'memoryBytes'],
    ['processes', String(limits.processes), 'processes'],
    ['open files', String(limits.openFiles), 'openFiles'],
    ['one file', size(limits.fileBytes), 'fileBytes'],
    ['disk', size(limits.diskBytes), 'diskBytes'],
    ['output', size(limits.outputBytes), 'outputBytes'],
  ];
  const told = lines.map(
    ([name, limit, kind]) => `  ${name.padEnd(10)} ${limit.padStart(9)}   by ${enforcement[kind]}\n`,
  );
  return `\nLimits of a program, and what enforces them:\n${told.join('')}`;
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}

function size(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
}

function verdict({ calledAs }: Shell, { usable, missing }: Diagnosis): string {
  if (!usable) return `\nNot usable yet. Run ${calledAs} setup.\n`;
  return missing.length ? `\nUsable; ${calledAs} setup installs what is missing.\n` : '\nAll is well.\n';
}
