/**
 * Contests whose programs cost next to nothing, for searches of hundreds of candidates. Two have a dozen pieces that
 * interact: a walk on a grid, and a packing of rectangles; a program is the values of its pieces, and runs here. The third
 * has no task at all, only a replier: a program has a quality, and a reply makes another of it by the rates that `replies`
 * names. Seeded; what a program is worth is known exactly.
 */
import type { CaseOutcome, ProgramTask } from '../src/core/program.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { mean } from '../src/core/statistics/bootstrap.ts';

export type Chance = () => number;

/** `tries`: how many changes of the same program were asked for before. */
export type SearchWorld = {
  readonly id: string;
  readonly task: ProgramTask;
  readonly program: string;
  /** A whole program that builds on nothing. */
  drawn(next: Chance): string;
  changed(source: string, tries: number, next: Chance): string;
  rewritten(source: string, next: Chance): string;
  joined(one: string, other: string, next: Chance): string;
  /** Without noise. */
  worthOf(source: string): number;
};

const searchCases = Array.from({ length: 30 }, (_, at) => `case ${at}`);
const unseenCases = Array.from({ length: 50 }, (_, at) => `unseen ${at}`);

/** `run` is what a program scores on a case. */
function taskOf(program: string, run: (source: string, name: string) => number): ProgramTask {
  const outcome = (source: string, name: string): CaseOutcome => ({
    name,
    verdict: 'AC',
    score: run(source, name),
    cpuMs: 1,
    wallMs: 1,
    memoryBytes: 1,
    message: '',
    features: {},
  });
  return {
    language: 'cpp',
    direction: 'maximise',
    scoring: 'absolute',
    template: program,
    best: {},
    cases: searchCases,
    timeLimitMs: null,
    fresh: (first, count) => Array.from({ length: count }, (_, at) => `fresh ${first + at}`),
    evaluate: async (source, names) => {
      const compiled = !source.includes('BROKEN');
      const cases = compiled ? names.map((name) => outcome(source, name)) : [];
      return { score: null, data: { compiled, message: '', cases, backend: 'bench' } };
    },
  };
}

const levels = 6;

/** A piece is a number from 0 to 5; what it means is the heuristic's. */
function pieceWorld(
  id: string,
  names: readonly string[],
  play: (weights: readonly number[], name: string) => number,
): SearchWorld {
  const programOf = (values: readonly number[]): string =>
    [
      ...names.map((name, at) => `const int ${name} = ${values[at]};`),
      'int main() {',
      '  run();',
      '}',
      '',
    ].join('\n');
  const valuesIn = (source: string) => names.map((name) => pieceOf(source, name));
  const level = (next: Chance) => Math.floor(next() * levels);
  const known = new Map<string, Map<string, number>>();
  const scoreOf = (source: string, name: string): number => {
    const values = valuesIn(source);
    const scores = known.get(values.join()) ?? new Map<string, number>();
    known.set(values.join(), scores);
    const score = scores.get(name) ?? play(values, name);
    scores.set(name, score);
    return score;
  };
  const program = programOf(names.map(() => 0));
  return {
    id,
    program,
    task: taskOf(program, scoreOf),
    drawn: (next) => programOf(names.map(() => level(next))),
    // One piece, mostly by a step; now and then two.
    changed: (source, _tries, next) =>
      Array.from({ length: next() < 0.3 ? 2 : 1 }).reduce<string>((text) => {
        const name = names[Math.floor(next() * names.length)] ?? '';
        const step = next() < 0.5 ? -1 : 1;
        const value = pieceOf(text, name) + step;
        return withPiece(text, name, next() < 0.7 && value >= 0 && value < levels ? value : level(next));
      }, source),
    rewritten: (source, next) =>
      names.reduce((text, name) => (next() < 0.5 ? withPiece(text, name, level(next)) : text), source),
    joined: (one, other, next) =>
      names.reduce((text, name) => (next() < 0.5 ? withPiece(text, name, pieceOf(other, name)) : text), one),
    worthOf: (source) => mean(unseenCases.map((name) => scoreOf(source, name))) ?? 0,
  };
}

/**
 * A walk over a grid of coins, in twelve legs of five steps. A piece says how a leg is gone: in one of four directions, by
 * the richest neighbour, or back to the middle. Hills of coins are where they are in all cases: what a leg is worth
 * depends on where the legs before it lead.
 */
export function walkWorld(): SearchWorld {
  const [size, legs, steps] = [14, 12, 5];
  const ways = [1, -1, size, -size];
  const { next: terrain } = seededChance('terrain');
  const hills = Array.from({ length: 7 }, () => [terrain() * size, terrain() * size, 1 + terrain()] as const);
  const heights = Array.from({ length: size * size }, (_, at) => {
    const [x, y] = [at % size, Math.floor(at / size)];
    return hills.reduce((sum, [a, b, r]) => sum + Math.exp(-((x - a) ** 2 + (y - b) ** 2) / r ** 2), 0);
  });
  const gridOf = cached((name: string) => {
    const { next } = seededChance(`walk ${name}`);
    return heights.map((height) => Math.floor(10 * next() * (0.1 + height)));
  });
  const isNext = (from: number, to: number): boolean =>
    to >= 0 && to < size * size && Math.abs((from % size) - (to % size)) <= 1;
  const middle = size * (size >> 1) + (size >> 1);
  const names = Array.from({ length: legs }, (_, at) => `LEG${at}`);
  return pieceWorld('walk', names, (pieces, name) => {
    const coins = [...gridOf(name)];
    let [here, score] = [middle, 0];
    for (const piece of pieces) {
      for (let step = 0; step < steps; step += 1) {
        let [best, to] = [Number.NEGATIVE_INFINITY, here];
        for (const [at, way] of ways.entries()) {
          if (!isNext(here, here + way)) continue;
          const distance = (place: number) =>
            Math.abs((place % size) - (middle % size)) + Math.abs(Math.floor(place / size) - (size >> 1));
          const aim = piece < 4 ? (piece === at ? 6 : 0) : piece === 4 ? 0 : -3 * distance(here + way);
          const worth = aim + (coins[here + way] ?? 0);
          if (worth > best) [best, to] = [worth, here + way];
        }
        here = to;
        score += coins[here] ?? 0;
        coins[here] = 0;
      }
    }
    return score;
  });
}

/**
 * A packing of rectangles of twelve shapes on a strip. A piece says of a shape when its turn comes and whether it stands or
 * lies; each goes where it ends lowest. Per mille of the strip that is filled: what one shape leaves open others fill.
 */
export function packingWorld(): SearchWorld {
  const width = 20;
  const { next: made } = seededChance('shapes');
  const side = (least: number) => least + Math.floor(made() * 7);
  const shapes = Array.from({ length: 12 }, () => [side(4), side(1)] as const);
  const itemsOf = cached((name: string) => {
    const { next } = seededChance(`packing ${name}`);
    return Array.from({ length: 24 }, () => Math.floor(next() * shapes.length));
  });
  const names = shapes.map((_, at) => `SHAPE${at}`);
  return pieceWorld('packing', names, (pieces, name) => {
    const turn = (shape: number) => (pieces[shape] ?? 0) >> 1;
    const heights = Array.from({ length: width }, () => 0);
    let filled = 0;
    for (const shape of itemsOf(name).toSorted((a, b) => turn(a) - turn(b))) {
      const [a, b] = shapes[shape] ?? [1, 1];
      const [w, h] = (pieces[shape] ?? 0) % 2 === 0 ? [a, b] : [b, a];
      filled += w * h;
      let [lowest, at] = [Number.POSITIVE_INFINITY, 0];
      for (let x = 0; x + w <= width; x += 1) {
        let base = 0;
        for (let k = x; k < x + w; k += 1) base = Math.max(base, heights[k] ?? 0);
        if (base < lowest) [lowest, at] = [base, x];
      }
      heights.fill(lowest + h, at, at + w);
    }
    return (1000 * filled) / (width * Math.max(...heights));
  });
}

function cached<Value>(make: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>();
  return (name) => {
    const value = known.get(name) ?? make(name);
    known.set(name, value);
    return value;
  };
}

/** In standard deviations of a drawn program's quality. */
export type Replies = {
  /** What an approach is worth, its first program without it aside, is drawn with this deviation; both together: 1. */
  readonly approach: number;
  /** Mean height of the ceiling over the approach. */
  readonly headroom: number;
  /** How likely a change is better far below the ceiling, and the part of that which each try of one program leaves. */
  readonly better: number;
  readonly fading: number;
  /** Mean gain, as a part of what is left to the ceiling; mean loss of what is not better; how many have no effect. */
  readonly gain: number;
  readonly loss: number;
  readonly idle: number;
  /** A rewrite is another approach so often; else it lies so far under the ceiling's side of its parent, so spread. */
  readonly anew: number;
  readonly lower: number;
  readonly spread: number;
  /** Of a case; and how much of it a child has from its parent. */
  readonly noise: number;
  readonly inherited: number;
};

export const usualReplies: Replies = {
  approach: 0.7,
  headroom: 2,
  better: 0.27,
  fading: 0.97,
  gain: 0.25,
  loss: 0.5,
  idle: 0.1,
  anew: 0.25,
  lower: 0.3,
  spread: 0.7,
  noise: 1,
  inherited: 0.8,
};

type State = {
  readonly quality: number;
  readonly ceiling: number;
  readonly approach: number;
  readonly from: number;
};

export function replierWorld(
  replies: Replies = usualReplies,
  id = `replier ${replies.headroom}`,
): SearchWorld {
  const { approach: ofApproach, headroom, noise, inherited } = replies;
  const states: State[] = [];
  const noises = new Map<string, number>();
  const stateOf = (source: string): State =>
    states[pieceOf(source, 'ID')] ?? begun(seededChance('none').next);
  const programOf = (state: State, text: string, next: Chance): string => {
    states.push(state);
    const numbers = () => Array.from({ length: 12 }, () => next().toFixed(6)).join(', ');
    const lines = [...text.matchAll(/^ {2}step\(.*$/gm)].map(([line]) => line);
    const kept = lines.length < 6 ? lines : lines.toSpliced(Math.floor(next() * lines.length), 1);
    const body = [...kept, `  step(${numbers()});`].join('\n');
    return `const int ID = ${states.length - 1};\nint main() {\n${body}\n}\n`;
  };
  function begun(next: Chance, anew = normal(next) * ofApproach): State {
    const quality = anew + normal(next) * Math.sqrt(1 - ofApproach ** 2);
    const gamma = -Math.log(next() * next() * next() * next()) / 4;
    return { quality, approach: anew, ceiling: anew + headroom * gamma, from: -1 };
  }
  const changedState = (before: State, from: number, tries: number, next: Chance): State => {
    const left = Math.max(0, before.ceiling - before.quality);
    const isBetter = next() < ((replies.better * left) / (left + 1)) * replies.fading ** tries;
    if (isBetter) {
      const quality = Math.min(before.ceiling, before.quality + exponential(next) * replies.gain * left);
      return { ...before, quality, from };
    }
    const loss = next() < replies.idle ? 0 : exponential(next) * replies.loss;
    return { ...before, quality: before.quality - loss, from };
  };
  /** Of the program itself, without what all programs have on a case. */
  const noiseOf = (at: number, name: string): number => {
    const key = `${at} ${name}`;
    const known = noises.get(key);
    if (known !== undefined) return known;
    const own = normal(seededChance(`${id} ${key} ${states[at]?.quality}`).next);
    const from = states[at]?.from ?? -1;
    const value = from < 0 ? own : inherited * noiseOf(from, name) + Math.sqrt(1 - inherited ** 2) * own;
    noises.set(key, value);
    return value;
  };
  const program = programOf({ quality: -6, approach: -6, ceiling: -6, from: -1 }, '', seededChance(id).next);
  return {
    id,
    program,
    task: taskOf(
      program,
      (source, name) => 1000 + 100 * (stateOf(source).quality + noise * noiseOf(pieceOf(source, 'ID'), name)),
    ),
    drawn: (next) => programOf(begun(next), '', next),
    changed: (source, tries, next) =>
      programOf(changedState(stateOf(source), pieceOf(source, 'ID'), tries, next), source, next),
    rewritten: (source, next) => {
      const before = stateOf(source);
      if (next() < replies.anew) return programOf(begun(next), '', next);
      const quality = Math.min(
        before.ceiling,
        before.quality - replies.lower + replies.spread * normal(next),
      );
      return programOf({ ...before, quality, from: pieceOf(source, 'ID') }, source, next);
    },
    joined: (one, other, next) => {
      const [a, b] = [stateOf(one), stateOf(other)];
      const quality = Math.min(a.ceiling, (a.quality + b.quality) / 2 + replies.spread * normal(next));
      return programOf({ ...a, quality, from: pieceOf(one, 'ID') }, one, next);
    },
    worthOf: (source) => 1000 + 100 * stateOf(source).quality,
  };
}

const exponential = (next: Chance): number => -Math.log(1 - next());

function normal(next: Chance): number {
  return Math.sqrt(2 * exponential(next)) * Math.cos(2 * Math.PI * next());
}

function withPiece(source: string, name: string, value: number): string {
  return source.replace(new RegExp(`(\\b${name} = )-?[\\d.]+`), (_all, head: string) => `${head}${value}`);
}

function pieceOf(source: string, name: string): number {
  return Number(new RegExp(`\\b${name} = (-?[\\d.]+)`).exec(source)?.[1] ?? Number.NaN);
}
