/**
 * Journals without what differs between two runs that did the same: times, names of runs, what was reserved, how long
 * programs took, which version of Polya was at work, and which compilers the machine has. Events stand by branch, because
 * branches that work at once come in the order in which they are done. Where programs run, so do effects that one branch
 * asks for at once: they stand by their positions.
 */
import type { Event } from './library.ts';

/** `folder`: where it was written, or unpacked. */
export type Journal = { readonly events: readonly Event[]; readonly folder: string };

/** Where they part, in a line that can be read; null where they are alike. */
export function difference(
  one: Journal,
  other: Journal,
  /** Models were told how long programs took: requests, and so their tokens, have other lengths each time. */
  { measures = false } = {},
): string | null {
  const [ours, theirs] = [linesOf(one, measures), linesOf(other, measures)];
  for (const branch of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [a = [], b = []] = [ours[branch], theirs[branch]];
    const at = a.findIndex((line, index) => line !== b[index]);
    if (at >= 0) return `${branch} ${parting(a[at] ?? '', b[at] ?? 'nothing')}`;
    if (a.length < b.length) return `${branch} nothing | ${b[a.length]?.slice(0, 200)}`;
  }
  return null;
}

function linesOf({ events, folder }: Journal, measures: boolean): Record<string, string[]> {
  const lines: Record<string, string[]> = {};
  for (const { branch, ordinal, attempt, kind, body } of measures ? byPosition(events) : events) {
    if (kind === 'run-resume' || kind === 'run-fork') continue;
    const text =
      kind === 'clock' ? '' : withoutTimes(JSON.stringify(body, withoutSandbox).replaceAll(folder, ''));
    const shown = measures ? text.replaceAll(/"(input|output)":\d+/g, '"$1":0') : text;
    lines[branch] = [...(lines[branch] ?? []), `#${ordinal}.${attempt} ${kind} ${shown}`];
  }
  return lines;
}

/** What a new run finds on this machine: another one has other compilers. */
const withoutSandbox = (key: string, value: unknown): unknown => (key === 'sandbox' ? null : value);

/** Notes, which have none, come last, in their own order. */
function byPosition(events: readonly Event[]): readonly Event[] {
  const place = ({ ordinal }: Event) => ordinal ?? Number.MAX_SAFE_INTEGER;
  return events.toSorted((a, b) => place(a) - place(b) || a.attempt - b.attempt);
}

/** What stands around the first character in which they differ. */
function parting(one: string, other: string): string {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  const around = (text: string) => text.slice(Math.max(0, at - 100), at + 100);
  return `${one.slice(0, 40)} … ${around(one)} | ${around(other)}`;
}

function withoutTimes(text: string): string {
  return text
    .replaceAll(/"reserve":\{[^}]*\},?/g, '')
    .replaceAll(/"runId":"[^"]*"/g, '"runId":""')
    .replaceAll(/"codeVersion":"[^"]*"/g, '"codeVersion":""')
    .replaceAll(/"lastId":\d+/g, '"lastId":0')
    .replaceAll(/"(\w*Ms|\w*Bytes)":[\d.]+/g, '"$1":0')
    .replaceAll(/took [\d.]+ ms of/g, 'took')
    .replaceAll(/; CPU [\d.]+ m?s/g, '; CPU')
    .replaceAll(/wall [\d.]+ m?s, CPU [\d.]+ m?s, memory [\d.]+ \w+/g, 'wall, CPU, memory');
}
