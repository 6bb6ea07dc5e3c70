/** What is confirmed, put into an editor: emptied, removed, spoilt, mended; nothing that was written is lost. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Attendance } from '../../../src/apps/ahc/talk/commands.ts';
import type { Confirmation } from '../../../src/apps/ahc/talk/confirmation.ts';
import { confirmed } from '../../../src/apps/ahc/talk/confirmation.ts';
import { Lines } from '../../../src/apps/ahc/talk/lines.ts';
import { noPaint } from '../../../src/text/paint.ts';
import { newPlace } from '../../cli/shell.ts';

const analysis: Confirmation = { confirm: 'analysis', value: { title: 'Vans' }, seq: 7 };

type Around = { readonly editor?: Record<string, string>; readonly isElsewhere?: boolean };

/** Types the lines, with an editor that does each of these in turn. Tells what was sent, shown and opened. */
async function talk(
  typed: readonly string[],
  edits: readonly ((path: string, text: string) => unknown)[],
  asked: readonly Confirmation[] = [analysis],
  { editor = { EDITOR: 'edit' }, isElsewhere = false }: Around = {},
) {
  const { folder } = newPlace();
  const told: string[] = [];
  const opened: string[] = [];
  const sent: string[] = [];
  const output = {
    isTerminal: false,
    columns: 100,
    paint: noPaint,
    write: (text: string) => told.push(text),
  };
  const turns = [...edits];
  const now = { asked: asked[0] };
  const isAskedNow = () => {
    const question = JSON.stringify(now.asked);
    const event = { kind: 'ask', seq: isElsewhere ? 99 : now.asked?.seq, body: { question } };
    return { state: { run: { open: [{ event }] } } };
  };
  const spawn = async ([, , , , path = '']: readonly string[]) => {
    const text = readFileSync(path, 'utf8');
    opened.push(text);
    return Number(turns.shift()?.(path, text) ?? 0);
  };
  const shell = { env: editor, out: output, err: output, spawn };
  const lines = new Lines(Readable.from([Buffer.from(typed.map((line) => `${line}\n`).join(''))]));
  const here = {
    ...{
      shell,
      lines,
      leaving: new AbortController(),
      place: { folder: { path: folder } },
      drafts: new Map(),
    },
    seeNow: async () => isAskedNow(),
    store: { post: async (_: string, { text }: { text: string }) => sent.push(text) },
  } as unknown as Attendance;
  for (const each of asked) {
    now.asked = each;
    await confirmed(here, { row: { id: 'r' } } as never, each);
  }
  lines.close();
  return { sent, opened, told: told.join('') };
}

const write =
  (text: string) =>
  (path: string): void =>
    writeFileSync(path, text);

test('a file that was emptied, removed or is no text confirms nothing', async () => {
  const { sent, told } = await talk(
    ['e', 'e', 'e', 'e', 'n bad'],
    [write(' \n'), (path) => rmSync(path), write('\0\u0001'), () => 3],
  );
  expect(sent).toEqual(['{"reject":"bad"}']);
  for (const words of [
    'The file was empty',
    'is gone, or cannot be read',
    'is no text any more',
    'ended with 3',
  ])
    expect(told).toContain(words);
});

test('what is no JSON is told, and opened again as it was written', async () => {
  const { sent, opened, told } = await talk(
    ['e', 'e'],
    [write('{"title": "Vans}'), write('{"title": "Vans!"}')],
  );
  expect(opened[1]).toBe('{"title": "Vans}');
  expect(told).toContain('it is no JSON');
  expect(sent).toEqual(['{"title":"Vans!"}']);
});

test('what the session could not take is opened again as it was written', async () => {
  const again = { ...analysis, seq: 9, trouble: 'title is missing' };
  const { opened } = await talk(
    ['e', 'e', 'e'],
    [write('{"titel": "Vans"}'), write('{"title": "V"}'), write('{"title": "W"}')],
    [analysis, again, { ...analysis, seq: 11 }],
  );
  expect(opened.map((text) => JSON.parse(text))).toEqual([
    { title: 'Vans' },
    { titel: 'Vans' },
    { title: 'Vans' },
  ]);
});

test('without an editor the file is named, and Enter reads it back', async () => {
  const { sent, told } = await talk(['e', '', 'y'], [], [analysis], { editor: {} });
  expect(told).toMatch(/Neither VISUAL nor EDITOR is set\. Edit .*analysis-7\.json, then press Enter here/);
  expect([sent, told]).toEqual([['yes'], expect.stringContaining('It is as it was.')]);
});

test('what was answered from another terminal meanwhile is not answered twice', async () => {
  const { sent, told } = await talk(['y'], [], [analysis], { isElsewhere: true });
  expect([sent, told]).toEqual([[], expect.stringContaining('It was answered elsewhere meanwhile')]);
});

test.each([
  ['はい。', 'yes'],
  ['いいえ。入力は最大 50 です', '{"reject":"入力は最大 50 です"}'],
])('a reply in Japanese may have a full stop: %s', async (typed, answer) => {
  expect((await talk([typed], [])).sent).toEqual([answer]);
});
