import { describe, expect, test } from 'vitest';
import type { Event } from '../core/event.ts';
import { branchEvents, findDivergence, hasSameContent, pairsOf } from './run-difference.ts';

let seq = 0;
function note(kind: string, data: object, branch = '', index = 0): Event {
  seq += 1;
  return {
    seq,
    atMs: seq,
    branch,
    ordinal: null,
    attempt: 0,
    kind: 'note',
    body: { kind, data: { ...data }, index },
  };
}

function inbox(ordinal: number, messages: readonly string[], lastId = 0, branch = ''): Event {
  seq += 1;
  const place = { seq, atMs: seq, branch, ordinal, attempt: 0 };
  return { ...place, kind: 'inbox', body: { status: 'ok', result: { messages: [...messages], lastId } } };
}

const places = (a: readonly Event[], b: readonly Event[]) =>
  pairsOf(a, b).map(({ place, a: one, b: other }) => [place, one !== null, other !== null]);

describe('two journals, line against line', () => {
  test('a note is laid against the note of its kind, however many others stand before it', () => {
    const a = [note('plan', { way: 1 }), note('vote', { for: 'x' })];
    const b = [note('plan', { way: 1 }), note('hint', { text: 'y' }), note('vote', { for: 'x' }, '', 2)];
    expect(places(a, b)).toEqual([
      ['main#- note plan', true, true],
      ['main#- note hint', false, true],
      ['main#- note vote', true, true],
    ]);
    expect(findDivergence(a, b)).toMatchObject({ at: 'main#- note hint', a: null });
    expect(findDivergence(a, a)).toBeNull();
  });

  test('what one alone has at its beginning and at its end keeps its order', () => {
    const pair = [note('x', {}), note('y', {})];
    const b = [note('p', {}), note('q', {}), ...pair, note('r', {}), note('s', {})];
    expect(places(pair, b).map(([place]) => place)).toEqual(
      ['p', 'q', 'x', 'y', 'r', 's'].map((kind) => `main#- note ${kind}`),
    );
    expect(places(b, pair).map(([place]) => place)).toEqual(places(pair, b).map(([place]) => place));
    expect(places([], b)).toHaveLength(6);
    expect(places([], [])).toEqual([]);
  });

  test('where a mailbox was left, and what was measured, is no difference; what was told is one', () => {
    expect(hasSameContent(inbox(1, [], 0), inbox(1, [], 7))).toBe(true);
    expect(hasSameContent(inbox(1, ['Mind it.']), inbox(1, ['Mind that.']))).toBe(false);
    expect(hasSameContent(note('x', { text: 'took 12 ms' }), note('x', { text: 'took 9.5 s' }))).toBe(true);
    expect(hasSameContent(note('x', { text: '12' }), note('x', { text: 12 }))).toBe(false);
    expect(hasSameContent(note('x', { list: [1, 2] }), note('x', { list: [1, 2, 3] }))).toBe(false);
    expect(hasSameContent(note('x', { a: null }), note('x', {}))).toBe(false);
    expect(hasSameContent(note('x', { a: [] }), note('x', { a: {} }))).toBe(false);
  });

  test('a branch and what is below it are compared as if they were a run', () => {
    const events = [note('x', {}), note('x', {}, 'one'), note('y', {}, 'one/two'), note('x', {}, 'one-more')];
    expect(branchEvents(events, 'one').map(({ branch, seq: at }) => [branch, at])).toEqual([
      ['', events[1]?.seq],
      ['two', events[2]?.seq],
    ]);
    expect(branchEvents(events, '')).toBe(events);
  });
});
