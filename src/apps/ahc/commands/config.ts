/**
 * `polya ahc config`: what holds here and where each value comes from; with a value, it is written into the file of the
 * workspace, or into the global one. Nothing is expanded, and secrets are masked wherever they are shown.
 */

import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { type ConfigKey, configKeys } from '../../../families/ahc/config/keys.ts';
import { UnsetVariable } from '../../../families/ahc/config/layer.ts';
import type { WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import {
  configIn,
  NoWorkspace,
  workspaceAround,
  workspaceFolder,
} from '../../../open/families/ahc/workspace.ts';
import { asCalled, clip, harmlessJson, oneLine } from '../../../text/format.ts';
import type { ShownKey } from '../workspace/config.ts';
import { keysNamed, shownKey, writeConfig } from '../workspace/config.ts';
import { questionOf, tellWarnings, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type Options = WorkspaceOptions & { readonly global?: boolean; readonly unset?: boolean };

export const ahcConfig: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command
        .argument('[key]', 'llm.model; or a section, as llm (default: all keys)')
        .argument('[value]', 'what it is to be, as YAML: a number, true, [a, b], text, null')
        .option('--global', 'write into the global file, also inside a workspace')
        .option('--unset', 'take the key out of the file: what is further out holds again'),
    ).addHelpText('after', help);
  },
  async run(shell, command) {
    const [key, value]: [string?, string?] = command.processedArgs as [string?, string?];
    const options = command.opts<Options>();
    refuseContradictions(key, value, options);
    const question = questionOf(shell, command);
    const told = { shell, question, options };
    if (key !== undefined && (value !== undefined || options.unset))
      return write(told, key, options.unset ? null : (value ?? ''));
    return show(told, key);
  },
};

const help = `
What is not said by an option is looked for in the environment (AHC_AGENT_LLM_MODEL for llm.model), then in the
workspace's ahc_config.yaml, ~/.ahc_agent/config.yaml, polya.yaml (section ahc), polya's own config.yaml below
$XDG_CONFIG_HOME (section ahc); else the built-in value holds. A value may be '\${NAME}': that variable, looked up
when it is used.

Examples: polya ahc config llm.model openai/gpt-5
          polya ahc config llm.api_key '\${OPENAI_API_KEY}'
          polya ahc config evolution.temperature 0.5
          polya ahc config contest`;

type Told = {
  readonly shell: Shell;
  readonly question: WorkspaceQuestion;
  readonly options: Options;
};

function refuseContradictions(
  key: string | undefined,
  value: string | undefined,
  { global, unset, workspace }: Options,
): void {
  const refuse = (what: string): UserError =>
    new UserError({ code: 'no-key-named', what, fix: 'Leave one of them out.' });
  if (global && workspace !== undefined) throw refuse('--global and --workspace name two files.');
  if (unset && value !== undefined) throw refuse('A value and --unset contradict each other.');
  if (key === undefined && unset)
    throw new UserError({ code: 'no-key-named', what: '--unset needs a key.', fix: 'Name one.' });
  if (global && value === undefined && !unset)
    throw new UserError({
      code: 'options-conflict',
      what: '--global says where to write, and there is no value.',
      fix: 'Add one.',
    });
}

function show({ shell, question, options }: Told, name: string | undefined): number {
  const keys = name === undefined ? configKeys : keysNamed(name);
  const folder = workspaceOrNull(question);
  const config = configIn(folder, question);
  tellWarnings(shell, config.warnings);
  const shown = keys.map((key) => shownKey(key, config));
  const [only] = shown;
  if (options.json) {
    const one = name !== undefined && only?.key === name;
    shell.out.write(
      `${harmlessJson(one ? jsonOf(only) : { workspace: folder, keys: shown.map(jsonOf) }, 2)}\n`,
    );
  } else if (name !== undefined && only?.key === name) tellOne(shell, only);
  else tellAll(shell, shown, folder);
  return exitCodes.ok;
}

/** Without a workspace, or a way to look for it, what holds outside of all is the answer; one that was named must be there. */
function workspaceOrNull(question: WorkspaceQuestion): string | null {
  try {
    return workspaceFolder(question);
  } catch (error) {
    if (error instanceof NoWorkspace || error instanceof UnsetVariable) return null;
    throw error;
  }
}

function jsonOf({ shown: _shown, ...key }: ShownKey) {
  return key;
}

function tellOne(shell: Shell, { shown, source, about }: ShownKey): void {
  shell.out.write(`${oneLine(shown)}\n`);
  tellNotice(shell, `from: ${source}. ${about}.`);
}

/** Two lines a key: what holds and where it is from, then what it does. */
function tellAll(shell: Shell, shown: readonly ShownKey[], folder: string | null): void {
  tellNotice(
    shell,
    folder === null ? 'No workspace here: what holds outside of all.' : `Workspace: ${folder}`,
  );
  const widest = Math.max(...shown.map(({ key }) => key.length));
  for (const { key, shown: value, source, about } of shown) {
    const name = shell.out.paint('strong', key.padEnd(widest));
    shell.out.write(`${name}  ${clip(oneLine(value), 200)}  (${source})\n`);
    shell.out.write(`    ${shell.out.paint('faint', oneLine(asCalled(`${about}.`, shell)))}\n`);
  }
}

async function write({ shell, question, options }: Told, key: string, text: string | null): Promise<number> {
  const [known] = keysNamed(key);
  const { file, shown, warnings } = await writeConfig(question, {
    key,
    text,
    isGlobal: options.global === true,
  });
  tellWarnings(shell, warnings);
  const what = text === null ? `${key}: no longer in ${file}` : `${key}: ${oneLine(shown)}, in ${file}`;
  if (options.json)
    shell.out.write(`${harmlessJson({ key, value: text === null ? null : shown, file }, 2)}\n`);
  else shell.out.write(`${what}\n`);
  if (known) tellWhatHolds({ shell, question, options }, known, { file, isUnset: text === null });
  return exitCodes.ok;
}

/** What was written may not be what holds: something may go before it. */
function tellWhatHolds(
  { shell, question }: Told,
  key: ConfigKey,
  { file, isUnset }: { readonly file: string; readonly isUnset: boolean },
): void {
  const folder =
    question.workspace === undefined ? workspaceAround(question.folder) : workspaceOrNull(question);
  const config = configIn(folder, question);
  const held = shownKey(key, config);
  if (isUnset) tellNotice(shell, `${key.path} is now ${held.shown}, from: ${held.source}.`);
  else if (held.source !== file)
    tellWarnings(shell, [`What holds here is still ${held.shown}: ${held.source} goes before it.`]);
}

function tellNotice(shell: Shell, text: string): void {
  shell.err.write(`${shell.err.paint('faint', oneLine(asCalled(text, shell)))}\n`);
}
