/** Day 9, hard: a small machine to be built, and then searched: of all words, it lets only one pass. */
import { type Puzzle, type Random, statement } from '../puzzle.ts';

const wheelNames = ['north', 'east', 'south', 'west'] as const;
type Wheel = (typeof wheelNames)[number];

type Card =
  | { readonly kind: 'read'; readonly wheel: Wheel }
  | { readonly kind: 'set'; readonly wheel: Wheel; readonly to: string }
  | { readonly kind: 'turn'; readonly wheel: Wheel; readonly by: number | Wheel }
  | { readonly kind: 'jump'; readonly by: number; readonly when?: { wheel: Wheel; shows: string } }
  | { readonly kind: 'jam' | 'ring' };

/** Wheels as numbers, from 0 for A to 25 for Z. */
type Engine = { card: number; readonly wheels: Record<Wheel, number> };

const firstWord = 'SNOWLINE';

export const engineThatWantsAWord: Puzzle = {
  day: 9,
  title: 'The Engine That Wants a Word',
  ...statement('day09-engine-that-wants-a-word'),

  generate(random) {
    for (;;) {
      const cards = drawCards(random, drawWord(random));
      // Other words than the one that was drawn may pass by chance.
      if (findWords(cards).length === 1) return `${cards.map(write).join('\n')}\n`;
    }
  },

  solve(input) {
    const cards = input.trim().split('\n').map(parseCard);
    const [word = '', ...more] = findWords(cards);
    if (more.length > 0) throw new Error('Several words open the door.');
    return [String(tryOut(cards, firstWord).worked), word];
  },
};

/** One that can be spoken. */
function drawWord(random: Random): string {
  const draw = (letters: string) => letters[random.int(0, letters.length - 1)] ?? '';
  return Array.from({ length: 4 }, () => draw('BDFGKLMNPRSTVZ') + draw('AEIOU')).join('');
}

/** For each letter a way of mixing it into the wheels, and then what these may show, the truth among it. */
function drawCards(random: Random, word: string): Card[] {
  const cards: Card[] = [];
  const shown = (wheel: Wheel) => letterOf(tryOut(cards, word).wheels[wheel]);
  for (let letter = 0; letter < word.length; letter++) {
    cards.push(...drawMixing(random));
    cards.push(...check('east', drawLetters(random, shown('east'), 5)));
    cards.push(...check('south', drawLetters(random, shown('south'), 5)));
  }
  return [...cards, ...check('east', [shown('east')]), ...check('south', [shown('south')]), { kind: 'ring' }];
}

function drawMixing(random: Random): Card[] {
  const drawWheel = (one: Wheel, other: Wheel) => (random.int(0, 1) === 0 ? one : other);
  return [
    { kind: 'read', wheel: 'north' },
    { kind: 'turn', wheel: 'east', by: 'north' },
    { kind: 'set', wheel: 'west', to: 'A' },
    { kind: 'turn', wheel: 'west', by: drawWheel('south', 'north') },
    // By an even number, as often as `west` tells: so that no two letters leave the same on `east`.
    { kind: 'turn', wheel: 'east', by: 2 * random.int(1, 5) },
    { kind: 'turn', wheel: 'west', by: 25 },
    { kind: 'jump', by: 2, when: { wheel: 'west', shows: 'A' } },
    { kind: 'jump', by: -3 },
    // Three times itself, which loses nothing either.
    { kind: 'set', wheel: 'west', to: 'A' },
    { kind: 'turn', wheel: 'west', by: 'south' },
    { kind: 'turn', wheel: 'south', by: 'south' },
    { kind: 'turn', wheel: 'south', by: 'west' },
    { kind: 'turn', wheel: 'south', by: drawWheel('east', 'north') },
    { kind: 'turn', wheel: 'south', by: random.int(1, 25) },
  ];
}

function drawLetters(random: Random, truth: string, count: number): string[] {
  const others = [...alphabet].filter((letter) => letter !== truth);
  return random.shuffle([truth, ...random.shuffle(others).slice(1, count)]);
}

function check(wheel: Wheel, letters: readonly string[]): Card[] {
  const { length } = letters;
  return [
    ...letters.map((shows, at): Card => ({ kind: 'jump', by: length + 1 - at, when: { wheel, shows } })),
    { kind: 'jam' },
  ];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function letterOf(number: number): string {
  return alphabet[number] ?? '';
}

function write(card: Card): string {
  switch (card.kind) {
    case 'read':
      return `read ${card.wheel}`;
    case 'set':
      return `set ${card.wheel} to ${card.to}`;
    case 'turn':
      return `turn ${card.wheel} by ${card.by}`;
    case 'jump':
      return `jump ${card.by}${card.when ? ` if ${card.when.wheel} shows ${card.when.shows}` : ''}`;
    default:
      return card.kind;
  }
}

function parseCard(line: string): Card {
  const [kind, first = '', , third = '', , last = ''] = line.split(' ');
  switch (kind) {
    case 'read':
      return { kind, wheel: wheelOf(first) };
    case 'set':
      return { kind, wheel: wheelOf(first), to: third };
    case 'turn':
      return { kind, wheel: wheelOf(first), by: /^\d+$/.test(third) ? Number(third) : wheelOf(third) };
    case 'jump':
      if (last === '') return { kind, by: Number(first) };
      return { kind, by: Number(first), when: { wheel: wheelOf(third), shows: last } };
    case 'jam':
    case 'ring':
      return { kind };
    default:
      throw new Error(`No such card: ${line}`);
  }
}

function wheelOf(name: string): Wheel {
  const found = wheelNames.find((each) => each === name);
  if (found) return found;
  throw new Error(`No such wheel: ${name}`);
}

function newEngine(): Engine {
  return { card: 0, wheels: { north: 0, east: 0, south: 0, west: 0 } };
}

/** With the bolt hung out, until the bell rings or the cards are at their end. */
function tryOut(cards: readonly Card[], word: string): { worked: number; wheels: Engine['wheels'] } {
  const engine = newEngine();
  let letters = 0;
  for (let worked = 1; ; worked++) {
    const card = cards[engine.card];
    if (!card) return { worked: worked - 1, wheels: engine.wheels };
    if (card.kind === 'ring') return { worked, wheels: engine.wheels };
    if (card.kind === 'read') engine.wheels[card.wheel] = alphabet.indexOf(word[letters++] ?? 'A');
    work(engine, card);
  }
}

/** All words that ring the bell: letter by letter, leaving out whatever begins with a jam. */
function findWords(cards: readonly Card[], engine = newEngine(), word = ''): string[] {
  for (let card = cards[engine.card]; card; card = cards[engine.card]) {
    if (card.kind === 'ring') return [word];
    if (card.kind === 'jam') return [];
    work(engine, card);
    if (card.kind !== 'read') continue;
    const { wheel } = card;
    return [...alphabet].flatMap((letter, number) => {
      const wheels = { ...engine.wheels, [wheel]: number };
      return findWords(cards, { card: engine.card, wheels }, word + letter);
    });
  }
  return [];
}

/** All of a card but its reading, its jamming and its ringing. */
function work(engine: Engine, card: Card): void {
  const { wheels } = engine;
  let next = 1;
  if (card.kind === 'set') {
    wheels[card.wheel] = alphabet.indexOf(card.to);
  } else if (card.kind === 'turn') {
    const by = typeof card.by === 'number' ? card.by : wheels[card.by];
    wheels[card.wheel] = (wheels[card.wheel] + by) % 26;
  } else if (card.kind === 'jump') {
    const { when } = card;
    if (!when || letterOf(wheels[when.wheel]) === when.shows) next = card.by;
  }
  engine.card += next;
}
