/** Colours by meaning. Where they are not wanted, texts are left as they are. */
export type Tone = 'good' | 'bad' | 'warn' | 'faint' | 'strong' | 'accent' | 'plain';
export type Paint = (tone: Tone, text: string) => string;

const codes: Readonly<Record<Exclude<Tone, 'plain'>, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  accent: [36, 39],
  faint: [2, 22],
  strong: [1, 22],
};

export const noPaint: Paint = (_tone, text) => text;

export const ansiPaint: Paint = (tone, text) => {
  if (tone === 'plain' || text === '') return text;
  const [on, off] = codes[tone];
  return `\x1b[${on}m${text}\x1b[${off}m`;
};

/** NO_COLOR is obeyed when it is set to anything but nothing (no-color.org). */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}
