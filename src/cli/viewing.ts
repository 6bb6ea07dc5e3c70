/** Serves the page of a store for as long as something else is done, or tells the address where it is served already. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Journals } from '../open/options.ts';
import { findUntrusted } from '../open/trust/trust.ts';
import { commandsIn } from '../server/commands.ts';
import type { CopyOptions } from '../server/copy.ts';
import { findServedPage, writeAddress } from '../server/known-address.ts';
import { pageFolder, servePage } from '../server/server.ts';
import { oneLine } from '../text/format.ts';
import { renderMarkup } from '../text/markup.ts';
import { hooksOf, panelsFor, type Shell } from './contract.ts';
import { interrupted } from './drive.ts';
import { withPolya } from './journals.ts';

type Options = { readonly port: number; readonly isReadOnly: boolean };

type ViewResult = {
  /** An address that can be opened once. */
  createLink(): Promise<string>;
  /** False: another process serves it, and goes on after this one. */
  readonly isOwn: boolean;
  close(): Promise<void>;
};

export async function openView(shell: Shell, polya: Journals, options: Options): Promise<ViewResult> {
  const { port } = options;
  const isStrange = isUntrusted(shell, polya);
  const isReadOnly = options.isReadOnly || isStrange;
  const nowMs = polya.world.io.clock.now();
  const served = isStrange ? null : await findServedPage(polya.home, { port, isReadOnly, nowMs });
  if (served) return { createLink: served.createLink, isOwn: false, close: async () => undefined };
  const onTrouble = (error: unknown): void => {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    shell.err.write(`The page's server: ${shell.env.POLYA_DEBUG ? stack : oneLine(message)}\n`);
  };
  const page = pageFolder(polya.cache);
  const { calledAs, folder, env, ownEnv = env } = shell;
  const commands = commandsIn({ calledAs, folder, env: ownEnv });
  const panelsOf = panelsFor(shell);
  const { url, token, createLink, close } = await servePage({
    polya,
    page,
    port,
    isReadOnly,
    commands,
    apps: panelsOf,
    onTrouble,
  });
  // An address in the folder of somebody else would be theirs, and nothing is left there.
  const untell = isStrange
    ? () => undefined
    : writeAddress(polya.home, { owner: polya.world.owner, url, token, isReadOnly });
  return {
    createLink: async () => createLink(),
    isOwn: true,
    close: async () => {
      untell();
      await close();
    },
  };
}

/** How runs are written into one file, as the page of these apps shows them. */
export function copyOptions(
  shell: Shell,
  polya: Journals,
  { withPuzzle }: Pick<CopyOptions, 'withPuzzle'>,
): CopyOptions {
  return {
    polya,
    withPuzzle,
    page: pageFolder(polya.cache),
    hidden: async (events) => (await hooksOf(shell, events)).hiddenTexts?.(events) ?? [],
    apps: panelsFor(shell),
  };
}

/** The page of a store that is not trusted only shows it. */
function isUntrusted({ env, err }: Shell, { home, place }: Journals): boolean {
  if (place.file === null || !place.mayHaveRuns || findUntrusted(home, env).files.length === 0) return false;
  err.write(`The page is read-only: you have not trusted ${home}. See \`polya trust\`.\n`);
  return true;
}

/**
 * Where there is a browser: on another machine over ssh there is none. All users of a machine see the arguments of a program,
 * and the address opens the page: the browser is given a private file that leads to it. Removed by what this resolves to.
 */
export async function openBrowser(shell: Shell, address: string): Promise<() => void> {
  const { isInteractive, env } = shell;
  if (!isInteractive || !(env.DISPLAY || env.WAYLAND_DISPLAY)) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'polya-page-'));
  const file = join(folder, 'page.html');
  writeFileSync(file, pageTo(address), { mode: 0o600, flag: 'wx' });
  await shell.spawn(['xdg-open', file]);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** What stands after `#` is sent to no server, so that the server must be told it to lead there. */
function pageTo(address: string): string {
  const url = new URL(address);
  if (url.hash) url.searchParams.set('screen', url.hash);
  url.hash = '';
  const target = renderMarkup(url.href);
  return `<!doctype html><meta charset="utf-8"><title>Polya</title><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${target}"><a href="${target}">To the page</a>\n`;
}

/**
 * `--view`: the page stays after the work, until its user ends it. Resolves to what the work resolves to. `screen`: the part of
 * the address that names the first one.
 */
export function withView(shell: Shell, work: () => Promise<number>, screen = ''): Promise<number> {
  return withPolya(shell, async (polya) => {
    const { createLink, isOwn, close } = await openView(shell, polya, { port: 0, isReadOnly: false });
    let removeFile = (): void => undefined;
    try {
      shell.err.write(`The page is at ${await createLink()}${screen}\n`);
      removeFile = await openBrowser(shell, (await createLink()) + screen);
      const code = await work();
      if (isOwn) {
        const end = interrupted(shell);
        shell.err.write('The page stays at its address. Ctrl-C ends it.\n');
        await end;
      }
      return code;
    } finally {
      removeFile();
      await close();
    }
  });
}
