/** A picture of at most 256 colours as a PNG with a palette: a third of what a screenshot takes otherwise. Pure. */
import { crc32, deflateSync } from 'node:zlib';

export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };

const mostColours = 256;

/** The colours that are there most often stay; each other becomes the nearest of them. */
export function withPalette({ width, height, data }: Pixels): Buffer {
  const counts = new Map<number, number>();
  const colourAt = (pixel: number): number =>
    ((data[4 * pixel] ?? 0) << 16) | ((data[4 * pixel + 1] ?? 0) << 8) | (data[4 * pixel + 2] ?? 0);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const colour = colourAt(pixel);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, mostColours)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const placeOf = (colour: number): number => {
    const known = places.get(colour);
    if (known !== undefined) return known;
    const place = nearest(palette, colour);
    places.set(colour, place);
    return place;
  };
  // Each line begins with its filter: none.
  const lines = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    lines[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = placeOf(colourAt(pixel));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits, by a palette.
  head.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function channels(colour: number): readonly number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function nearest(palette: readonly number[], colour: number): number {
  const wanted = channels(colour);
  const distances = palette.map((each) =>
    channels(each).reduce((sum, value, at) => sum + (value - (wanted[at] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, check]);
}
