/** Of which candidates and cases the official visualizer may be asked for pictures. */
import type { Drawings } from '../../../notes/panel.ts';
import { byScore, type Search, type Tried } from './search.ts';

/** `lacking`: the reason why there are no pictures, and the remedy; empty if there are. */
export type Pictures = { readonly lacking: string };

/** The best, and the one next to it: what they do otherwise is of use. */
export function toldApart(search: Search): readonly Tried[] {
  const { best, tried } = search;
  const others = tried.filter((each) => each !== best && each.score !== null).toSorted(byScore(search));
  return [...(best ? [best] : []), ...others.slice(0, 1)];
}

/** Those cases first on which they are farthest apart. Null where nothing of them ran. */
export function drawingsOf(candidates: readonly Tried[], { lacking }: Pictures): Drawings | null {
  const result = candidates.filter(({ note }) => note.source !== '' && note.evaluation?.cases.length);
  const [first, second] = result.map(
    ({ note }) => new Map(note.evaluation?.cases.map(({ name, score }) => [name, score])),
  );
  if (!first) return null;
  const apart = (name: string): number => {
    const [one, two] = [first.get(name), second?.get(name)];
    return typeof one === 'number' && typeof two === 'number' ? Math.abs(one - two) : -1;
  };
  const shared = [...first.keys()].filter((name) => second === undefined || second.has(name));
  const cases = (shared.length > 0 ? shared : [...first.keys()]).toSorted((a, b) => apart(b) - apart(a));
  const where = second ? '; those cases first on which they differ most' : '';
  return {
    kind: 'drawings',
    title: `As the official visualizer draws it${where}`,
    ...(lacking === '' ? {} : { lacking }),
    of: result.map(({ id, seq }) => ({ label: id, seq })),
    cases,
  };
}
