/** Day 9, hard: a small machine to be built, and then searched: of all words, it lets only one pass. */
import type { Puzzle } from '../puzzle.ts';
import type { Random } from '../random.ts';

type Wheel = 'north' | 'east' | 'south' | 'west';

type Card =
  | { readonly kind: 'read'; readonly wheel: Wheel }
  | { readonly kind: 'set'; readonly wheel: Wheel; readonly to: string }
  | { readonly kind: 'turn'; readonly wheel: Wheel; readonly by: number | Wheel }
  | { readonly kind: 'jump'; readonly by: number; readonly when?: { wheel: Wheel; shows: string } }
  | { readonly kind: 'jam' }
  | { readonly kind: 'ring' };

/** Wheels as numbers, from 0 for A to 25 for Z. */
type Engine = { card: number; readonly wheels: Record<Wheel, number> };

const example = `read north
turn east by north
set west to C
turn east by 5
turn west by 25
jump 2 if west shows A
jump -3
turn south by east
jump 3 if east shows Q
jump 2 if east shows T
jam
read north
turn east by north
turn south by south
turn south by east
jump 2 if south shows K
jam
jump 2 if east shows E
jam
ring
`;

const firstWord = 'SNOWLINE';

export const engineThatWantsAWord: Puzzle = {
  day: 9,
  title: 'The Engine That Wants a Word',
  example,
  parts: [
    `<p>At the very top of the line stands the observatory, and before its door stands an engine of brass. Whoever wants to go in
must know the word. The astronomers have forgotten it. But they still have the <em>cards</em> that the engine works by (your
puzzle input):</p>
<pre><code>${example}</code></pre>
<p>The engine has four <em>wheels</em>, <code>north</code>, <code>east</code>, <code>south</code> and <code>west</code>. On each
of them are the letters from <code>A</code> to <code>Z</code>, and it shows one of them. In the beginning, all show
<code>A</code>. When a wheel turns, it goes through the alphabet, and after <code>Z</code> comes <code>A</code> again.</p>
<p>The engine begins with the first card. When it has worked a card, it goes on with the next one, unless the card says
otherwise:</p>
<ul>
<li><code>read north</code> takes the <em>next letter</em> of the word, at first the first one, and sets the wheel to it.</li>
<li><code>set west to C</code> sets the wheel to this letter.</li>
<li><code>turn east by 5</code> turns the wheel <code>5</code> letters on.</li>
<li><code>turn east by north</code> turns the wheel <code>east</code> on by as many letters as lie between <code>A</code> and what
<code>north</code> shows: by <code>0</code> for an <code>A</code>, by <code>1</code> for a <code>B</code>, and so on, up to
<code>25</code> for a <code>Z</code>. It can also be one and the same wheel: <code>turn south by south</code> turns
<code>south</code> on by what it shows just then.</li>
<li><code>jump 2</code> goes on with the second card after this one, so that one card is passed over. <code>jump -3</code> goes on
with the third card <em>before</em> this one.</li>
<li><code>jump 2 if west shows A</code> does the same, but only if the wheel shows this letter. If not, the next card follows.</li>
<li><code>jam</code> blocks the door. To be on the safe side, the astronomers have hung out the bolt for today, so
<em>for now, this card does nothing</em>, and the next card follows.</li>
<li><code>ring</code> rings a bell and opens the door, and the engine stops.</li>
</ul>
<p>You try the word <code>${firstWord}</code>. In the example, <code>east</code> shows <code>S</code> after two cards. The
cards from the fourth to the seventh are worked twice, except that the seventh is passed over the second time, and leave
<code>C</code> on <code>east</code>. As this is neither a <code>Q</code> nor a <code>T</code>, the first <code>jam</code>
follows, which does nothing. Then the engine reads the <code>N</code>; the other letters of the word it never reads. When the
bell rings, it has worked <code><em>23</em></code> cards, if every card counts whenever it is worked, each <code>jam</code> and
the <code>ring</code> too.</p>
<p>Try the word <code>${firstWord}</code> on your cards. <em>How many cards has the engine worked when the bell rings?</em></p>`,
    `<p>Anybody could come in like that. The astronomers thank you and put the bolt back: from now on, a <code>jam</code>
<em>stops</em> the engine, the door stays shut, and no bell will ring.</p>
<p>So now you need the right word. It has as many letters as the engine reads before it rings, and every one of them is one of
the <code>26</code> letters from <code>A</code> to <code>Z</code>. To try out all words would take you until spring.
But there is no need to: if you look closely, the engine often jams long before the end.</p>
<p>In the example, there are <code>676</code> words of two letters. With <code>24</code> of the first letters, the first
<code>jam</code> stops everything; only <code>G</code> and <code>J</code> get past it. And of the words that begin with one of
these two, just one makes the bell ring: <code><em>GO</em></code>.</p>
<p>There is exactly one word that makes your engine ring. <em>What is this word?</em></p>`,
  ],

  generate(random) {
    for (;;) {
      const cards = drawCards(random, drawWord(random));
      // Other words than the one that was drawn may pass by chance.
      if (findWords(cards).length === 1) return `${cards.map(write).join('\n')}\n`;
    }
  },

  solve(input) {
    const cards = parse(input);
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
  const jumps = letters.map((shows, index): Card => {
    return { kind: 'jump', by: letters.length + 1 - index, when: { wheel, shows } };
  });
  return [...jumps, { kind: 'jam' }];
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

function parse(input: string): Card[] {
  return input.trim().split('\n').map(parseCard);
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
  if (name === 'north' || name === 'east' || name === 'south' || name === 'west') return name;
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
