/** The named ways in which an answer is looked for in a reply. */
import { UserError } from '../../core/errors.ts';

/** Where an answer may stand, from the surest to the least sure. */
type Place = 'tag' | 'box' | 'marker' | 'conclusion' | 'line';

export type Profile = { readonly places: readonly Place[]; readonly form: Form | 'choice' };

/** `mathematics`: set as such, in `$…$` and the like. `plain`: as it stands. */
export type Form = 'any' | 'mathematics' | 'plain' | 'number';

const everywhere: readonly Place[] = ['tag', 'box', 'marker', 'conclusion', 'line'];

const profiles = {
  math: { places: everywhere, form: 'any' },
  latex: { places: everywhere, form: 'mathematics' },
  expr: { places: ['tag', 'marker', 'conclusion', 'line'], form: 'plain' },
  number: { places: everywhere, form: 'number' },
  choice: { places: everywhere, form: 'choice' },
  boxed: { places: ['box'], form: 'any' },
  marker: { places: ['tag', 'marker'], form: 'any' },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

export const profileNames = Object.keys(profiles) as readonly ProfileName[];

export function profileNamed(name: string): Profile {
  const found = profileNames.find((each) => each === name);
  if (found) return profiles[found];
  throw new UserError({
    code: 'no-such-profile',
    what: `There is no extraction profile ${name}.`,
    fix: `There are: ${profileNames.join(', ')}.`,
  });
}

/** A reply is short where its last line can only be its answer. */
export function isShort(reply: string): boolean {
  const lines = reply.split('\n').filter((line) => line.trim() !== '');
  return reply.trim().length <= 300 && lines.length <= 4;
}

export type Candidate = {
  readonly place: Place;
  readonly text: string;
  /** It was set as mathematics; null where that has to be found out. */
  readonly isMath: boolean | null;
  /** Where it stands in what was searched: the end of the reply, long gaps closed. */
  readonly start: number;
  readonly end: number;
};
