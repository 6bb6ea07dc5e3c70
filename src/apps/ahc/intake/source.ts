/** Where a contest comes from: its site, or files of the user's. Both give the same things. */

import type { TaskPage } from './page.ts';
import type { Schedule } from './schedule.ts';

/** An archive or a folder of tools, unpacked. */
export type FetchedTools = {
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Of the archive; of a folder, of all that is in it. */
  readonly sha256: string;
  /** For people: an address or a path. */
  readonly from: string;
};

export type Attachment = { readonly name: string; readonly bytes: Uint8Array };

export interface ContestSource {
  /** Of the task's page; null where it came from a file. */
  readonly url: string | null;
  /** Null where nobody says when the contest is. Throws `UserError` where there is no such contest. */
  schedule(signal: AbortSignal): Promise<Schedule | null>;
  /** The task's page as it came; null where there is none. */
  page(signal: AbortSignal): Promise<Uint8Array | null>;
  /** Null where there are none. Throws `BadArchive` for one that cannot be used. */
  tools(page: TaskPage, signal: AbortSignal): Promise<FetchedTools | null>;
  /** By its address in the page; null where it is not there. */
  image(address: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** By its address in the page. */
  attachment(address: string, signal: AbortSignal): Promise<Attachment | null>;
  visualizer(page: TaskPage, signal: AbortSignal): Promise<Attachment | null>;
}

/** The last name of an address or a path, as a file may be called; null where nothing of it can be used. */
export function fileNameOf(address: string): string | null {
  const last =
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? '';
  const name = decoded(last)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .slice(-80);
  return /^\.*$/.test(name) || name.endsWith('.tmp') ? null : name.replace(/^\.+/, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
