/**
 * Letters of three by five dots, for the labels of pictures that have no font. Small letters look like capitals; what
 * is not here is an empty place.
 */
import dots from './glyphs.json' with { type: 'json' };

const glyphs: Readonly<Record<string, string>> = dots;

export const glyphScale = 2;
export const glyphHeight = 5;
const glyphWidth = 3;

const step = (glyphWidth + 1) * glyphScale;

/** How many pixels a text takes. */
export function textPixels(text: string): number {
  return Math.max(0, [...text].length * step - glyphScale);
}

/** The dots of a text, from its upper left corner on. */
export function glyphBoxes(text: string): { x: number; y: number; width: number; height: number }[] {
  return [...text.toUpperCase()].flatMap((character, place) => {
    const rows = glyphs[character]?.split(' ') ?? [];
    return rows.flatMap((row, y) =>
      [...row].flatMap((dot, x) =>
        dot === '#'
          ? [{ x: place * step + x * glyphScale, y: y * glyphScale, width: glyphScale, height: glyphScale }]
          : [],
      ),
    );
  });
}
