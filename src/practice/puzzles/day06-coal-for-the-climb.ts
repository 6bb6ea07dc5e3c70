/** Day 6, medium: buying early where it is cheap, then with a limited store and a fee: dynamic programming. */
import { type Puzzle, type Random, statement } from '../puzzle.ts';

type Stop = { readonly price: number; readonly burns: number };
type Journey = { readonly tender: number; readonly fee: number; readonly stops: readonly Stop[] };

export const coalForTheClimb: Puzzle = {
  day: 6,
  title: 'Coal for the Climb',
  ...statement('day06-coal-for-the-climb'),

  generate(random) {
    const tender = random.int(32, 40);
    const head = `tender ${tender}\nstoker ${random.int(25, 60)}\n`;
    const stations = drawNames(random, 260);
    let price = random.int(20, 40);
    const lines = stations.map((name) => {
      // Prices wander, so that it pays to look ahead, but not too far.
      price = Math.min(60, Math.max(5, price + random.int(-7, 7)));
      return `${name}: price ${price}, burns ${random.int(1, 11)}\n`;
    });
    return head + lines.join('');
  },

  solve(input) {
    const journey = parse(input);
    return [String(costUnlimited(journey)), String(costWithStoker(journey))];
  },
};

const beginnings = 'Ash Birk Crag Dove Elder Frost Grey Hay Iron Kirk Lark Moss'.split(' ');
const middles = ['', 'er', 'ing', 'le'];
const endings = 'bridge by combe fell ham ley ness tarn ton'.split(' ');

function drawNames(random: Random, count: number): string[] {
  const all = beginnings.flatMap((beginning) =>
    middles.flatMap((middle) => endings.map((ending) => beginning + middle + ending)),
  );
  return ['Harbour', ...random.shuffle(all).slice(1, count)];
}

function parse(input: string): Journey {
  const numberAfter = (word: string) => Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(input)?.[1]);
  const stops = [...input.matchAll(/price (\d+), burns (\d+)/g)].map(([, price, burns]) => ({
    price: Number(price),
    burns: Number(burns),
  }));
  return { tender: numberAfter('tender'), fee: numberAfter('stoker'), stops };
}

/** Every sack is bought at the cheapest station that the engine has seen until it burns it. */
function costUnlimited({ stops }: Journey): number {
  let cheapest = Number.POSITIVE_INFINITY;
  let cost = 0;
  for (const { price, burns } of stops) {
    cheapest = Math.min(cheapest, price);
    cost += cheapest * burns;
  }
  return cost;
}

/** The least cost of arriving with 0, 1, 2… sacks, station by station. */
function costWithStoker({ tender, fee, stops }: Journey): number {
  let arriving = Array.from({ length: tender + 1 }, (_, sacks) =>
    sacks === 0 ? 0 : Number.POSITIVE_INFINITY,
  );
  for (const { price, burns } of stops) {
    // What it costs here to have none and then to buy up from there, whatever is the best way to begin with.
    let buying = Number.POSITIVE_INFINITY;
    const leaving = arriving.map((kept, sacks) => {
      const best = Math.min(kept, buying + fee + price * sacks);
      buying = Math.min(buying, kept - price * sacks);
      return best;
    });
    arriving = leaving.map((_, sacks) => leaving[sacks + burns] ?? Number.POSITIVE_INFINITY);
  }
  return Math.min(...arriving);
}
