/** Archives of strangers: what may be unpacked comes out whole, and everything else not at all. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { gzipSync, type Zippable, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { refuseBombs, refuseCollisions, safeName, unpack } from '../../../src/apps/ahc/intake/archive.ts';
import { crateIn } from '../../../src/apps/ahc/intake/crates.ts';
import { BadArchive } from '../../../src/core/folder-archive.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const text = (string: string) => new TextEncoder().encode(string);
const zipOf = (files: Zippable) => zipSync(files, { mtime: new Date('2026-01-01T00:00:00') });
const folder = temporaryFolder('archive');

const segment = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
const tree = fc
  .uniqueArray(fc.tuple(segment, segment, fc.uint8Array({ maxLength: 3_000 })), {
    selector: ([a]) => a,
    maxLength: 8,
  })
  .map((entries) => Object.fromEntries(entries.map(([a, b, bytes]) => [`${a}/${b}.txt`, bytes])));

describe('a zip', () => {
  test('comes out as it went in', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(0 as const, 6 as const), (files, level) => {
        const unpacked = unpack(zipSync(files, { level }));
        expect(Object.keys(unpacked).sort()).toEqual(Object.keys(files).sort());
        for (const [name, bytes] of Object.entries(files))
          expect(Buffer.from(unpacked[name] ?? []).equals(bytes)).toBe(true);
      }),
      { seed: 10, numRuns: 60 },
    );
  });

  test('that is damaged anywhere is refused, or its damage is where nothing is read', () => {
    const files = {
      'tools/Cargo.toml': text('[package]\n'.repeat(40)),
      'tools/seeds.txt': text('1\n2\n3\n'.repeat(30)),
    };
    const whole = zipOf(files);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = whole.slice();
        damaged[at] = (damaged[at] ?? 0) ^ change;
        const outcome = attempt(damaged);
        if (outcome instanceof BadArchive) return;
        // Names stand twice and times mean nothing here; contents never change unseen.
        const contents = Object.values(outcome).map((bytes) => Buffer.from(bytes).toString());
        for (const content of contents)
          expect(Object.values(files).map((bytes) => Buffer.from(bytes).toString())).toContain(content);
      }),
      { seed: 11, numRuns: 400 },
    );
  });

  test('that is cut anywhere is refused', () => {
    const whole = zipOf({ 'a.txt': text('hello '.repeat(100)) });
    for (let length = 0; length < whole.length; length += 1)
      expect(attempt(whole.subarray(0, length))).toBeInstanceOf(BadArchive);
  });

  test('of any bytes is refused and nothing worse', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom([0x50, 0x4b], [0x1f, 0x8b, 8, 0], []),
        (bytes, head) => {
          expect(attempt(Uint8Array.from([...head, ...bytes]))).toBeInstanceOf(BadArchive);
        },
      ),
      { seed: 12, numRuns: 300 },
    );
  });

  test.each([
    ['../evil', 'leads out of its folder'],
    ['tools/../../evil', 'leads out of its folder'],
    ['tools/./x', 'leads out of its folder'],
    ['/etc/passwd', 'an absolute name'],
    ['C:/windows', 'an absolute name'],
    ['tools\\..\\evil', 'characters that no name may hold'],
    ['tools/a\u0000b', 'characters that no name may hold'],
    ['tools/\u001b[31m', 'characters that no name may hold'],
    ['tools//x', 'empty or too long'],
    [`tools/${'x'.repeat(201)}`, 'empty or too long'],
    [`${'x/'.repeat(600)}x`, 'empty or too long'],
  ])('with the name %j is refused whole', (name, why) => {
    expect(() => unpack(zipOf({ 'tools/Cargo.toml': text('x'), [name]: text('y') }))).toThrow(why);
  });

  test.each([
    [['tools/A.rs', 'tools/a.rs'], 'would be one file'],
    [['caf\u00e9', 'cafe\u0301'], 'would be one file'],
    [['tools', 'tools/x'], 'is a file and a folder at once'],
    [['Tools', 'tools/x/y'], 'is a file and a folder at once'],
  ])('with the names %j is refused', (names, why) => {
    expect(() => refuseCollisions(names)).toThrow(why);
    expect(() => unpack(zipOf(Object.fromEntries(names.map((name) => [name, text('x')]))))).toThrow(why);
  });

  test('with one name twice is refused', () => {
    const zip = zipOf({ 'tools/aa': text('1'), 'tools/ab': text('2') });
    const twice = Buffer.from(
      Buffer.from(zip).toString('latin1').replaceAll('tools/ab', 'tools/aa'),
      'latin1',
    );
    expect(() => unpack(twice)).toThrow('would be one file');
  });

  test('with a link is refused', () => {
    const here = join(folder, 'links');
    mkdirSync(here);
    writeFileSync(join(here, 'x'), 'x');
    symlinkSync('/etc/passwd', join(here, 'link'));
    execFileSync('python3', [
      '-c',
      `import zipfile
z = zipfile.ZipFile(${JSON.stringify(join(here, 'l.zip'))}, 'w')
i = zipfile.ZipInfo('tools/link'); i.create_system = 3; i.external_attr = 0o120777 << 16
z.writestr(i, '/etc/passwd'); z.close()`,
    ]);
    expect(() => unpack(readFileSync(join(here, 'l.zip')))).toThrow('is a link or a device');
    execFileSync('tar', ['-C', here, '-czf', join(here, 'l.tgz'), 'x', 'link']);
    expect(() => unpack(readFileSync(join(here, 'l.tgz')))).toThrow('is a link or a device');
  });

  test('that is a bomb is refused before it goes off, also when it lies about its size', () => {
    const bomb = zipSync({ 'a.txt': new Uint8Array(4 * 1024 * 1024) }, { level: 1 });
    expect(() => unpack(bomb)).toThrow('times as large as itself');
    const lying = Buffer.from(bomb);
    // The size in the directory, 24 bytes behind its mark.
    lying.writeUInt32LE(10, lying.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    expect(() => unpack(lying)).toThrow('is damaged');
    expect(() => unpack(gzipSync(new Uint8Array(4 * 1024 * 1024), { level: 1 }))).toThrow(
      'times as large as itself',
    );
    expect(() => refuseBombs({ files: 20_001, bytes: 1, packed: 1 })).toThrow('more than 20000 files');
    expect(() => refuseBombs({ files: 1, bytes: 2 ** 30, packed: 2 ** 30 })).toThrow('larger than');
  });

  test('that is encrypted, of the large kind or packed in another way is told', () => {
    const zip = Buffer.from(zipOf({ 'a.txt': text('hello') }));
    const directory = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    const changed = (at: number, value: number) => {
      const copy = Buffer.from(zip);
      copy.writeUInt16LE(value, at);
      return copy;
    };
    expect(() => unpack(changed(directory + 8, 1))).toThrow('is encrypted');
    expect(() => unpack(changed(directory + 10, 14))).toThrow('packed in a way (14)');
    expect(() => unpack(changed(zip.length - 22 + 10, 0xffff))).toThrow('Zip64');
  });
});

describe('a tar.gz', () => {
  test('of the usual program comes out whole, long names included', () => {
    const here = join(folder, 'tar');
    const long = join('tools', 'deep'.repeat(20), 'er'.repeat(40));
    mkdirSync(join(here, long), { recursive: true });
    writeFileSync(join(here, long, 'x.txt'), 'long');
    writeFileSync(join(here, 'tools', 'Cargo.toml'), 'short');
    for (const format of ['gnu', 'pax', 'ustar']) {
      execFileSync('tar', ['-C', here, `--format=${format}`, '-czf', join(here, 'a.tgz'), './tools']);
      const unpacked = unpack(readFileSync(join(here, 'a.tgz')));
      expect(Object.keys(unpacked).sort(), format).toEqual([`${long}/x.txt`, 'tools/Cargo.toml'].sort());
      expect(Buffer.from(unpacked['tools/Cargo.toml'] ?? []).toString()).toBe('short');
    }
    const whole = readFileSync(join(here, 'a.tgz'));
    for (const length of [1, 20, whole.length >> 1, whole.length - 9, whole.length - 1]) {
      expect(attempt(whole.subarray(0, length)), String(length)).toBeInstanceOf(BadArchive);
    }
  });

  test('that leads out is refused', () => {
    const here = join(folder, 'out');
    mkdirSync(join(here, 'in'), { recursive: true });
    writeFileSync(join(here, 'evil'), 'x');
    execFileSync('tar', ['-C', join(here, 'in'), '-P', '-czf', join(here, 'a.tgz'), '../evil']);
    expect(() => unpack(readFileSync(join(here, 'a.tgz')))).toThrow('leads out of its folder');
  });

  test('whose header is damaged is refused', () => {
    const tar = new Uint8Array(1536);
    tar.set(text('name'));
    tar.set(text('99999999'), 124);
    expect(() => unpack(gzipSync(tar))).toThrow('A header of the tar is damaged');
    expect(() => unpack(gzipSync(new Uint8Array(100)))).toThrow('It is cut off');
  });
});

test('what is no archive is named', () => {
  expect(() => unpack(text('<!DOCTYPE html><html>'))).toThrow('It is a web page, no archive.');
  expect(() => unpack(text('hello'))).toThrow('neither zip nor tar.gz');
  expect(safeName('././tools/x')).toBe('tools/x');
});

test('the crate is taken from where it lies, and nothing else with it', () => {
  const files = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text(name)]));
  const found = crateIn(
    files('tools/Cargo.toml', 'tools/src/lib.rs', 'tools/target/x', '__MACOSX/tools/._x', 'run.exe'),
  );
  expect(Object.keys(found)).toEqual(['Cargo.toml', 'src/lib.rs']);
  expect(Object.keys(crateIn(files('Cargo.toml', 'vendor/a/Cargo.toml')))).toContain('vendor/a/Cargo.toml');
  expect(Object.keys(crateIn(files('x/solver/Cargo.toml', 'x/tools/Cargo.toml', 'x/tools/a')))).toContain(
    'a',
  );
  expect(() => crateIn(files('readme'))).toThrow('There is no Cargo.toml in it');
});

function attempt(bytes: Uint8Array) {
  try {
    return unpack(bytes);
  } catch (error) {
    if (error instanceof BadArchive) return error;
    throw error;
  }
}
