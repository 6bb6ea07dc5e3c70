/** `polya worker`: runs what is given out in a store that several hosts share, until it is stopped. It installs nothing. */
import { createHash, randomUUID } from 'node:crypto';
import { join, relative } from 'node:path';
import { errorOf, exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import type { LiveWorker, WorkerInfo } from '../../core/fleet.ts';
import { makeHome } from '../../io/home.ts';
import { rejectLinks } from '../../io/no-links.ts';
import { describeProviders, findLocalServers } from '../../models/describe.ts';
import { familyLoaders } from '../../open/families.ts';
import type { Journals } from '../../open/options.ts';
import { isAliveOnThisHost } from '../../store/owner.ts';
import { toolchainsIn } from '../../studies/fleet/fits.ts';
import { platformIn, processorHere } from '../../studies/fleet/host.ts';
import { Spool } from '../../studies/fleet/spool.ts';
import { work } from '../../studies/fleet/worker.ts';
import { asCalled, count, duration, oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import { type CommandFile, print, type Shell } from '../contract.ts';
import { interruptibly } from '../drive.ts';
import { withPolya } from '../journals.ts';
import { type BackendOption, backendIn, backendOption, collectRepeated, parseInteger } from '../options.ts';
import { sharedStoreIn } from '../shared-store.ts';

type Options = BackendOption &
  BringOptions & {
    readonly slots: number;
    readonly only?: readonly string[];
    readonly list?: boolean;
    readonly json?: boolean;
  };

export const worker: CommandFile = {
  define(command) {
    backendOption(bringOptions(command))
      .option('--slots <number>', 'how many runs at once', parseInteger(1), 2)
      .option('--only <family>', 'take only runs of it; may be repeated', collectRepeated)
      .option('--list', 'print the workers that live, what they can do and have in hand; start none')
      .option('--json', 'print the list as JSON')
      .addHelpText('after', '\nExample: polya worker --store postgres://polya@db.example/polya --slots 4');
  },
  run: (shell, command) => {
    const options = command.opts<Options>();
    if (options.list) return printWorkers(shell, options.json === true);
    if (!sharedStoreIn(shell.env))
      throw new UserError({
        code: 'store-not-shared',
        what: 'A worker needs a store that several hosts share.',
        why: 'The runs of a folder are those of its own machine.',
        fix: 'Name a Postgres with `--store postgres://…` or POLYA_STORE (docs/fleet.md).',
      });
    const begun = (polya: Journals) =>
      interruptibly(shell, async (signal) => {
        const fleet = await polya.world.store.fleet?.();
        if (!fleet) throw new Error('This store gives nothing out.');
        await rejectUnknownFamilies(polya, options);
        const facts = await factsOf(shell, polya, options);
        const report = (line: string): void => shell.err.write(`${oneLine(line)}\n`);
        report(`Worker ${facts.id}: ${count(facts.slots, 'slot')}, ${doesText(facts)}. Ctrl-C stops it.`);
        await work(polya.world, { fleet, facts, signal, tell: report, spool: spoolOf(polya, report) });
        return exitCodes.ok;
      });
    const { code } = broughtIn(shell, options);
    return withPolya(shell, begun, { ...backendIn(options), code: { ...code, isByHash: true } });
  },
};

/** With a slip in a name it would have no work for ever. */
async function rejectUnknownFamilies({ code }: Journals, { only = [] }: Options): Promise<void> {
  const own = ((await code?.sources()) ?? []).flatMap(({ families }) => families.map(({ name }) => name));
  const known = [...Object.keys(familyLoaders), ...own];
  const slip = only.find((name) => !known.includes(name));
  if (slip === undefined) return;
  if (slip === 'ahc-evaluation')
    throw new UserError({
      code: 'worker-only-unknown',
      what: 'Evaluations are not given out any more: the process of a search does its own.',
      fix: 'Give whole searches out: rows of `polya ahc batch` or of a run-set, and `polya worker --only ahc`.',
    });
  throw new UserError({
    code: 'worker-only-unknown',
    what: `There is no family "${slip}" for \`--only\`.`,
    fix: `Choose from ${known.join(', ')}, or give the file of a family of yours with \`--family\`.`,
  });
}

/** On this host, and for this store alone: another may have runs of the same names. */
function spoolOf({ home, place, world: { owner } }: Journals, report: (line: string) => void): Spool | null {
  const folder = join(home, 'late', createHash('sha256').update(place.name).digest('hex').slice(0, 16));
  try {
    makeHome(home);
    rejectLinks(home, relative(home, folder));
    return new Spool({ folder, owner, livesHere: isAliveOnThisHost, tell: report });
  } catch (error) {
    report(`What is paid for while the store is gone cannot be kept here. ${errorOf(error).message}`);
    return null;
  }
}

async function factsOf(
  { env }: Shell,
  { world, code }: Journals,
  { slots, only = [] }: Options,
): Promise<Omit<WorkerInfo, 'runs'>> {
  const { pid, startedAt, host = '' } = world.owner;
  const sandbox = await world.io.sandbox.info().catch((error) => {
    if (error instanceof UnavailableError) return null;
    throw error;
  });
  const ready = describeProviders(env).filter(({ isReady, isConfigured }) => isReady && isConfigured);
  const servers = await findLocalServers(env);
  const providers = [...ready.map(({ name }) => name), ...servers.map(({ provider }) => provider)];
  return {
    id: `${host}-${pid}-${randomUUID().slice(0, 8)}`,
    host,
    boot: startedAt.split('/', 1)[0] ?? '',
    pid,
    codeVersion: world.codeVersion,
    slots,
    processor: processorHere(),
    isolation: sandbox?.isolation ?? null,
    toolchains: sandbox ? [...toolchainsIn(sandbox), platformIn(sandbox)] : [],
    providers: [...new Set(providers)],
    code: (await code?.copies()) ?? [],
    only,
  };
}

function doesText({ providers, isolation, code, only }: Omit<WorkerInfo, 'runs'>): string {
  const models =
    providers.length > 0
      ? `models of ${providers.join(', ')}`
      : 'scripts only, for neither a key nor the address of a server is set';
  const programs = isolation === null ? 'no programs' : `programs in ${isolation}`;
  const own = code.length > 0 ? `; your code in ${code.map(({ file }) => file).join(', ')}` : '';
  return `${models}; ${programs}${own}${only.length > 0 ? `; only ${only.join(', ')}` : ''}`;
}

async function printWorkers(shell: Shell, isJson: boolean): Promise<number> {
  const { out } = shell;
  const workers = await withPolya(shell, async ({ world }) => (await world.store.fleet?.())?.workers() ?? []);
  const none = asCalled('No worker is there. Start one with `polya worker` (docs/fleet.md).\n', shell);
  const head = ['host', 'slots', 'runs', 'heard', 'version', 'programs', 'models', 'processor'];
  const text = workers.length > 0 ? table(out, head, workers.map(cells)) : none;
  print(out, isJson ? { workers } : text);
  return exitCodes.ok;
}

function cells({ host, slots, runs, seenMsAgo, codeVersion, ...can }: LiveWorker): string[] {
  const received = `${duration(seenMsAgo)} ago`;
  return [
    ...[host, `${runs.length} of ${slots}`, runs.join(' '), received, codeVersion],
    ...[can.isolation ?? 'none', can.providers.join(', '), can.processor],
  ];
}
