/** A drawing as a PNG file. Pure computing: equal drawings give equal bytes. Labels are set in letters of pixels. */
import { PNG } from 'pngjs';
import type { Box, Drawing, Label, Rgb } from './drawing.ts';
import { glyphBoxes } from './terminal.ts';

export function renderPng({ width, height, background, boxes, labels }: Drawing): Uint8Array {
  const picture = new PNG({ width, height });
  picture.data = Buffer.alloc(width * height * 3);
  const canvas: Canvas = { width, height, pixels: picture.data };
  fill(canvas, { x: 0, y: 0, width, height, colour: background });
  for (const box of boxes) fill(canvas, box);
  for (const box of labels.flatMap(labelBoxes)) fill(canvas, box);
  // Flat colours compress well as they are, and to a hundredth of what the library's own strategy makes of them.
  const bytes = PNG.sync.write(picture, {
    colorType: 2,
    inputColorType: 2,
    inputHasAlpha: false,
    filterType: 0,
    deflateLevel: 6,
    deflateStrategy: defaultStrategy,
  });
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** zlib's `Z_DEFAULT_STRATEGY`. */
const defaultStrategy = 0;

const white: Rgb = [0xff, 0xff, 0xff];

function labelBoxes({ x, y, text }: Label): Box[] {
  return glyphBoxes(text).map((dot) => ({ ...dot, x: x + dot.x, y: y + dot.y, colour: white }));
}

type Canvas = { readonly width: number; readonly height: number; readonly pixels: Uint8Array };

/** Its first line pixel by pixel, the others as copies of it. What lies outside of the picture is cut off. */
function fill({ width, height, pixels }: Canvas, box: Box): void {
  const [left, right] = [Math.max(0, box.x), Math.min(width, box.x + box.width)];
  const [top, bottom] = [Math.max(0, box.y), Math.min(height, box.y + box.height)];
  if (left >= right || top >= bottom) return;
  const [red, green, blue] = box.colour;
  const start = (top * width + left) * 3;
  const end = (top * width + right) * 3;
  for (let at = start; at < end; at += 3) {
    pixels[at] = red;
    pixels[at + 1] = green;
    pixels[at + 2] = blue;
  }
  for (let y = top + 1; y < bottom; y += 1) pixels.copyWithin((y * width + left) * 3, start, end);
}
