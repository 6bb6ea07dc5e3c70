/** `polya doctor`: tries what works on this machine and changes nothing; `--clean` removes leftovers of killed and old runs. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExplainedError, exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import { type ExecLimits, type Removed, type SandboxInfo, unsafeLabel } from '../../core/sandbox.ts';
import { findHome } from '../../io/home.ts';
import type { Journals } from '../../open/options.ts';
import { codeVersion } from '../../open/version.ts';
import { probeBackends } from '../../sandbox/choose.ts';
import { cleanMachine } from '../../sandbox/clean.ts';
import { missingNeeds } from '../../sandbox/needs.ts';
import { limitNotes } from '../../sandbox/verdict.ts';
import { asCalled, count, oneLine } from '../../text/format.ts';
import { type CommandFile, print, type Shell } from '../contract.ts';
import { withPolya } from '../journals.ts';
import { reportNetwork } from '../network-report.ts';
import { type BackendOption, backendIn, backendOption } from '../options.ts';
import { packageName } from '../setup-plan.ts';

type Options = BackendOption & {
  readonly clean?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
};

export const doctor: CommandFile = {
  isReport: true,
  define(command) {
    backendOption(command)
      .option('--clean', 'remove what killed Polyas left, and staged files that are not used any more')
      .option('--dry-run', 'with --clean: tell what would be removed, and remove nothing')
      .option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const { clean, dryRun = false, json } = options;
    if (clean) {
      const removed = await cleanMachine({ isDryRun: dryRun });
      print(shell.out, json ? { dryRun, removed } : cleanText(removed, dryRun));
      return exitCodes.ok;
    }
    if (dryRun) {
      throw new UserError({
        code: 'options-conflict',
        what: '--dry-run is for --clean.',
        fix: 'Give both, or leave it out.',
      });
    }
    const diagnosis = await diagnose(shell, options);
    print(shell.out, json ? diagnosis : diagnosisText(shell, diagnosis));
    return diagnosis.usable ? exitCodes.ok : exitCodes.unavailable;
  },
};

function cleanText(removed: readonly Removed[], isDryRun: boolean): string {
  if (removed.length === 0) return 'Nothing was left behind.\n';
  const lines = removed.map(({ kind, name }) => `  ${kind.padEnd(11)} ${oneLine(name)}\n`);
  const verb = isDryRun ? 'Would be removed' : 'Removed';
  return `${lines.join('')}${verb}: ${count(removed.length, 'thing')}.\n`;
}

async function diagnose(shell: Shell, options: Options) {
  const found = async (polya: Journals) => ({ ...(await trySandbox(polya)), server: await tryServer(polya) });
  const { sandbox, problem, server } = await withPolya(shell, found, backendIn(options));
  const home = findHome(shell.folder, shell.env);
  const writable = isWritable(home.folder);
  const attempts = await probeBackends(shell.env);
  const network = reportNetwork(shell);
  return {
    usable:
      sandbox !== null && sandbox.toolchains.length > 0 && writable && !server?.problem && !network.problem,
    polya: codeVersion(),
    node: { version: process.version, path: process.execPath },
    store: { ...home, writable, server },
    network,
    sandbox: sandbox && { ...sandbox, limitNotes: limitNotes(sandbox) },
    /** Why there is no sandbox. */
    problem,
    /** `probing`: the machine did, by what works. */
    chosenBy: options.backend ? '--backend' : shell.env.POLYA_SANDBOX ? namedBy(shell) : 'probing',
    backends: attempts.map((backend) => {
      const { name, works } = backend;
      const { why, what } = backend.works ? { why: null, what: null } : backend.error.explanation;
      return {
        name,
        works,
        version: backend.works ? backend.version : null,
        /** The folder of staged tools and compiled programs. */
        folder: backend.works ? backend.folder : null,
        /** Why it does not work. */
        why: why ?? what,
        isChosen: name === sandbox?.backend,
      };
    }),
    missing: await missingNeeds(),
  };
}

/** A variable, or where it is not set the user's configuration. */
function namedBy({ ownEnv, env }: Shell): string {
  return (ownEnv ?? env).POLYA_SANDBOX ? 'POLYA_SANDBOX' : '`polya config`';
}

type Diagnosis = Awaited<ReturnType<typeof diagnose>>;

async function trySandbox({ world: { io } }: Journals) {
  try {
    return { sandbox: await io.sandbox.info(), problem: null };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { sandbox: null, problem: error.message };
  }
}

/** Null where the journals are in the folder. */
async function tryServer({ place, world }: Journals) {
  if (place.file !== null) return null;
  try {
    await world.store.listSets({ limit: 1 });
    return { name: place.name, problem: null };
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    return { name: place.name, problem: error.message };
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

type Line = readonly [mark: 'good' | 'bad' | 'plain', name: string, fact: string];

/** One line a fact, then the limits and by which means each is kept. */
function diagnosisText(shell: Shell, diagnosis: Diagnosis): string {
  const { usable, node, store, missing, sandbox } = diagnosis;
  const selected = diagnosis.backends.filter(({ isChosen }) => isChosen);
  const others = diagnosis.backends.filter(({ isChosen }) => !isChosen);
  const lines: readonly Line[] = [
    ['good', 'polya', `${diagnosis.polya}, Node ${node.version} (${node.path})`],
    [store.writable && !store.server?.problem ? 'good' : 'bad', 'store', storeText(store)],
    [sandbox ? 'good' : 'bad', 'sandbox', chosenText(diagnosis)],
    ...selected.map(
      ({ folder }): Line => ['plain', '', `its tools, and what was compiled, lie in ${folder}`],
    ),
    ...others.map(otherLine),
    ...toolchainLines(sandbox),
    ...networkLines(diagnosis),
    ...missing.map((need): Line => {
      const source = need.kind === 'npm' ? 'npm' : 'Debian';
      const entry = `${need.executable}, for ${need.purpose}: ${source}'s package ${packageName(need)}`;
      return ['bad', 'missing', entry];
    }),
  ];
  const text = lines.map((line) => lineText(shell, line)).join('');
  const setup = `${shell.calledAs} setup`;
  const advice = missing.length ? `Usable; ${setup} installs what is missing.` : 'All is well.';
  const verdict = usable ? advice : `Not usable yet. Run ${setup}.`;
  return `${text}${sandbox ? limitsText(sandbox) : ''}\n${verdict}\n`;
}

function lineText(shell: Shell, [mark, name, entry]: Line): string {
  const { paint } = shell.out;
  const marks = { good: paint('good', '✔'), bad: paint('bad', '✘'), plain: ' ' };
  const told = asCalled(oneLine(entry), shell);
  return `${marks[mark]} ${name.padEnd(10)} ${mark === 'plain' ? paint('faint', told) : told}\n`;
}

function storeText({ folder, exists, writable, server }: Diagnosis['store']): string {
  if (server) return server.problem ?? server.name;
  if (!writable) return `${folder} cannot be written`;
  return exists ? folder : `${folder} (made with the first run)`;
}

function chosenText({ sandbox, problem, chosenBy }: Diagnosis): string {
  if (!sandbox) return problem ?? '';
  const reason = chosenBy === 'probing' ? 'the first that works here' : `named by ${chosenBy}`;
  return `${sandbox.backend} ${sandbox.version}, ${unsafeLabel(sandbox) ?? reason}`;
}

function otherLine({ name, works, version, why }: Diagnosis['backends'][number]): Line {
  if (name === 'none') return ['plain', name, 'isolates nothing; taken only if it is named'];
  return ['plain', name, works ? `${version} works too` : `does not work: ${why}`];
}

/** The default of a language comes first; what a model is told of each stands below it. */
function toolchainLines(sandbox: SandboxInfo | null): readonly Line[] {
  return (sandbox?.toolchains ?? []).flatMap(({ language, name, version, level, notes }, index, all) => {
    const used =
      all[index - 1]?.language === language ? `for ${language}, if it is named` : `for ${language}`;
    const entry = `${version}${level ? ` (${level})` : ''}, ${used}`;
    return [['good', name, entry] as const, ...notes.map((note) => ['plain', '', note] as const)];
  });
}

/** One line for all that are called alike. */
function networkLines({ network: { ways, certificates, problem } }: Diagnosis): readonly Line[] {
  if (problem) return [['bad', 'network', problem]];
  const similar = Map.groupBy(ways, ({ way }) => way);
  const calls = [...similar].map(
    ([path, called]): Line => ['plain', 'network', `${called.map(({ name }) => name).join(', ')}: ${path}`],
  );
  const files = Object.entries(certificates).map(
    ([variable, file]): Line => ['plain', '', `certificates of ${file} are trusted, too (${variable})`],
  );
  return [...calls, ...files];
}

function limitsText({ enforcement, limits, limitNotes: notes }: NonNullable<Diagnosis['sandbox']>): string {
  const seconds = (ms: number) => `${ms / 1_000} s`;
  const size = (bytes: number) =>
    bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
  const lines: readonly [string, keyof ExecLimits, (limit: number) => string][] = [
    ['wall time', 'wallMs', seconds],
    ['CPU time', 'cpuMs', seconds],
    ['memory', 'memoryBytes', size],
    ['processes', 'processes', String],
    ['open files', 'openFiles', String],
    ['one file', 'fileBytes', size],
    ['disk', 'diskBytes', size],
    ['output', 'outputBytes', size],
  ];
  const told = lines.map(
    ([name, kind, words]) =>
      `  ${name.padEnd(10)} ${words(limits[kind]).padStart(9)}   by ${enforcement[kind]}\n`,
  );
  const noted = notes.map((note) => `  ${note}\n`).join('');
  return `\nLimits of a program, and what enforces them:\n${told.join('')}${noted}`;
}
