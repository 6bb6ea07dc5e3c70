/** Lines typed at a terminal while a session tells its news, and Ctrl-C, which is no signal there. */
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Lines } from '../../../src/apps/ahc/talk/lines.ts';

function terminal() {
  const shown: string[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      shown.push(String(chunk));
      done();
    },
  });
  Object.assign(output, { isTTY: true, columns: 40, rows: 20 });
  const input = new PassThrough();
  const interrupts: number[] = [];
  const lines = new Lines(input, { output, onInterrupt: () => interrupts.push(1), tellsPastes: true });
  const type = async (keys: string) => {
    input.write(keys);
    for (let turns = 0; turns < 10; turns += 1) await turn();
  };
  return { lines, type, interrupts, output, shown, text: () => shown.join('').replaceAll('\u001b', 'ESC') };
}

test('what is told stands above the line that is being typed, which stays as it is', async () => {
  const { lines, type, output, shown, text } = terminal();
  shown.length = 0;
  lines.above(() => output.write('first news\n'));
  expect(text()).toBe('first news\n');
  lines.show('> ');
  await type('what is the weak');
  shown.length = 0;
  lines.above(() => output.write('a new best\n'));
  // The line is wiped, the news written, the line drawn again.
  expect(text()).toMatch(/^ESC\[1GESC\[0Ja new best\nESC\[1GESC\[0J> what is the weak/);
  expect(lines.next).toBeNull();
  await type('ness?\r');
  expect(lines.take()).toBe('what is the weakness?');
  // Nothing is asked now: nothing is drawn again.
  shown.length = 0;
  lines.above(() => output.write('more news\n'));
  expect(text()).toBe('more news\n');
  lines.close();
});

test('Ctrl-C is told, Ctrl-D ends the input, and an editor has the keys meanwhile', async () => {
  const { lines, type, interrupts, text } = terminal();
  lines.show('? ');
  await type('\u0003');
  expect([interrupts, lines.isOver]).toEqual([[1], false]);
  expect(await lines.lend(async () => 'edited')).toBe('edited');
  lines.show('? ');
  await type('y\r');
  expect(lines.take()).toBe('y');
  await type('\u0004');
  expect(lines.isOver).toBe(true);
  const length = text().length;
  lines.show('? ');
  expect(text()).toHaveLength(length);
});

test('rows that are pasted together are one text, sent by the new line at their end or by Enter', async () => {
  const { lines, type, shown, text } = terminal();
  // The terminal is asked to tell what is pasted.
  expect(text()).toContain('ESC[?2004h');
  lines.show('> ');
  await type('please ');
  await type('\u001b[200~try swaps\rof three\r\rlanterns\r\u001b[201~');
  expect([lines.take(), lines.next]).toEqual(['please try swaps\nof three\n\nlanterns', null]);
  lines.show('> ');
  shown.length = 0;
  await type('\u001b[200~one\rtwo\u001b[201~');
  expect(lines.next).toBeNull();
  // The row that is being typed stands at the prompt again, and what is told stands above it.
  expect(text()).toMatch(/ESC\[0J> two/);
  lines.above(() => shown.push('news\n'));
  expect(text()).toMatch(/news\n.*> two/s);
  await type(' and a half\r');
  expect(lines.take()).toBe('one\ntwo and a half');
  // A single row is as if it had been typed; keys that are typed are rows of their own.
  await type('\u001b[200~y\u001b[201~\rn\r');
  expect([lines.take(), lines.take(), lines.take()]).toEqual(['y', 'n', null]);
  await type('\u001b[200~half a\rtext\u001b[201~');
  await lines.lend(async () => expect(text()).toMatch(/ESC\[\?2004l$/));
  await type('\r');
  expect([lines.take(), lines.next]).toEqual(['', null]);
  lines.close();
  expect(text()).toMatch(/ESC\[\?2004l$/);
});
