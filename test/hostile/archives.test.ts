/** What others packed, through real commands: tools of contests, folders of programs, a store that a stranger made. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateSync } from 'node:zlib';
import { gzipSync, type Zippable, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { encodeFolder, type FolderEntry } from '../../src/core/folder-archive.ts';
import { chooseSandbox } from '../../src/sandbox/choose.ts';
import { newPlace, type Place, polya } from '../cli/shell.ts';
import { coded } from '../support/coded.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const mark = 'pwned-by-an-archive';
const crate = '[package]\nname = "tools"\nversion = "0.1.0"\nedition = "2021"\n';
const good = { 'tools/Cargo.toml': bytes(crate), 'tools/src/bin/gen.rs': bytes(`// ${mark}\nfn main() {}`) };

type Entry = {
  readonly name: string;
  readonly type?: string;
  readonly link?: string;
  readonly size?: number;
};

/** As strangers write them: tar says what it wants of each entry. */
function tarGz(entries: readonly Entry[], cut = 0): Uint8Array {
  const blocks = [...Object.keys(good).map((name): Entry => ({ name })), ...entries].flatMap(
    ({ name, type = '0', link = '', size }) => {
      const content = bytes(`${mark}\n${crate}`);
      const head = Buffer.alloc(512);
      head.write(name.slice(0, 100), 0, 'latin1');
      head.write('0000644\0', 100);
      const length = type === '0' ? (size ?? content.length) : 0;
      head.write(`${length.toString(8).padStart(11, '0')}\0`, 124);
      head.write(type, 156);
      head.write(link, 157);
      head.write('ustar\x0000', 257);
      head.write('        ', 148);
      const sum = head.reduce((total, byte) => total + byte, 0);
      head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
      return type === '0' ? [head, Buffer.concat([content, Buffer.alloc(512 - content.length)])] : [head];
    },
  );
  const whole = Buffer.concat([...blocks, Buffer.alloc(1024)]);
  return gzipSync(whole.subarray(0, whole.length - cut));
}

const zip = (files: Zippable) => zipSync({ ...good, ...files });
const named = (name: string) => ({ [name]: bytes(mark) });
/** fflate takes a name once, as every good packer does. */
const renamed = (archive: Uint8Array, from: string, to: string) =>
  Buffer.from(Buffer.from(archive).toString('latin1').replaceAll(from, to), 'latin1');
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`tools/${at}`, bytes('')]));

const archives: Readonly<Record<string, Uint8Array>> = {
  'up.zip': zip(named('tools/../../../../escaped')),
  'absolute.zip': zip(named('/tmp/escaped')),
  'drive.zip': zip(named('C:/escaped')),
  'backslash.zip': zip(named('tools\\..\\..\\escaped')),
  'nul.zip': zip(named('tools/a\0b')),
  'escape.zip': zip(named('tools/\u001b[2J')),
  'newline.zip': zip(named('tools/a\nb')),
  'twice.zip': renamed(zip(named('tools/Cargo.tomX')), 'tools/Cargo.tomX', 'tools/Cargo.toml'),
  'cases.zip': zip(named('tools/cargo.TOML')),
  'both.zip': zip(named('tools/src')),
  'deep.zip': zip(named(`tools/${'d/'.repeat(600)}x`)),
  'many.zip': zip(many(20_001)),
  'bomb.zip': zip({ 'tools/bomb': new Uint8Array(64 * 2 ** 20) }),
  'liar.zip': renamed(zip(named('tools/liar')), '\x13\0\0\0', '\xff\xff\xff\x7f'),
  'cut.zip': zip({}).subarray(0, -40),
  'up.tar.gz': tarGz([{ name: 'tools/../../../../escaped' }]),
  'absolute.tar.gz': tarGz([{ name: '/tmp/escaped' }]),
  'link.tar.gz': tarGz([{ name: 'tools/out', type: '2', link: '/' }, { name: 'tools/out/tmp/escaped' }]),
  'hard.tar.gz': tarGz([{ name: 'tools/out', type: '1', link: '../../../etc/passwd' }]),
  'device.tar.gz': tarGz([{ name: 'tools/sda', type: '4' }]),
  'fifo.tar.gz': tarGz([{ name: 'tools/fifo', type: '6' }]),
  'twice.tar.gz': tarGz([{ name: 'tools/Cargo.toml' }]),
  'cases.tar.gz': tarGz([{ name: 'TOOLS/cargo.toml' }]),
  'escape.tar.gz': tarGz([{ name: 'tools/\u001b]0;x\u0007' }]),
  'huge.tar.gz': tarGz([{ name: 'tools/huge', size: 8 ** 11 - 1 }]),
  'cut.tar.gz': tarGz([], 1_400),
  'bomb.tar.gz': gzipSync(new Uint8Array(64 * 2 ** 20)),
  'nested.zip': zipSync({ 'tools.zip': zip(named('../escaped')) }),
};

/** Nothing is built: what is unpacked is the question. */
const asked = ['ahc', 'init', 'ahc999', '--i-confirm-the-rules-allow-this', '--from', 'page.html', '--from'];

function placeWithPage(): Place {
  const { folder, env } = newPlace();
  const page = join(import.meta.dirname, '../../examples/contests/polya001/statement/en.html');
  copyFileSync(page, join(folder, 'page.html'));
  return {
    folder,
    env: { ...env, AHC_AGENT_SANDBOX_BACKEND: 'docker', DOCKER_HOST: 'unix:///nowhere.sock' },
  };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

describe('polya ahc init --from', () => {
  test('unpacks an archive that is whole', async () => {
    const here = placeWithPage();
    writeFileSync(join(here.folder, 'good.tar.gz'), tarGz([]));
    const told = await polya(here, [...asked, 'good.tar.gz']);
    expect(told.code, told.err).toBe(3);
    expect(filesBelow(here.folder)).toContain('workspace/ahc999/tools/tester/Cargo.toml');
  });

  test.each(Object.entries(archives))(
    '%s: nothing of it is used, and nothing is told as a defect',
    async (name, archive) => {
      const here = placeWithPage();
      writeFileSync(join(here.folder, name), archive);
      const { code, out, err } = await polya(here, [...asked, name]);
      expect([code, err]).toEqual([3, expect.not.stringContaining('defect')]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: names hold them.
      expect(`${out}${err}`).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
      const root = dirname(here.folder);
      const made = filesBelow(root).filter((path) => !path.endsWith(name));
      expect(made.filter((path) => /escaped/.test(path))).toEqual([]);
      expect(made.filter((path) => readFileSync(join(root, path), 'latin1').includes(mark))).toEqual([]);
    },
  );

  test('a folder with links gives nothing of what they lead to', async () => {
    const here = placeWithPage();
    const secret = join(dirname(here.folder), 'secret');
    mkdirSync(secret);
    writeFileSync(join(secret, 'key.txt'), mark);
    mkdirSync(join(here.folder, 'crate'));
    writeFileSync(join(here.folder, 'crate', 'Cargo.toml'), crate);
    symlinkSync(secret, join(here.folder, 'crate', 'linked'));
    symlinkSync('/', join(here.folder, 'crate', 'all'));
    symlinkSync(join(secret, 'key.txt'), join(here.folder, 'crate', 'key.rs'));
    await polya(here, [...asked, 'crate']);
    const made = filesBelow(join(here.folder, 'workspace'));
    const held = made.filter((path) =>
      readFileSync(join(here.folder, 'workspace', path), 'latin1').includes(mark),
    );
    expect(held).toEqual([]);
  });
});

describe('the folder of a program', () => {
  const file = (path: string, content = 'x'): FolderEntry => ({
    type: 'file',
    path,
    executable: false,
    bytes: bytes(content),
  });
  const sandbox = chooseSandbox();
  const listing =
    'import os\nprint(sorted(os.path.join(at, name) for at, _, names in os.walk(".") for name in names))';
  const run = (folder: Uint8Array) =>
    sandbox.exec({ language: 'python', source: listing, folder }, new AbortController().signal);

  test.each<[string, readonly FolderEntry[]]>([
    ['one name twice', [file('a', '1'), file('a', '2')]],
    ['a file that is a folder too', [file('a'), file('a/b')]],
    ['a folder that is a file too', [{ type: 'folder', path: 'a' }, file('a')]],
    ['the name of the program', [{ type: 'folder', path: 'main.py' }, file('main.py/x')]],
    ['a file without its folder', [file('a/b/c')]],
    ['names that steer', [file('a\u001b[2J'), file('b\nc'), file('-rf')]],
    ['a deep path', [file(`${'d/'.repeat(300)}x`)]],
    ['a thousand folders', Array.from({ length: 1_000 }, (_, at) => file(`f${at}/x`))],
  ])('%s: it runs, or its archive is refused', async (_name, entries) => {
    const told = await run(encodeFolder(entries)).then(
      ({ run }) => run?.verdict,
      (error: Error) => error.name,
    );
    expect(['ok', 'exit', 'UserError']).toContain(told);
  });

  test.each([1, 10, 30])('one that is cut by %d bytes is refused', async (cut) => {
    const whole = encodeFolder([file('a', 'content'), file('b', 'content')]);
    await expect(run(whole.subarray(0, -cut))).rejects.toThrow(coded('folder-archive-missing'));
  });
});

describe('the store of a stranger', () => {
  async function changed(change: (database: DatabaseSync) => void): Promise<Place> {
    const here = newPlace();
    writeFileSync(join(here.folder, 's.yaml'), 'roles:\n  solver:\n    - text: "42"\n');
    expect((await polya(here, ['ask', 'What?', '--model', 'scripted:s.yaml'])).code).toBe(0);
    const database = new DatabaseSync(join(here.folder, '.polya', 'polya.db'));
    change(database);
    database.close();
    return here;
  }

  test('the id of a run is no path: what is exported stays in its folder', async () => {
    for (const id of ['../../escaped', '/tmp/polya-escaped', '..', '.', 'a/../../escaped', '\u001b[2J']) {
      const here = await changed((database) => database.prepare('UPDATE runs SET id = ?').run(id));
      const before = filesBelow(dirname(here.folder));
      for (const argv of [
        ['export', 'last', '--format', 'files', '--out', 'out'],
        ['export', 'last', '--format', 'script', '--out', 'script.json'],
        ['show', 'last'],
      ])
        expect([0, 2, 4]).toContain((await polya(here, ['runs', ...argv])).code);
      const made = filesBelow(dirname(here.folder)).filter((path) => !before.includes(path));
      expect(
        made.filter((path) => !/^work\/(?:out\/[^/]+\/[^/]+|script\.json)$|polya\.db/.test(path)),
      ).toEqual([]);
    }
  });

  test('a text that unpacks to a gigabyte is missing, not read', async () => {
    const here = await changed((database) => {
      const bomb = deflateSync(Buffer.alloc(2 ** 30, 'a'), { level: 1 });
      database.prepare('UPDATE blobs SET data = ?').run(bomb);
    });
    const before = process.resourceUsage().maxRSS;
    for (const argv of [
      ['runs', 'show', 'last'],
      ['runs', 'replay', 'last'],
      ['store', 'check'],
    ])
      expect([0, 4]).toContain((await polya(here, argv)).code);
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(700);
  });
});
