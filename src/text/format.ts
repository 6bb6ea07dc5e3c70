/** Texts for terminals: harmless, cut to a width; numbers, times and amounts in words. Pure. */

/** Controls, separators of lines, and the characters that turn the direction of writing around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
const harmful = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** No text of a model, a site or a file may move the cursor or change a title: its controls are made visible. */
export function escapeControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(harmful, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20
      ? String.fromCodePoint(0x2400 + code)
      : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** JSON may hold them escaped. */
export function escapedJson(value: unknown, indent?: number): string {
  return escaped(JSON.stringify(value, null, indent) ?? 'null');
}

/** JSON that is a text already. */
export function escaped(json: string): string {
  return json.replaceAll(harmful, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function oneLine(text: string): string {
  return escapeControls(text).replaceAll(/\s+/g, ' ').trim();
}

/** The title of a problem that has none: its text in one line of at most 60 characters. */
export function titleFrom(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}

export function truncate(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, Math.max(0, length - 1)).join('')}…` : text;
}

export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

// Made once, and not before there is something to group: it takes as long as to load ten files.
let inGroups: Intl.NumberFormat | null = null;

/** `12,345` */
export function grouped(number: number): string {
  const total = Math.round(number);
  if (Math.abs(total) < 1_000) return String(total);
  inGroups ??= new Intl.NumberFormat('en-US');
  return inGroups.format(total);
}

/** `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min` */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Local time: `2026-11-21 08:30`. */
export function formatTimestamp(ms: number): string {
  const date = new Date(ms);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** In UTC: `2026-11-21T17:05:09.120Z` */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** `$0.0012`: enough digits to say something. */
export function formatDollars(amount: number): string {
  return `$${amount === 0 || amount >= 1 ? amount.toFixed(2) : amount.toPrecision(2)}`;
}

/** How its user calls Polya, and its commands for contests where they are a program of their own. */
export type Caller = { readonly calledAs: string; readonly ahcCalledAs?: string };

/** Commands in messages, `polya …` in backticks, as this user has to type them. */
export function asCalled(message: string, caller: Caller): string {
  return message.replaceAll(
    /`(?:\.\/)?polya( ahc)?(?= )/g,
    (_whole, ahc?: string) => `\`${ahc ? ahcCall(caller) : caller.calledAs}`,
  );
}

/** Quoted where a shell would not take it for one word. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}\p{M}_@%+=:,./~-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `polya ahc`, as this user has to type it. */
export function ahcCall({ calledAs, ahcCalledAs }: Caller): string {
  return ahcCalledAs ?? `${calledAs} ahc`;
}

/** In help, commands have their plain names. */
export function inHelp(text: string, { ahcCalledAs }: Caller): string {
  return ahcCalledAs === undefined ? text : text.replaceAll(/\bpolya ahc(?= )/g, 'ahc-agent');
}

/** The name before error messages. */
export function programOf({ ahcCalledAs }: Caller): string {
  return ahcCalledAs === undefined ? 'polya' : 'ahc-agent';
}
