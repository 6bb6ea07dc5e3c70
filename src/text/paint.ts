/** Colours by meaning, and the one place where text becomes what a terminal gets. Pure. */
import { escapeControls } from './format.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'faint' | 'strong' | 'accent' | 'plain';

export type Painter = {
  (tone: Tone, text: string): string;
  /** An escape sequence, such as `2K`, that the writer does not escape. */
  sequence(code: string): string;
  readonly hasColour: boolean;
};

const codes: Readonly<Record<Exclude<Tone, 'plain'>, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  accent: [36, 39],
  faint: [2, 22],
  strong: [1, 22],
};

export const noPaint: Painter = withoutColour({ sequence: (code) => `\x1b[${code}` });

export function withoutColour({ sequence }: Pick<Painter, 'sequence'>): Painter {
  return Object.assign((_tone: Tone, text: string) => text, { sequence, hasColour: false });
}

/** `mark` is a number that no text of a model, a site or a file can know: `escapeForTerminal` takes it out. */
export function markerPaint(mark: string): Painter {
  const sequence = (code: string): string => `\x1b[${code.slice(0, -1)};${mark}${code.slice(-1)}`;
  const paint = (tone: Tone, text: string): string => {
    if (tone === 'plain' || text === '') return text;
    const [on, off] = codes[tone];
    return `${sequence(`${on}m`)}${text}${sequence(`${off}m`)}`;
  };
  return Object.assign(paint, { sequence, hasColour: true });
}

/** All control characters are made visible except the sequences of `markerPaint`, and `\r` before one that clears. */
export function escapeForTerminal(text: string, mark: string): string {
  const marked = new RegExp(`((?:\\r(?=\\x1b\\[\\d*;${mark}[JK]))?\\x1b\\[\\??[\\d;]*;${mark}[a-zA-Z])`);
  return text
    .split(marked)
    .map((part, at) => (at % 2 === 1 ? part.replace(`;${mark}`, '') : escapeControls(part)))
    .join('');
}

/** NO_COLOR is obeyed when it is set to anything but nothing (no-color.org). */
export function useColor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}
