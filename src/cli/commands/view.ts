/** `polya view`: the page over the runs of this folder, until its user stops it. It changes no run by being looked at. */
import { resolve } from 'node:path';
import { exitCodes, UserError } from '../../core/errors.ts';
import type { RunRow, SetRow, Store } from '../../core/store.ts';
import { readableRuns } from '../../run/spending.ts';
import { copyOfRuns, copyOfSet } from '../../server/copy.ts';
import { text } from '../../text/json.ts';
import { type CommandFile, print, type Shell } from '../contract.ts';
import { interrupted } from '../drive.ts';
import { findRun, matching, withPolya } from '../journals.ts';
import { parseInteger } from '../options.ts';
import { assertNotExists, writeDocument } from '../safe-write.ts';
import { copyOptions, openBrowser, openView } from '../viewing.ts';

type Options = {
  readonly port: number;
  readonly open: boolean;
  readonly readOnly?: boolean;
  readonly json?: boolean;
  readonly export?: string;
  readonly withPuzzle: boolean;
  readonly force: boolean;
};

export const view: CommandFile = {
  define(command) {
    command
      .argument(
        '[run]',
        'the run or run-set to begin with: its id, the beginning or end of it, or `last`, the newest run; a session by its name, a problem by its id',
      )
      .option('--port <number>', 'the port; 0 is any that is free', parseInteger(0), 0)
      .option('--no-open', 'do not open a browser')
      .option('--read-only', 'looking only: nothing can be stopped, told or answered')
      .option(
        '--export <file>',
        'write the run or run-set into one file that opens anywhere, and serve nothing',
      )
      .option(
        '--with-puzzle',
        'the file holds the puzzle, its input and gold answers, which may not be passed on',
        false,
      )
      .option('--force', 'replace a file that exists', false)
      .option('--json', 'print the address as JSON');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const name: string | undefined = command.processedArgs[0];
    if (options.export !== undefined) return writeCopy(shell, name, { ...options, out: options.export });
    return withPolya(shell, async (polya) => {
      const rest = name === undefined ? '' : await placeOf(shell, polya.world.store, name);
      const report = (address: string): void =>
        print(shell.out, options.json ? { address: address + rest } : `The page is at ${address}${rest}\n`);
      const page = await openView(shell, polya, {
        port: options.port,
        isReadOnly: options.readOnly ?? false,
      });
      const end = interrupted(shell);
      let removeFile = (): void => undefined;
      try {
        report(await page.createLink());
        if (!page.isOwn) {
          shell.err.write('Another `polya view` serves it already.\n');
          return exitCodes.ok;
        }
        if (!options.json) shell.err.write('Ctrl-C ends it.\n');
        if (options.open) removeFile = await openBrowser(shell, (await page.createLink()) + rest);
        await end;
      } finally {
        removeFile();
        await page.close();
      }
      return exitCodes.ok;
    });
  },
};

/** The part of the address that shows it. */
async function placeOf(shell: Shell, store: Store, name: string): Promise<string> {
  const { runs, set } = await named(shell, store, name);
  return set ? `#/sets/${set.id}` : `#/runs/${runs.at(-1)?.id}`;
}

type Named =
  /** The oldest first. */
  | { readonly runs: readonly RunRow[]; readonly set: null }
  | { readonly runs: readonly []; readonly set: SetRow };

/** A set, whose id begins those of its rows; a run; what an app calls by the name, as a session; the newest run of a problem. */
async function named(shell: Shell, store: Store, name: string): Promise<Named> {
  const [only, ...siblings] = name === 'last' ? [] : matching(await store.listSets(), name);
  const exact = await store.get(name);
  if (only && siblings.length === 0 && !exact) return { runs: [], set: only };
  try {
    return { runs: [exact ?? (await findRun(store, name))], set: null };
  } catch (error) {
    if (!(error instanceof UserError) || error.explanation.code !== 'no-such-run') throw error;
    const runs = (await runsOfApp(shell, store, name)) ?? (await newestOf(shell, store, name));
    if (runs.length === 0) throw error;
    return { runs, set: null };
  }
}

async function runsOfApp(shell: Shell, store: Store, name: string): Promise<readonly RunRow[] | null> {
  for (const { hooks } of shell.apps) {
    const ids = await (await hooks?.())?.namedRuns?.(shell, name);
    if (ids) return (await Promise.all(ids.map((id) => store.get(id)))).filter((row) => row !== null);
  }
  return null;
}

/** `arc/hollow`, or `hollow` alone. */
async function newestOf({ err }: Shell, store: Store, name: string): Promise<readonly RunRow[]> {
  const all = await readableRuns(store, () => undefined, {});
  const found = all.filter(({ summary }) => `/${text(summary, 'problem')}`.endsWith(`/${name}`));
  const [runRow] = name === '' ? [] : found;
  if (runRow && found.length > 1) err.write(`The newest of ${found.length} runs of ${name}: ${runRow.id}\n`);
  return runRow ? [runRow] : [];
}

type CopyWords = { readonly out: string; readonly withPuzzle: boolean; readonly force: boolean };

function writeCopy(shell: Shell, name: string | undefined, { out, ...options }: CopyWords): Promise<number> {
  if (name === undefined) {
    throw new UserError({
      code: 'options-conflict',
      what: 'No run is named that is to be written.',
      fix: 'Name a run or a run-set: `polya view --export FILE.html last`.',
    });
  }
  assertNotExists(resolve(shell.folder, out), options.force);
  return withPolya(
    shell,
    async (polya) => {
      const copying = copyOptions(shell, polya, options);
      const { runs, set } = await named(shell, polya.world.store, name);
      const copy = set ? await copyOfSet(copying, set) : await copyOfRuns(copying, runs);
      writeDocument(shell, copy, { out, force: options.force });
      return exitCodes.ok;
    },
    { create: false },
  );
}
