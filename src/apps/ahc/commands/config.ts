/**
 * `polya ahc config`: what holds here and where each value comes from; with a value, it is written into the file of the
 * workspace, or into the global one. Nothing is expanded, and secrets are masked wherever they are shown.
 */
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { configKeys } from '../../../families/ahc/config/keys.ts';
import { UnsetVariableError } from '../../../families/ahc/config/layer.ts';
import {
  configIn,
  enclosingWorkspace,
  NoWorkspace,
  type WorkspaceQuestion,
  workspaceFolder,
} from '../../../open/families/ahc/workspace.ts';
import { asCalled, oneLine, truncate } from '../../../text/format.ts';
import { keysNamed, type ShownKey, shownKey, writeConfig } from '../workspace/config.ts';
import {
  conflict,
  hint,
  questionOf,
  tellJson,
  tellWarnings,
  type WorkspaceOptions,
  withHelp,
  workspaceOptions,
} from '../workspace.ts';

type Options = WorkspaceOptions & { readonly global?: boolean; readonly unset?: boolean };

export const ahcConfig: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      withHelp(command, 'config')
        .argument('[key]', 'llm.model; or a section, as llm (default: all keys)')
        .argument('[value]', 'what it is to be, as YAML: a number, true, [a, b], text, null')
        .option('--global', 'write into the global file, also inside a workspace')
        .option('--unset', 'take the key out of the file: what is further out holds again'),
    );
  },
  async run(shell, command) {
    const [key, value]: [string?, string?] = command.processedArgs as [string?, string?];
    const options = command.opts<Options>();
    const { global, unset, workspace } = options;
    if (global && workspace !== undefined)
      throw refused('--global and --workspace name two files.', 'Leave one of them out.');
    if (unset && value !== undefined)
      throw refused('A value and --unset contradict each other.', 'Leave one of them out.');
    if (unset && key === undefined) throw refused('--unset needs a key.', 'Name one.');
    if (global && value === undefined && !unset)
      throw conflict('--global says where to write, and there is no value.', 'Add one.');
    const question = questionOf(shell, command);
    if (key === undefined || (value === undefined && !unset)) return show(shell, question, key, options);
    return write(shell, question, key, unset ? null : (value ?? ''), options);
  },
};

const refused = (what: string, fix: string): UserError => new UserError({ code: 'no-key-named', what, fix });

function show(
  shell: Shell,
  question: WorkspaceQuestion,
  name: string | undefined,
  { json }: Options,
): number {
  const keys = name === undefined ? configKeys : keysNamed(name);
  const workspace = workspaceOrNull(question);
  const config = configIn(workspace, question);
  tellWarnings(shell, config.warnings);
  const all = keys.map((key) => shownKey(key, config));
  const only = all.find(({ key }) => key === name);
  if (json) tellJson(shell, only ? jsonOf(only) : { workspace, keys: all.map(jsonOf) });
  else if (only) {
    shell.out.write(`${oneLine(only.shown)}\n`);
    hint(shell, `from: ${only.source}. ${only.about}.`);
  } else tellAll(shell, all, workspace);
  return exitCodes.ok;
}

/** Without a workspace, or a way to look for it, what holds outside of all is the answer; one that was named must be there. */
function workspaceOrNull(question: WorkspaceQuestion): string | null {
  try {
    return workspaceFolder(question);
  } catch (error) {
    if (error instanceof NoWorkspace || error instanceof UnsetVariableError) return null;
    throw error;
  }
}

function jsonOf({ shown: _shown, ...key }: ShownKey) {
  return key;
}

/** Two lines a key: what holds and where it is from, then what it does. */
function tellAll(shell: Shell, visible: readonly ShownKey[], folder: string | null): void {
  const { out } = shell;
  hint(shell, folder === null ? 'No workspace here: what holds outside of all.' : `Workspace: ${folder}`);
  const maxWidth = Math.max(...visible.map(({ key }) => key.length));
  for (const { key, shown: value, source, about } of visible) {
    out.write(
      `${out.paint('strong', key.padEnd(maxWidth))}  ${truncate(oneLine(value), 200)}  (${source})\n`,
    );
    out.write(`    ${out.paint('faint', oneLine(asCalled(`${about}.`, shell)))}\n`);
  }
}

/** `text`: the value as YAML; null takes the key out of the file. */
async function write(
  shell: Shell,
  question: WorkspaceQuestion,
  key: string,
  text: string | null,
  { json, global }: Options,
): Promise<number> {
  const [known] = keysNamed(key);
  const isUnset = text === null;
  const { file, shown, warnings } = await writeConfig(question, { key, text, isGlobal: global === true });
  tellWarnings(shell, warnings);
  if (json) tellJson(shell, { key, value: isUnset ? null : shown, file });
  else shell.out.write(`${key}: ${isUnset ? `no longer in ${file}` : `${oneLine(shown)}, in ${file}`}\n`);
  if (!known) return exitCodes.ok;
  // What was written may not be what holds: something may go before it.
  const folder =
    question.workspace === undefined ? enclosingWorkspace(question.folder) : workspaceOrNull(question);
  const claim = shownKey(known, configIn(folder, question));
  if (isUnset) hint(shell, `${key} is now ${claim.shown}, from: ${claim.source}.`);
  else if (claim.source !== file)
    tellWarnings(shell, [`What holds here is still ${claim.shown}: ${claim.source} goes before it.`]);
  return exitCodes.ok;
}
