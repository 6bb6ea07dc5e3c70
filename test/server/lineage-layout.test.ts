/** Where the nodes of a lineage stand on the page. */
import { expect, test } from 'vitest';
import { foldedFrom, laidOut } from '../../src/web/lineage-layout.ts';

const node = (id: string, parent: string | null, more: object = {}) => ({
  ...{ id, parent, band: 'island 1', label: id, about: '' },
  ...more,
});

test('a child goes on in its parent’s lane, its sibling beside it, a dead end blocks nobody', () => {
  const { placed } = laidOut(
    [node('a', null), node('b', 'a', { tone: 'bad' }), node('c', 'a'), node('d', 'a'), node('e', 'c')],
    false,
  );
  const lanes = [...placed.values()].map(({ lane }) => lane);
  expect(lanes).toEqual([0, 0, 0, 1, 0]);
  expect([...placed.values()].map(({ column }) => column)).toEqual([0, 1, 2, 3, 4]);
});

test('bands stand in the order of their numbers, and the way to the best goes through foreign ones', () => {
  const { bands, placed } = laidOut(
    [
      node('x', null, { band: 'island 10' }),
      node('y', 'x', { band: 'island 2' }),
      node('z', 'y', { band: 'island 2', isBest: true }),
      node('w', 'x', { band: 'island 10' }),
    ],
    false,
  );
  expect(bands.map(({ name }) => name)).toEqual(['island 2', 'island 10']);
  expect([...placed.values()].filter(({ isOnWay }) => isOnWay).map((each) => each.node.id)).toEqual([
    ...['x', 'y', 'z'],
  ]);
});

test('of many, leaves are counts at their parents; a parent that is not there, or its own, harms nothing', () => {
  const leaves = Array.from({ length: foldedFrom }, (_, at) => node(`n${at}`, 'a'));
  const nodes = [node('a', 'gone'), ...leaves, node('me', 'me'), node('best', 'a', { isBest: true })];
  const few = laidOut(nodes, false);
  expect([...few.placed.keys()]).toEqual(['a', 'me', 'best']);
  expect(few.placed.get('a')?.folded).toBe(foldedFrom);
  expect(few.hidden).toBe(foldedFrom);
  expect(laidOut(nodes, true).hidden).toBe(0);
});
