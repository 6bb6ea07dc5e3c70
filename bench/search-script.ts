/**
 * A script in the place of a model that does what a model is hoped to do with what it is shown: it changes one piece of
 * the program in the prompt by a step, does not repeat what the prompt says was tried and came to nothing, follows what is
 * recommended there, takes pieces of both programs when it is to join two, and drops what does nothing when it is to
 * simplify. Some of what it writes does not compile, and some of it bloats. Seeded by the place of the call.
 */
import type { Model } from '../src/core/model.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { scriptedModel } from '../src/models/scripted.ts';
import { type Pieces, pieceOf, type SearchContest, withoutSpare, withPiece } from './search-contests.ts';

type Script = { readonly pieces: Pieces; readonly text: string; readonly next: () => number };

export type Watched = {
  onCall(): void;
  /** Asked so, it adds what does nothing. */
  readonly isIdle?: (prompt: string) => boolean;
};

export function searchScript(
  { pieces, program }: SearchContest,
  seed: string,
  { onCall, isIdle = () => false }: Watched,
): Model {
  return scriptedModel({
    id: 'bench',
    script: ({ role, branch, index, request }) => {
      onCall();
      const { next } = seededChance(`${seed} ${branch} ${role} ${index}`);
      const content = request.messages.at(-1)?.content;
      const text = typeof content === 'string' ? content : '';
      const script = { pieces, text, next };
      if (role === 'adviser') return { text: adviceIn(script) };
      const [shown = program, other = kindredIn(text, shown)] = programsIn(text);
      if (isIdle(text)) {
        const idle = `${shown}static int spare${Math.floor(next() * 1e6)} = 1;\n`;
        return { text: `IDEA: a line more\n\n\`\`\`cpp\n${idle}\`\`\`` };
      }
      const { idea, source } = proposed(script, { shown, other, isBold: role !== 'solver' });
      return { text: `IDEA: ${idea}\n\n\`\`\`cpp\n${worn(source, next).trimEnd()}\n\`\`\`` };
    },
  });
}

const programsIn = (text: string): readonly string[] =>
  [...text.matchAll(/```cpp\n([\s\S]*?)\n```/g)].map(([, program]) => `${program}\n`);

/** Of a kindred program only what differs is shown: its pieces are read before those of the first. */
function kindredIn(text: string, shown: string): string | undefined {
  const lines = /```diff\n([\s\S]*?)```/.exec(text)?.[1]?.split('\n');
  const own = lines?.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
  return own && [...own, shown].join('\n');
}

type Shown = { readonly shown: string; readonly other: string | undefined; readonly isBold: boolean };

function proposed(script: Script, { shown, other, isBold }: Shown): { idea: string; source: string } {
  const { text, pieces, next } = script;
  if (text.includes('The program has grown')) {
    return { idea: 'dropped what does nothing', source: withoutSpare(shown) };
  }
  if (text.includes('Both programs solve') && other) return joined(script, shown, other);
  if (isBold || text.includes('on this line of search, from scratch')) {
    return anew({ ...script, pieces, next }, other ?? shown);
  }
  return changed(script, shown);
}

function joined({ pieces, next }: Script, one: string, other: string): { idea: string; source: string } {
  const taken = Object.keys(pieces).filter(() => next() < 0.5);
  const source = taken.reduce((program, name) => withPiece(program, name, pieceOf(other, name)), one);
  return { idea: `took ${taken.join(' and ') || 'nothing'} from the second`, source };
}

/** Half of it is drawn, half is kept. */
function anew({ pieces, next }: Script, from: string): { idea: string; source: string } {
  const drawn = Object.entries(pieces).filter(() => next() < 0.5);
  const values = drawn.map(([name, all]) => [name, all[Math.floor(next() * all.length)] ?? 0] as const);
  const source = values.reduce((program, [name, value]) => withPiece(program, name, value), from);
  return { idea: `anew with ${values.map(([name, value]) => `${name} ${value}`).join(', ')}`, source };
}

function changed({ pieces, text, next }: Script, shown: string): { idea: string; source: string } {
  const steps = Object.entries(pieces).flatMap(([name, values]) => {
    const at = values.indexOf(pieceOf(shown, name));
    return [-1, 1].flatMap((way) => {
      const to = values[at + way];
      const idea = `${name} from ${values[at]} to ${to} ${way > 0 ? 'raised' : 'lowered'}`;
      return to === undefined ? [] : [{ name, to, idea, way }];
    });
  });
  const isBad = ({ idea }: (typeof steps)[number]) => new RegExp(`- ${idea}: (?!better|ran)`).test(text);
  const fresh = steps.filter((step) => next() < 0.1 || !isBad(step));
  const advised = fresh.filter(({ name, way }) => text.includes(`- ${way > 0 ? 'Raise' : 'Lower'} ${name}.`));
  const able = advised.length > 0 && next() < 0.7 ? advised : fresh.length > 0 ? fresh : steps;
  const step = able[Math.floor(next() * able.length)];
  if (!step) return { idea: 'nothing', source: shown };
  return { idea: step.idea, source: withPiece(shown, step.name, step.to) };
}

/** What was better is to be done again, in the same direction. */
function adviceIn({ text, pieces }: Script): string {
  const count = (name: string, way: string, fate: string) =>
    [...text.matchAll(new RegExp(`${name} from \\S+ to \\S+ ${way}: ${fate}`, 'g'))].length;
  const recommendations = Object.keys(pieces).flatMap((name) =>
    (['raised', 'lowered'] as const).flatMap((way) => {
      const worth = count(name, way, 'better') - count(name, way, 'worse');
      return worth > 0 ? [`${way === 'raised' ? 'Raise' : 'Lower'} ${name}.`] : [];
    }),
  );
  return JSON.stringify({
    summary: 'Steps that were counted.',
    recommendations: recommendations.slice(0, 5),
  });
}

function worn(source: string, next: () => number): string {
  const chance = next();
  if (chance < 0.08) return `${source}BROKEN\n`;
  return chance < 0.2 ? `${source}static int spare${Math.floor(next() * 1e6)} = 1;\n` : source;
}
