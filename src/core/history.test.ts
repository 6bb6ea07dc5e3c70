import { describe, expect, test } from 'vitest';
import { cancelled, header, linesOf, ok, type Said, unavailable } from '../../test/support/script-events.ts';
import type { RunEnd } from './event.ts';
import { Damaged, History, isReopenable, positionKey } from './history.ts';

const start: Said = ['', 'run-start', header];
const ended = (outcome: RunEnd['outcome'], more: object = {}): Said => ['', 'run-end', { outcome, ...more }];
const keysOf = (history: History): string[] => history.settlements().map(positionKey);

describe('a history', () => {
  test('knows what was asked, what came of it and in which order it is delivered', () => {
    const history = new History(
      linesOf([
        start,
        ['a#1', 'model-request'],
        ['b#1', 'tool-call', { name: 't', args: { n: 1 } }],
        ['b#1', 'tool-result', ok()],
        ['#1', 'clock', ok(5)],
        ['a#1', 'model-response', ok()],
        ['', 'note', {}],
        ['b#2', 'check-start'],
      ]),
    );
    expect(keysOf(history)).toEqual(['b#1.0', '#1.0', 'a#1.0']);
    expect(history.effects().map(({ effect }) => effect)).toEqual(['model', 'tool', 'clock', 'check']);
    expect(history.at('b#2.0')).toMatchObject({ effect: 'check', settlement: null, stage: 'one', seq: 8 });
    expect(history.at('#1.0')?.asked).toBeNull();
    expect([history.notesOf(''), history.notesOf('a')]).toEqual([1, 0]);
    const [tool, , model] = history.settlements();
    expect(tool && history.requestOf(tool)).toEqual({ request: { name: 't', args: { n: 1 } }, stage: 'one' });
    expect(model && history.requestOf(model)).toBeNull();
    expect([history.lastSeq, history.aliveMs]).toEqual([8, 7_000]);
  });

  test('follows the stages', () => {
    const history = new History(
      linesOf([
        start,
        ['#1', 'tool-call'],
        ['#1', 'tool-result', ok()],
        ['', 'stage-end', { stage: 'one' }],
        ['', 'stage-start', { stage: 'two' }],
        ['#2', 'tool-call'],
      ]),
    );
    expect(history.stages).toEqual({ done: ['one'], open: 'two' });
    expect(['#1.0', '#2.0'].map((key) => history.at(key)?.stage)).toEqual(['one', 'two']);
  });

  test('does not count the time between two lives', () => {
    const lines = linesOf([
      start,
      ['#1', 'clock', ok(1)],
      ['', 'run-resume', { aliveMs: 1_000 }],
      ['#2', 'clock', ok(1)],
    ]);
    expect(new History(lines).aliveMs).toBe(2_000);
  });

  test.each<[string, Said[]]>([
    ['settles what nobody asked for', [['#1', 'tool-result', ok()]]],
    [
      'settles twice',
      [
        ['#1', 'tool-call'],
        ['#1', 'tool-result', ok()],
        ['#1', 'tool-result', ok()],
      ],
    ],
  ])('is damaged where a line %s', (_what, said) => {
    const lines = linesOf([start, ...said]);
    expect(() => new History(lines)).toThrow(Damaged);
    expect(() => new History(lines)).toThrow(/^it settles main#1/);
  });
});

describe('a run that was interrupted', () => {
  const life: Said[] = [
    start,
    ['#1', 'tool-call'],
    ['#1', 'tool-result', unavailable],
    ['a#1', 'model-request'],
    ['b#1', 'model-request'],
    ['a#1', 'model-response', cancelled('end')],
    ['b#1', 'model-response', cancelled('branch')],
  ];

  test('asks again for what its stop broke off, and for no more', () => {
    for (const lines of [
      linesOf([...life, ended('cancelled')]),
      linesOf([...life, ended('cancelled'), ['', 'run-resume']]),
    ]) {
      const history = new History(lines);
      history.reopen();
      expect(history.end).toBeNull();
      expect(keysOf(history)).toEqual(['#1.0', 'b#1.0']);
      expect(history.at('a#1.0')).toMatchObject({ settlement: null });
    }
  });

  test('asks again for what was wanting at its end, and not for what its agent had lived with', () => {
    const again = [{ branch: 'a', ordinal: 2, attempt: 1 }];
    const wanting: Said[] = [
      ...life,
      ['a#2.1', 'exec-start'],
      ['a#2.1', 'exec-end', unavailable],
      ended('error', { error: { unavailable: true }, again }),
      ['', 'run-resume'],
    ];
    const history = new History(linesOf(wanting));
    expect(keysOf(history)).toEqual(['#1.0', 'b#1.0']);
    expect(history.at('a#2.1')?.settlement).toBeNull();
    const settled = new History(linesOf([...wanting, ['a#2.1', 'exec-end', ok()]]));
    expect(keysOf(settled)).toEqual(['#1.0', 'b#1.0', 'a#2.1']);
  });

  test('stays as it is where it ended by itself, or was killed', () => {
    for (const lines of [linesOf([...life, ended('wrong'), ['', 'run-resume']]), linesOf(life)]) {
      const history = new History(lines);
      history.reopen();
      expect(keysOf(history)).toEqual(['#1.0', 'a#1.0', 'b#1.0']);
    }
  });

  test('may note again what it noted about the end', () => {
    const history = new History(
      linesOf([
        start,
        ['', 'note'],
        ['a', 'note'],
        ['c', 'note'],
        ...life.slice(3),
        ['', 'note'],
        ['a', 'note'],
        ['c', 'note'],
        ended('cancelled'),
        ['', 'run-resume'],
      ]),
    );
    expect(['', 'a', 'c'].map((branch) => history.notesOf(branch))).toEqual([1, 1, 2]);
  });

  test('that a shared budget cut short is one that was never refused', () => {
    const refused = { status: 'refused', limit: 'costUsd', max: 1, shared: true };
    const cut: Said[] = [
      start,
      ['a#1', 'model-request'],
      ['b#1', 'tool-call', { name: 't', args: {} }],
      ['c#1', 'model-request'],
      ['d#1', 'exec-start'],
      ['', 'note'],
      ['a#1', 'model-response', ok()],
      ['a#2', 'model-request'],
      ['a#2', 'model-response', refused],
      ['c#1', 'model-response', cancelled('branch')],
      ['', 'note'],
      ['b#1', 'tool-result', ok()],
      ['b#2', 'model-request'],
      ['b#2', 'model-response', refused],
      ['d#1', 'exec-end', cancelled('end')],
      ['#1', 'grade-start'],
      ['#1', 'grade-end', ok()],
      ended('limit', { limit: 'costUsd', cutShort: true }),
    ];
    const history = new History(linesOf([...cut, ['', 'run-resume']]));
    expect(history.end).toBeNull();
    expect(keysOf(history), 'what was asked before is kept, also where it came later').toEqual([
      'a#1.0',
      'b#1.0',
    ]);
    const open = history.effects().filter(({ settlement }) => settlement === null);
    expect(
      open.map(({ position }) => position.branch),
      'broken off with the run, and asked for again as it was',
    ).toEqual(['d']);
    expect(history.lost().map(({ position }) => position.branch)).toEqual(['c']);
    expect(history.notesOf('')).toBe(1);
    const again: Said[] = [
      ['', 'run-resume'],
      ['a#2', 'model-request'],
      ['a#2', 'model-response', ok()],
    ];
    expect(keysOf(new History(linesOf([...cut, ...again])))).toEqual(['a#1.0', 'b#1.0', 'a#2.0']);
  });

  test('may be gone on with', () => {
    expect(isReopenable({ outcome: 'limit', cutShort: true })).toBe(true);
    expect(isReopenable({ outcome: 'cancelled' })).toBe(true);
    const error = { name: 'x', message: '' };
    expect(isReopenable({ outcome: 'error', error: { ...error, unavailable: true } })).toBe(true);
    expect(isReopenable({ outcome: 'error', error })).toBe(false);
    expect(isReopenable({ outcome: 'limit' })).toBe(false);
  });
});

describe('a fork', () => {
  const refused = { status: 'refused', limit: 'tokens', max: 1 };
  const life: Said[] = [
    start,
    ['#1', 'model-request'],
    ['#1', 'model-response', ok()],
    ['a#1', 'model-request'],
    ['a#1', 'model-response', cancelled('branch')],
    ['b#1', 'model-request'],
    ['b#1', 'model-response', cancelled('end')],
    ['c#1', 'model-request'],
    ['c#1', 'model-response', refused],
    ['d#1', 'model-request'],
    ['d#1', 'model-response', cancelled('limit')],
    ['e#1', 'model-request'],
    ['e#1', 'model-response', unavailable],
    ['f#1', 'model-request'],
  ];

  test('has limits of its own, and begins no effect of its parent again', () => {
    const history = new History(linesOf([...life, ['', 'run-fork', { ...header, seed: 'forked' }]]));
    expect(history.effects().map(({ position }) => position.branch)).toEqual(['', 'a', 'e']);
    expect(keysOf(history)).toEqual(['#1.0', 'a#1.0', 'e#1.0']);
    expect(history.header?.seed).toBe('forked');
  });

  test('of a run that ended for want of something asks again for that', () => {
    const fork = { run: 'run', seq: 14, again: [{ branch: 'e', ordinal: 1, attempt: 0 }] };
    const history = new History(linesOf([...life, ['', 'run-fork', { ...header, fork }]]));
    expect(keysOf(history)).toEqual(['#1.0', 'a#1.0']);
  });
});
