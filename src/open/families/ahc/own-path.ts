/** A place of the user's that the configuration names beside what comes with Polya. Knows nothing of what lies there. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { inHome, type WorkspaceQuestion } from './workspace.ts';

export type Asker = Pick<WorkspaceQuestion, 'folder' | 'env'>;

export type OwnPath = {
  readonly path: string;
  readonly isFolder: boolean;
  /** As it was written, and where. */
  readonly configured: string;
  readonly source: string;
};

/**
 * Null for `internal`. A path in a file is meant from where that file lies, any other from where its user is; `~` is home.
 * Throws `UserError` where nothing is there.
 */
export function ownPath(
  config: Resolved,
  key: 'algorithm_library.path' | 'past_contest_db.path',
  { folder, env }: Asker,
): OwnPath | null {
  const configured = String(config.get(key));
  if (configured === 'internal') return null;
  const { source } = config.raw(key);
  const path = resolve(isAbsolute(source) ? dirname(source) : folder, inHome(configured, env));
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return { path, isFolder: found.isDirectory(), configured, source };
  throw new UserError({
    code: 'no-folder',
    what: `${key} is ${configured}, and ${path} is no folder.`,
    why: `Nothing is there. It comes from: ${source}.`,
    fix: `Make it, or write \`polya ahc config ${key} internal\`.`,
  });
}
