/** The replies of an agent, with what a careful reader takes from each; README.md says how they were written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../src/core/json.ts';

export type Case = {
  readonly id: string;
  readonly role: string;
  readonly style: string;
  readonly question: string;
  readonly form?: string;
  readonly grids?: 'spaced' | 'json' | 'csv';
  readonly reply: string;
  readonly takes: Readonly<Record<string, Json>> & { readonly why?: 'refusal' | 'truncated' | 'none' };
};

export function casesOf(agent: string, ...roles: readonly string[]): readonly Case[] {
  const lines = readFileSync(join(import.meta.dirname, `${agent}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const cases = lines.map((line) => JSON.parse(line) as Case);
  return roles.length === 0 ? cases : cases.filter(({ role }) => roles.includes(role));
}

/** A provider says that a reply was cut off. */
export const finishOf = ({ takes }: Case) => (takes.why === 'truncated' ? 'length' : 'stop');

/** Texts are compared with line ends as `\n` and without blank lines at either end. */
export const bare = (text: string): string => text.replaceAll('\r\n', '\n').replace(/^\s*\n|\s+$/g, '');

/** The cases that `isRead` says are not read as a careful reader reads them, for the message of a test. */
export function missesIn(cases: readonly Case[], isRead: (each: Case) => boolean): readonly string[] {
  return cases.filter((each) => !isRead(each)).map(({ id, style }) => `${id}: ${style}`);
}
