/** Whether the store is one that several hosts share, and the option that names it. */
import type { Command } from 'commander';
import { isPostgresAddress } from '../store/postgres/address.ts';

export function sharedStoreIn(env: Readonly<Record<string, string | undefined>>): boolean {
  return isPostgresAddress(env.POLYA_STORE ?? '');
}

export function storeOption(command: Command): Command {
  return command.option(
    '--store <url>',
    'a Postgres, as postgres://USER@HOST/DATABASE (default: POLYA_STORE)',
  );
}
