/** Files of the user on their way to another host. */
import { expect, test } from 'vitest';
import { hashText } from '../../src/run/hash.ts';
import type { Runtime } from '../../src/run/world.ts';
import { packFiles, unpackFiles } from '../../src/studies/fleet/sent-files.ts';

const reading = (files: Record<string, string>) => async (path: string) => files[path] ?? null;

test('files are sent by their hashes, one text once for each path', async () => {
  const files = ['/s.md', '/in.txt'];
  const sent = await packFiles({ files }, reading({ '/s.md': 'Add.', '/in.txt': '1\n2\n' }));
  const [hash, other] = [hashText('Add.'), hashText('1\n2\n')];
  expect(sent).toEqual({
    files: [
      { path: '/s.md', hash },
      { path: '/in.txt', hash: other },
    ],
    texts: [
      { hash, text: 'Add.' },
      { hash: other, text: '1\n2\n' },
    ],
  });
  expect(await packFiles({}, reading({}))).toEqual({ files: [], texts: [] });
});

const mebibyte = 2 ** 20;

test.each<readonly [name: string, path: string, text: string | undefined, why: string]>([
  ['one that is gone', '/gone', undefined, 'its file /gone is gone'],
  [
    'more than travels',
    '/large',
    'é'.repeat(8 * mebibyte + 1),
    'larger than the 16 MiB that travel (with /large)',
  ],
  ['the value of a secret', '/in.txt', 'x sk-secret y', 'its file /in.txt holds the value of a secret'],
  ...['/p/.env', '/p/.env.local', '/p/.envrc', '/p/prod.env', '/p/id_ed25519', '/p/tls.pem', '/h/.netrc'].map(
    (path) => ['a file for secrets', path, 'x', `its file ${path} is named like one with secrets`] as const,
  ),
])('what is not sent: %s (%s)', async (_name, path, text, why) => {
  const files = text === undefined ? {} : { [path]: text };
  const redact = (said: string) => said.replace('sk-secret', '…');
  expect(await packFiles({ files: [path] }, reading(files), redact)).toContain(why);
});

test('a link to a file for secrets is not sent', async () => {
  const real = async () => '/home/me/.env';
  const why = await packFiles({ files: ['/day.md'] }, reading({ '/day.md': 'X=1' }), (text) => text, real);
  expect(why).toContain('its file /day.md is named like one with secrets');
});

test('16 MiB are sent', async () => {
  expect(await packFiles({ files: ['/a'] }, reading({ '/a': 'x'.repeat(16 * mebibyte) }))).toBeTypeOf(
    'object',
  );
});

function hostWith(texts: Record<string, string>) {
  const kept = new Map<string, string>();
  let asked = 0;
  const blobs = async ([hash = '']: readonly string[]) => {
    asked += 1;
    return new Map(Object.entries(texts).filter(([name]) => name === hash));
  };
  const files = {
    read: async (path: string) => kept.get(path) ?? null,
    write: async (path: string, text: string) => void kept.set(path, text),
  };
  const world = { store: { blobs }, io: { files } } as unknown as Runtime;
  return { world, kept, asked: () => asked };
}

test('a host fetches a text once, reads no path of its own, and takes nothing that has another hash', async () => {
  const hash = hashText('1\n2\n');
  const sent = [{ path: '/in.txt', hash }];
  const host = hostWith({ [hash]: '1\n2\n' });
  for (const _again of [1, 2]) {
    const { io } = await unpackFiles(host.world, sent);
    expect(await io.userFile?.('/in.txt')).toBe('1\n2\n');
    expect(await io.userFile?.('/etc/hostname')).toBeNull();
  }
  expect(host.asked()).toBe(1);
  const [name = ''] = host.kept.keys();
  host.kept.set(name, 'edited in the cache');
  expect(await (await unpackFiles(host.world, sent)).io.userFile?.('/in.txt')).toBe('1\n2\n');
  expect(host.asked()).toBe(2);
  await expect(unpackFiles(hostWith({}).world, sent)).rejects.toThrow('/in.txt is not in the store');
  await expect(unpackFiles(hostWith({ [hash]: 'forged' }).world, sent)).rejects.toThrow('not in the store');
  expect((await unpackFiles(host.world, [])).io.userFile).toBeUndefined();
});
