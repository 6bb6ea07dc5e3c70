import { expect, test } from 'vitest';
import { isAbandoned, ownerLabels } from './container-options.ts';

const now = 1e12;
const ours = ownerLabels();
const dead = { ...ours, 'polya.owner': '1-1' };
const elsewhere = { ...dead, 'polya.place': 'another boot pid:[4026531836]' };
const sighting = { state: 'running', createdMs: now };

test('what is ours and alive stays; what a dead one of this place left goes, running or not', () => {
  expect(isAbandoned({ ...sighting, labels: ours }, now)).toBe(false);
  expect(isAbandoned({ ...sighting, labels: dead }, now)).toBe(true);
  expect(isAbandoned({ ...sighting, labels: dead, state: 'exited' }, now)).toBe(true);
});

test('of another place nobody knows who lives: only what ended long ago goes', () => {
  const old = { labels: elsewhere, createdMs: now - 3_600_000 };
  expect(isAbandoned({ ...old, state: 'running' }, now)).toBe(false);
  expect(isAbandoned({ ...old, state: 'exited' }, now)).toBe(true);
  expect(isAbandoned({ ...old, state: 'exited', createdMs: now - 1_000 }, now)).toBe(false);
});

test('a container without an owner is none of our business', () => {
  expect(isAbandoned({ labels: {}, state: 'exited', createdMs: 0 }, now)).toBe(false);
});
