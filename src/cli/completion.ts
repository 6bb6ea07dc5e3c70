/** What may stand in the place of a word that its user has begun to type, for the completion of shells. */
import { Command } from 'commander';
import { modelForms } from '../models/catalogue.ts';
import { list } from '../text/json.ts';
import type { Program } from './commands.ts';
import type { Shell } from './contract.ts';
import { anyRuns, withPolya } from './journals.ts';

/** `words`: those after the program's name, the last of them unfinished. Empty: the shell offers files. */
export async function completions(
  words: readonly string[],
  program: Program,
  shell: Shell,
): Promise<readonly string[]> {
  const startedAt = words.at(-1) ?? '';
  const capabilities = await offersAfter(words.slice(0, -1), program, shell, startedAt);
  return [...new Set(capabilities)].filter((offer) => offer.startsWith(startedAt)).sort();
}

async function offersAfter(
  before: readonly string[],
  program: Program,
  shell: Shell,
  begun: string,
): Promise<readonly string[]> {
  const paths = program.commands.map(({ path }) => path.split(' '));
  const isUnder = (path: readonly string[], words: readonly string[]) =>
    words.every((word, at) => path[at] === word);
  const named = before.filter((word) => !word.startsWith('-'));
  const groups = paths.filter((path) => path.length > before.length && isUnder(path, before));
  const descendants = groups.flatMap((path) => path[before.length] ?? []);
  const entry = program.commands
    .filter(({ path }) => isUnder(named, path.split(' ')))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (!entry) return before.length === 0 ? [...descendants, 'help', '--help', '--version'] : descendants;
  const command = new Command();
  (await entry.load()).define(command, shell);
  const last = command.options.find(({ long, short }) => [long, short].includes(before.at(-1)));
  if (last && (last.required || last.optional)) {
    if (last.argChoices) return last.argChoices;
    return last.long === '--model' ? modelNames(shell) : [];
  }
  if (begun.startsWith('-'))
    return command.options.flatMap(({ long }) => long ?? []).concat('--help', '--store');
  const at = named.length - entry.path.split(' ').length;
  const argument = command.registeredArguments[at] ?? command.registeredArguments.at(-1);
  if (argument?.argChoices) return argument.argChoices;
  const what = argument?.name().replace(/s?(\.\.\.)?$/, '') ?? '';
  return [
    ...descendants,
    ...(/^(run|name|run-or-set|run-set|set-or-file)$/.test(what) ? await idsIn(shell, what) : []),
  ];
}

async function idsIn(shell: Shell, what: string): Promise<readonly string[]> {
  if (!anyRuns(shell)) return [];
  return withPolya(
    shell,
    async ({ world: { store } }) => {
      const runs = what.startsWith('run') && what.endsWith('set') ? [] : await store.list({ limit: 200 });
      const setRows = what === 'run' ? [] : await store.listSets({ limit: 50 });
      return ['last', ...[...runs, ...setRows].map(({ id }) => id)];
    },
    { create: false },
  );
}

/** The models of earlier runs, and the forms of other names. */
async function modelNames(shell: Shell): Promise<readonly string[]> {
  const used = anyRuns(shell)
    ? await withPolya(shell, ({ world: { store } }) => store.list({ limit: 200 }), { create: false })
    : [];
  const forms = modelForms.map((form) => form.replace(/(NAME|FILE|FOLDER).*$/, ''));
  return [...used.flatMap(({ summary }) => list(summary, 'models').map(String)), ...forms, 'manual'];
}
