/** `polya store check` and `copy`: what of the journals is whole, a copy of that, a copy of all in another store. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes, UserError } from '../../core/errors.ts';
import { systemClock } from '../../io/clock.ts';
import { makeHome } from '../../io/home.ts';
import type { Journals } from '../../open/options.ts';
import { databaseIn, type StorePlace, storeNamed } from '../../open/store.ts';
import { type Copied, copyStore } from '../../run/copy.ts';
import { type Checked, checkStore, type StoreCheck, salvage } from '../../run/salvage.ts';
import { findIntegrityErrors } from '../../store/connections.ts';
import { thisProcess } from '../../store/owner.ts';
import { openSqliteStore } from '../../store/sqlite.ts';
import { count } from '../../text/format.ts';
import { type CommandFile, print, type Shell } from '../contract.ts';
import { anyRuns, withPolya } from '../journals.ts';

type Options = { readonly json?: boolean; readonly salvage?: string };

export const storeCheck: CommandFile = {
  define: (command) =>
    void command
      .option('--salvage <folder>', 'copy what is whole into another folder for POLYA_HOME')
      .option('--json', 'print it as JSON'),
  run: (shell, command) =>
    withStore(shell, async (polya) => {
      const options = command.opts<Options>();
      const folder = options.salvage && resolve(shell.folder, options.salvage);
      if (folder && existsSync(databaseIn(folder)))
        throw new UserError({ code: 'file-in-the-way', what: `There are journals in ${folder} already.` });
      const checked = await check(polya);
      if (folder) await salvageInto(folder, polya, checked);
      const code = tell(shell, checked, options);
      if (folder)
        shell.err.write(`What is whole was copied to ${folder}. See it with POLYA_HOME=${folder}.\n`);
      return code;
    }),
};

async function salvageInto(folder: string, { world }: Journals, checked: Found): Promise<void> {
  makeHome(folder);
  const to = openSqliteStore({ file: databaseIn(folder), now: world.io.clock.now });
  try {
    await salvage(world.store, to, checked, world.owner);
  } finally {
    await to.close();
  }
}

const place = 'a folder for POLYA_HOME, or postgres://USER@HOST/DATABASE';

export const storeCopy: CommandFile = {
  define(command) {
    command
      .argument('<from>', `where the runs are: ${place}`)
      .argument('<to>', `where they are to be: ${place}`)
      .option('--json', 'print it as JSON')
      .addHelpText('after', copyHelp);
  },
  async run(shell, command) {
    const [fromName, toName]: string[] = command.processedArgs;
    const placeOf = (name = ''): StorePlace => storeNamed(name, shell.folder, shell.env);
    const [from, to] = [placeOf(fromName), placeOf(toName)];
    if (!from.mayHaveRuns)
      throw new UserError({ code: 'no-runs-yet', what: `There are no runs in ${from.name}.` });
    if (from.name === to.name)
      throw new UserError({ code: 'store-is-itself', what: 'This is one store, not two.' });
    const [source, target] = [from.open(systemClock.now), to.open(systemClock.now)];
    try {
      // No run of theirs was this host's.
      const copied = await copyStore(source, target, { ...thisProcess(), host: '' });
      if (command.opts<Options>().json) print(shell.out, { from: from.name, to: to.name, ...copied });
      else shell.out.write(copyText(copied, to.name));
      return exitCodes.ok;
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  },
};

const copyHelp = `
Runs are copied whole or not at all, with their forks and unread mail. What is there already is left as it is, and what has
gone on since is continued; so a copy that was broken off is begun again. Keep a password in ~/.pgpass: everybody on this
machine can read an address that stands on a command line.

Examples:
  polya store copy .polya postgres://polya@db.example/polya
  polya store copy postgres://polya@db.example/polya saved
`;

function copyText({ runs, continued, alreadyThere, sets }: Copied, to: string): string {
  const more = [
    ...(continued > 0 ? [`${continued} continued`] : []),
    ...(alreadyThere > 0 ? [`${alreadyThere} there already`] : []),
  ];
  const also = more.length > 0 ? ` (${more.join(', ')})` : '';
  return `${count(runs, 'run')} and ${count(sets, 'run-set')} copied to ${to}${also}.\n`;
}

type Found = StoreCheck & { readonly flaws: readonly string[] };

async function check({ world, place }: Journals): Promise<Found> {
  // A server says itself what is wrong with its files, when they are read.
  const issues = place.file === null ? [] : findIntegrityErrors(place.file);
  return { ...(await checkStore(world.store)), flaws: issues };
}

function withStore(shell: Shell, work: (polya: Journals) => Promise<number>): Promise<number> {
  if (anyRuns(shell)) return withPolya(shell, work, { create: false });
  throw new UserError({
    code: 'no-runs-yet',
    what: 'There are no runs here yet.',
    fix: 'Go to the folder of your runs, or name it with POLYA_HOME.',
  });
}

function tell({ out, err }: Shell, { runs, unread, flaws }: Found, { json }: Options): number {
  const corrupt = runs.filter(({ damage }) => damage !== null);
  const isComplete = corrupt.length + unread.length + flaws.length === 0;
  if (json) print(out, { isWhole: isComplete, runs: runs.map(runJson), unread, flaws });
  else {
    for (const { row, damage } of corrupt)
      out.write(
        `${row.id}: whole up to event ${(damage?.seq ?? 1) - 1} of ${row.lastSeq}; ${damage?.reason}\n`,
      );
    const total = runs.length - corrupt.length;
    out.write(
      isComplete
        ? `${count(total, 'run')}, all whole.\n`
        : `${count(total, 'run')} whole, ${corrupt.length} damaged.\n`,
    );
  }
  for (const what of [...unread, ...flaws]) err.write(`${err.paint('warn', 'Warning:')} ${what}\n`);
  return isComplete ? exitCodes.ok : exitCodes.journal;
}

function runJson({ row, damage }: Checked) {
  return { id: row.id, events: row.lastSeq, wholeTo: damage ? damage.seq - 1 : row.lastSeq, damage };
}
