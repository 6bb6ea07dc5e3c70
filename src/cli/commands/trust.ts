/** `polya trust`: shows what a folder would bring, and records that its user trusts it, or no longer does. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { exitCodes, UserError } from '../../core/errors.ts';
import { foundAt } from '../../io/plain-file.ts';
import { findActingFiles, readActingFile } from '../../open/trust/acting-files.ts';
import { nameAddress } from '../../open/trust/addresses.ts';
import type { ActingFolder } from '../../open/trust/decide.ts';
import { listRecords, readAddresses, removeRecord } from '../../open/trust/records.ts';
import { trust as recordTrust } from '../../open/trust/trust.ts';
import { oneLine } from '../../text/format.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { collectRepeated } from '../options.ts';
import { describeFolder, relatedDirs } from '../trusted.ts';

type Options = {
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly revoke?: boolean;
  readonly address?: readonly string[];
};

export const trust: CommandFile = {
  define(command) {
    command
      .argument('[path]', 'a folder, or a file of somebody else (default: this folder)')
      .option('--yes', 'trust it without a question')
      .option('--list', 'show what you have trusted')
      .option('--revoke', 'trust the folder no longer')
      .option('--address <provider=url>', 'let the keys of a provider go to this server', collectRepeated)
      .addHelpText('after', '\nExamples:\n  polya trust\n  polya trust ~/agents --yes\n  polya trust --list');
  },
  async run(shell, command) {
    const { list, revoke, address = [], yes = false } = command.opts<Options>();
    if (list) return printTrusted(shell);
    for (const text of address) nameOne(shell, text);
    if (address.length > 0) return exitCodes.ok;
    const path = resolve(shell.folder, command.processedArgs[0] ?? '.');
    if (revoke) return revokeTrust(shell, path);
    return trustPath(shell, path, yes);
  },
};

function printTrusted({ out, env }: Shell): number {
  for (const { folder, files } of listRecords(env))
    out.write(`${oneLine(folder)}: ${oneLine(Object.keys(files).join(', ') || 'nothing')}\n`);
  for (const { provider, url } of readAddresses(env))
    out.write(`${oneLine(url)}: keys of ${oneLine(provider)}\n`);
  return exitCodes.ok;
}

function nameOne({ out, env }: Shell, text: string): void {
  const [provider = '', ...url] = text.split('=');
  out.write(`The keys may go there: ${nameAddress(provider, url.join('='), env)}\n`);
}

function revokeTrust({ out, env }: Shell, path: string): number {
  const folder = existsSync(path) ? realpathSync(path) : path;
  const removed = [folder, join(folder, '.polya')].filter((each) => removeRecord(each, env));
  out.write(removed.length > 0 ? `No longer trusted: ${folder}\n` : `It was not trusted: ${folder}\n`);
  return exitCodes.ok;
}

async function trustPath(shell: Shell, path: string, isConfirmed: boolean): Promise<number> {
  const found = foldersFor(shell, path);
  for (const each of found) if (each.files.length > 0) shell.err.write(describeFolder(each));
  if (!isConfirmed) await confirmTrust(shell, path);
  for (const each of found) recordTrust(each, shell.env);
  shell.out.write(`Trusted: ${path}\n`);
  return exitCodes.ok;
}

function foldersFor({ env }: Shell, path: string): readonly ActingFolder[] {
  const stats = foundAt(path);
  if (stats?.isDirectory())
    return relatedDirs({ folder: path, env }).map((folder) => findActingFiles(folder));
  const file = stats?.isFile() ? readActingFile(dirname(path), basename(path)) : null;
  if (file !== null) return [{ ...findActingFiles(dirname(path)), files: [file] }];
  throw new UserError({
    code: 'nothing-to-trust',
    what: `There is no folder and no file ${path}.`,
    fix: 'Name one, or leave it out for this folder.',
  });
}

async function confirmTrust(shell: Shell, path: string): Promise<void> {
  const what = `${path} was not trusted.`;
  if (!shell.isInteractive)
    throw new UserError({
      code: 'trust-unconfirmed',
      what,
      why: 'Nobody can be asked here.',
      fix: 'Say `polya trust --yes`, or set POLYA_TRUST for one call.',
    });
  if (await shell.confirm('Do you trust it?', false)) return;
  throw new UserError({ code: 'trust-declined', what });
}
