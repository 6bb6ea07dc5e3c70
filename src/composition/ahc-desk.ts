/** What the commands for contests are given: workspaces, their configuration, and the sandbox that it names. */
import type { Sandbox } from '../core/sandbox.ts';
import { configKeys } from '../families/ahc/config/keys.ts';
import type { Resolved } from '../families/ahc/config/resolve.ts';
import { layout, sessionFolderOf } from '../families/ahc/layout.ts';
import type { Environment } from '../io/home.ts';
import { chosenSandbox } from '../sandbox/choose.ts';
import { baseFolder, configIn, NoWorkspace, openWorkspace, workspaceAround, workspaceFolder } from './ahc.ts';
import { keysNamed, shownKey, writeConfig } from './ahc-config.ts';

export const ahc = {
  openWorkspace,
  workspaceFolder,
  workspaceAround,
  baseFolder,
  configIn,
  configKeys,
  keysNamed,
  shownKey,
  writeConfig,
  sandboxOf,
  layout,
  sessionFolderOf,
  isNoWorkspace: (error: unknown): boolean => error instanceof NoWorkspace,
};

/** `auto` leaves it to `POLYA_SANDBOX`, else to the first that works. */
function sandboxOf(config: Pick<Resolved, 'get'>, env: Environment): Sandbox {
  const named = String(config.get('sandbox.backend'));
  const backend = named === 'auto' ? env.POLYA_SANDBOX : named;
  return chosenSandbox({ env, ...(backend ? { backend } : {}) });
}
