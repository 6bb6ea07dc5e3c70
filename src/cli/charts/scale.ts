/** From values to places in a picture, with round numbers at the axis. Pure. */

export type Scale = {
  /** Where a value is, in the picture's units. */
  at(value: number): number;
  /** Round values within, each with its word. */
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
};

export type Range = { readonly from: number; readonly to: number };

/** `room` is in the picture's units, and may run backwards. A range without extent is widened. */
export function scaleOf(values: readonly number[], room: Range, ticks = 5): Scale {
  const { from, to } = widened(values.filter(Number.isFinite));
  const step = roundStep((to - from) / ticks);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const round = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
  const texts = tickTexts(round, step);
  return {
    at: (value) => room.from + ((value - from) / (to - from)) * (room.to - room.from),
    ticks: round.map((value, index) => ({ value, text: texts[index] ?? '' })),
  };
}

function widened(values: readonly number[]): Range {
  if (values.length === 0) return { from: 0, to: 1 };
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  // Closer together than this they cannot be told apart by their digits.
  const size = Math.max(Math.abs(least), Math.abs(most));
  if (most - least > Math.max(size * 1e-9, 1e-12)) return { from: least, to: most };
  const margin = size > 1e-12 ? size * 0.05 : 1;
  return { from: least - margin, to: most + margin };
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((each) => each * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}

const units: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** In one unit for all, with as many digits as tell one tick from the next. */
function tickTexts(values: readonly number[], step: number): string[] {
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const [unit, letter] = units.find(([each]) => most >= each && step >= each / 100) ?? [1, ''];
  const digits = Math.max(0, Math.min(20, Math.ceil(-Math.log10(step / unit) - 1e-9)));
  return values.map((value) =>
    Math.abs(value) < step * 1e-6 ? '0' : `${(value / unit).toFixed(digits)}${letter}`,
  );
}
