/**
 * Debian's Chromium. Its headless shell has no window of a browser around each page, which costs a second of processor time
 * a page; a machine that has only the whole browser has that.
 */
import { existsSync } from 'node:fs';

export function chromiumPath(): string {
  const shell = '/usr/bin/chromium-headless-shell';
  return existsSync(shell) ? shell : '/usr/bin/chromium';
}
