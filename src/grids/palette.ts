/** The ten colours of the official ARC pages, by their number, as pictures and terminals need them. */

export type Rgb = readonly [red: number, green: number, blue: number];

export type Colour = {
  readonly name: string;
  readonly rgb: Rgb;
  /** The nearest of a terminal's 256. */
  readonly ansi: number;
};

/** `#RRGGBB` */
export function hexOf([red, green, blue]: Rgb): string {
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

export const palette: readonly Colour[] = [
  { name: 'black', rgb: [0x00, 0x00, 0x00], ansi: 16 },
  { name: 'blue', rgb: [0x00, 0x74, 0xd9], ansi: 32 },
  { name: 'red', rgb: [0xff, 0x41, 0x36], ansi: 203 },
  { name: 'green', rgb: [0x2e, 0xcc, 0x40], ansi: 41 },
  { name: 'yellow', rgb: [0xff, 0xdc, 0x00], ansi: 220 },
  { name: 'grey', rgb: [0xaa, 0xaa, 0xaa], ansi: 248 },
  { name: 'fuchsia', rgb: [0xf0, 0x12, 0xbe], ansi: 199 },
  { name: 'orange', rgb: [0xff, 0x85, 0x1b], ansi: 208 },
  { name: 'teal', rgb: [0x7f, 0xdb, 0xff], ansi: 117 },
  { name: 'brown', rgb: [0x87, 0x0c, 0x25], ansi: 88 },
];

/** Between cells. */
export const border: Rgb = [0x55, 0x55, 0x55];

/** Of a value that no valid grid has: black. */
export function colourOf(value: number): Colour {
  const [black] = palette;
  const colour = palette[value] ?? black;
  if (!colour) throw new Error('The palette is empty.');
  return colour;
}
