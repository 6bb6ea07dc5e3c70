/**
 * `.env` in the working folder: variables that are not set in the environment itself. They are read at each call, kept
 * nowhere, and given to nothing but Polya: `ownEnv` is what other programs get.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { UserError } from '../core/errors.ts';
import type { Shell } from './contract.ts';

export function withDotEnv(shell: Shell): Shell {
  const text = textOf(join(shell.folder, '.env'));
  return text === null ? shell : { ...shell, env: { ...parseEnv(text), ...shell.env }, ownEnv: shell.env };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Some keep a folder of that name, such as a Python environment.
    if (code === 'ENOENT' || code === 'EISDIR') return null;
    throw new UserError({
      code: 'file-cannot-read',
      what: `The file ${path} cannot be read.`,
      why: `${message}.`,
      fix: 'Make it readable, or go to another folder.',
    });
  }
}
