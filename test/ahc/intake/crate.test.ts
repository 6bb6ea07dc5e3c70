/** What a crate of tools is, read from its files; and what it depends on, brought by a real cargo without a network. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dialogueOf, inspectCrate, manifestIn } from '../../../src/apps/ahc/intake/crates.ts';
import { namedContest, refuseOtherSite } from '../../../src/apps/ahc/intake/site-source.ts';
import { fileNameOf } from '../../../src/apps/ahc/intake/source.ts';
import { strangeSources, vendorCrates } from '../../../src/apps/ahc/intake/vendor.ts';
import { chooseSandbox } from '../../../src/sandbox/choose.ts';
import { coded } from '../../support/coded.ts';
import { rustFolder } from '../../support/own-rust.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { newDesk } from './fixture.ts';

const folder = temporaryFolder('crate');

const filesFrom = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)]));

describe('a crate', () => {
  test('names its programs in the manifest, by its files, or by its package', () => {
    const manifest =
      '[package]\nname = "tools" # of a contest\n\n[[bin]]\nname = "gen"\npath = "gen.rs"\n[[bin]]\nname="vis"\n';
    const report = inspectCrate(
      filesFrom({
        'Cargo.toml': manifest,
        'src/main.rs': '',
        'src/bin/tester/main.rs': '',
        'src/bin/score.rs': '',
      }),
    );
    expect(report.binaries).toEqual(['gen', 'score', 'tester', 'tools', 'vis']);
    expect(report).toMatchObject({
      generator: 'gen',
      judge: 'score',
      tester: null,
      needsCrates: false,
      isVendored: false,
    });
    expect(dialogueOf(report)).toBeNull();
  });

  test('whose tester starts a program is that of an interactive contest', () => {
    for (const source of [
      'use std::process::{Command, Stdio};',
      'std::process::Command::new(x)',
      'Command::new(&args[1])',
    ]) {
      const report = inspectCrate(filesFrom({ 'Cargo.toml': '', 'src/bin/tester.rs': source }));
      expect(report.tester).toBe('tester');
      expect(dialogueOf(report)).toMatchObject({ value: true, because: expect.stringContaining('tester') });
    }
    expect(
      inspectCrate(filesFrom({ 'Cargo.toml': '', 'src/bin/tester.rs': 'fn main() {}' })).tester,
    ).toBeNull();
  });

  test.each([
    ['[dependencies]\n', false],
    ['[dependencies]\n# rand = "0.8"\n', false],
    ['[dependencies]\nrand = "0.8"\n', true],
    ['[dependencies.rand]\nversion = "0.8"\n', true],
    ['[target.\'cfg(unix)\'.dependencies]\nlibc = "1"\n', true],
    ['[build-dependencies]\ncc = "1"\n', true],
    ['[dev-dependencies]\nx = "1"\n[profile.release]\ndebug = true\n', false],
  ])('with %j needs others: %s', (manifest, needs) => {
    expect(inspectCrate(filesFrom({ 'Cargo.toml': manifest })).needsCrates).toBe(needs);
  });
});

test('a lockfile that names other sources than the usual one is noticed', () => {
  const lock = (source: string) =>
    new TextEncoder().encode(`[[package]]\nname = "x"\nsource = "${source}"\n`);
  const strange = 'git+https://evil.example/x#1';
  expect(strangeSources(manifestIn(''), lock(strange))).toEqual([strange]);
  expect(
    strangeSources(manifestIn(''), lock('registry+https://github.com/rust-lang/crates.io-index')),
  ).toEqual([]);
});

test.each([
  ['ahc030', 'ahc030'],
  ['AHC030', 'ahc030'],
  [' masters2024-qual ', 'masters2024-qual'],
  ['https://atcoder.jp/contests/ahc030/tasks/ahc030_a?lang=ja', 'ahc030'],
  ['atcoder.jp/contests/ahc030', 'ahc030'],
])('%j is the contest %s', (written, id) => {
  const contest = namedContest(written);
  expect(contest.id).toBe(id);
  expect(() => refuseOtherSite(contest, 'https://atcoder.jp')).not.toThrow();
});

test.each([
  ['https://other.example/contests/ahc030', 'https://atcoder.jp'],
  ['other.example/contests/ahc030', 'https://atcoder.jp'],
  ['https://atcoder.jp/contests/ahc030', 'http://127.0.0.1:80'],
])('%j is not asked of %s', (written, origin) => {
  const contest = namedContest(written);
  expect(() => refuseOtherSite(contest, origin)).toThrow(coded('contest-address-unknown'));
});

test.each([
  ['https://img.atcoder.jp/ahc030/a%20b.png?x=1', 'a_b.png'],
  ['../../etc/passwd', 'passwd'],
  ['https://x/..', null],
  ['https://x/%2e%2e', null],
  ['https://x/', null],
  ['%E0%A4%A', '_E0_A4_A'],
  ['.hidden.png', 'hidden.png'],
  ['x.tmp', null],
])('%j is kept as %j', (address, name) => {
  expect(fileNameOf(address)).toBe(name);
});

describe('what a crate depends on', () => {
  const registry = join(folder, 'registry');
  beforeAll(() => {
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(registry, 'tally-1.0.0', name)), { recursive: true });
      writeFileSync(join(registry, 'tally-1.0.0', name), text);
    };
    put('Cargo.toml', '[package]\nname = "tally"\nversion = "1.0.0"\nedition = "2021"\n');
    put('src/lib.rs', 'pub fn square(n: u32) -> u32 { n * n }\n');
    put('.cargo-checksum.json', JSON.stringify({ files: {}, package: '0'.repeat(64) }));
  });
  const signal = new AbortController().signal;

  /** A user whose cargo takes crates from a folder of one crate, as from a mirror. */
  function userOf(name: string) {
    const home = join(folder, name);
    mkdirSync(join(home, '.cargo'), { recursive: true });
    writeFileSync(
      join(home, '.cargo', 'config.toml'),
      `[source.crates-io]\nreplace-with = "here"\n[source.here]\ndirectory = "${registry}"\n`,
    );
    return { HOME: home, PATH: `${rustFolder}:/usr/bin:/bin` };
  }

  function crateThat(env: Record<string, string>) {
    const place = join(folder, 'crate');
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), text);
    };
    put(
      'Cargo.toml',
      '[package]\nname = "t"\nversion = "0.1.0"\nedition = "2021"\nbuild = "build.rs"\n\n[[bin]]\nname = "gen"\n\n[dependencies]\ntally = "1"\n',
    );
    put('build.rs', `fn main() { std::fs::write("${join(folder, 'ran')}", "x").ok(); }\n`);
    put('.cargo/config.toml', '[build]\nrustc = "/bin/false"\n');
    put(
      'src/bin/gen.rs',
      'fn main() { std::fs::create_dir_all("in").unwrap(); let s = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();\n for (i, l) in s.lines().enumerate() { std::fs::write(format!("in/{:04}.txt", i), format!("{}\\n", tally::square(l.parse().unwrap()))).unwrap(); } }\n',
    );
    put('seeds.txt', '7\n8\n');
    execFileSync(join(rustFolder, 'cargo'), ['generate-lockfile', '--offline'], {
      cwd: place,
      env,
      stdio: 'pipe',
    });
    rmSync(join(place, '.cargo'), { recursive: true });
    return place;
  }

  test('is fetched by its lockfile, vendored, and built without a network; nothing of the crate is run outside', async () => {
    const env = userOf('me');
    const place = crateThat(env);
    const desk = newDesk();
    Object.assign(desk.env, { PATH: env.PATH, CARGO_HOME: join(env.HOME, '.cargo') });
    const sandbox = chooseSandbox();
    const report = await desk.init('ahc007', { from: [place], sandbox, confirm: async () => true });
    expect(
      report.troubles.filter(({ isUnfinished }) => isUnfinished).map(({ what, why }) => `${what} ${why}`),
    ).toEqual([
      'There is no page of the task among what --from names: the workspace has no statement. undefined',
    ]);
    expect(report.inputs).toMatchObject({ count: 2, how: 'generated' });
    expect(desk.read('ahc007', 'tools/tester/in/0001.txt')).toBe('64\n');
    expect(desk.has('ahc007', 'tools/tester/vendor/tally-1.0.0/src/lib.rs')).toBe(true);
    expect(() => readFileSync(join(folder, 'ran'))).toThrow();
    // `cargo vendor` deletes the folder that crates are taken from.
    expect(readFileSync(join(registry, 'tally-1.0.0/src/lib.rs'), 'utf8')).toContain('square');
    // What a kill broke off is gone on with, and a folder `vendor` of other crates is added to.
    const vendored = desk.place('ahc007', 'tools/tester/vendor/tally-1.0.0');
    rmSync(join(vendored, 'src/lib.rs'));
    expect((await desk.init('ahc007', { from: [place], sandbox })).isBuilt).toBe(true);
    renameSync(vendored, vendored.replace('1.0.0', '0.9.0'));
    writeFileSync(
      vendored.replace('1.0.0', '0.9.0/Cargo.toml'),
      '[package]\nname = "tally"\nversion = "0.9.0"\n',
    );
    expect((await desk.init('ahc007', { from: [place], sandbox })).isBuilt).toBe(true);
  });

  test('is told when it cannot be had: no cargo, nothing of that version, a stranger among the sources', async () => {
    const text = (string: string) => new TextEncoder().encode(string);
    const crate = {
      manifest: text('[package]\nname = "t"\nversion = "0.1.0"\n[dependencies]\nnowhere = "1"\n'),
      inner: {},
      lock: text('version = 3\n'),
      sources: [],
    };
    expect(await vendorCrates({ PATH: '/nowhere' })(crate, signal)).toEqual({
      files: null,
      why: 'There is no cargo on the PATH.',
      isTried: false,
    });
    const failed = await vendorCrates(userOf('other'))(crate, signal);
    expect(failed).toMatchObject({ files: null, why: expect.stringMatching(/^cargo fetch said: .*nowhere/) });
    const broken = join(folder, 'bin');
    mkdirSync(broken);
    writeFileSync(join(broken, 'cargo'), '#!/nowhere/sh\n');
    chmodSync(join(broken, 'cargo'), 0o755);
    expect(await vendorCrates({ PATH: broken })(crate, signal)).toMatchObject({
      files: null,
      why: expect.stringContaining('ENOENT'),
    });
    await expect(
      vendorCrates(userOf('third'))(crate, AbortSignal.abort(new Error('enough'))),
    ).rejects.toThrow('enough');

    const desk = newDesk();
    const place = join(folder, 'strange');
    mkdirSync(join(place, 'src/bin'), { recursive: true });
    writeFileSync(join(place, 'Cargo.toml'), crate.manifest);
    writeFileSync(join(place, 'Cargo.lock'), 'source = "git+https://evil.example/x"\n');
    writeFileSync(join(place, 'src/bin/gen.rs'), 'fn main() {}\n');
    const { troubles } = await desk.init('ahc008', { from: [place], confirm: async () => true });
    expect(troubles.map(({ what, why }) => `${what} ${why}`).join()).toContain(
      'They come from elsewhere than usual: git+https://evil.example/x',
    );
  });

  test('a crate in a folder of the tools brings what it depends on', async () => {
    const write = (name: string, files: Record<string, string>) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name, path)), { recursive: true });
        writeFileSync(join(folder, name, path), text);
      }
      return join(folder, name);
    };
    const manifest = (name: string, wanted: string) =>
      `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2018"\n[dependencies]\n${wanted}\n`;
    const gen =
      'fn main() { std::fs::create_dir_all("in").unwrap(); std::fs::write("in/0000.txt", shared::four()).unwrap(); }\n';
    const inside = write('inside', {
      'Cargo.toml': manifest('tools', 'shared = { path = "shared" }'),
      'src/bin/gen.rs': gen,
      'shared/Cargo.toml': manifest('shared', 'tally = "1.0.0"'),
      'shared/src/lib.rs': 'pub fn four() -> String { tally::square(2).to_string() }\n',
      'seeds.txt': '1\n',
    });
    const desk = newDesk();
    const env = userOf('inside-user');
    Object.assign(desk.env, { PATH: env.PATH, CARGO_HOME: join(env.HOME, '.cargo') });
    const sandbox = chooseSandbox();
    const vendor = vendorCrates(desk.env, registry);
    const report = await desk.init('ahc047', { from: [inside], sandbox, vendor, confirm: async () => true });
    expect(report.isBuilt).toBe(true);
    expect(desk.read('ahc047', 'tools/tester/in/0000.txt')).toBe('4');
  });

  /** As those of 2023 and later are, but for the names of what they depend on. */
  function officialCrate(name: string, wanted: string) {
    const place = join(folder, name);
    const files = {
      'Cargo.toml': `[package]\nname = "tools"\nversion = "0.1.0"\nedition = "2021"\nrust-version = "1.70"\n\n[dependencies]\n${wanted}\n\n[dev-dependencies]\nnowhere = "1"\n`,
      'src/lib.rs': `use std::sync::OnceLock;
static BASE: OnceLock<u32> = OnceLock::new();
pub fn made(line: &str) -> String {
    let Ok(n) = line.trim().parse::<u32>() else { return String::new() };
    if Some(n).is_some_and(|n| n > 9) { return "big\\n".into() }
    format!("{}\\n", *BASE.get_or_init(|| 100) + tally::square(n))
}
`,
      'src/bin/gen.rs':
        'fn main() { std::fs::create_dir_all("in").unwrap(); let s = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();\n for (i, l) in s.lines().enumerate() { std::fs::write(format!("in/{:04}.txt", i), tools::made(l)).unwrap(); } }\n',
      'seeds.txt': '7\n8\n',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), text);
    }
    return place;
  }

  test('tools as the official ones are, without a lockfile, build from crates at other versions, and this is told', async () => {
    const place = officialCrate('official', 'tally = { version = "=1.2.5", features = [] }');
    const desk = newDesk();
    // Where there is no network, nothing but the folder of the system is there: here that of its user's mirror.
    const env = userOf('official-user');
    Object.assign(desk.env, { PATH: env.PATH, CARGO_HOME: join(env.HOME, '.cargo') });
    const sandbox = chooseSandbox();
    const { toolchains } = await sandbox.info();
    const rustc = toolchains.find(({ language }) => language === 'rust')?.version ?? '';
    const vendor = vendorCrates(desk.env, registry);
    const report = await desk.init('ahc046', { from: [place], sandbox, vendor, confirm: async () => true });
    const told = report.troubles.map(({ what, why }) => `${what} ${why}`).join('\n');
    expect(told).toContain('built with other crates than they name: tally 1.0.0 for 1.2.5.');
    expect(readFileSync(join(place, 'Cargo.toml'), 'utf8')).toBe(
      desk.read('ahc046', 'tools/tester/Cargo.toml'),
    );
    // Debian 12's own is too old for them, and says so.
    if (/ 1\.[0-6]\d\./.test(rustc)) return expect(told).toContain('want a newer Rust');
    expect(report).toMatchObject({ isBuilt: true, inputs: { count: 2, how: 'generated' } });
    expect(desk.read('ahc046', 'tools/tester/in/0001.txt')).toBe('164\n');
    // What was brought is whole: another init asks for nothing.
    desk.progress.length = 0;
    expect((await desk.init('ahc046', { from: [place], sandbox, vendor })).isBuilt).toBe(true);
    expect(desk.progress.join()).not.toContain('fetching');
    // What is fetched into vendor/ may be moved away, and the official manifest holds again.
    rmSync(desk.place('ahc046', 'tools/tester/vendor'), { recursive: true });
    const CARGO_HOME = join(folder, 'no-config');
    const none = vendorCrates({ ...desk.env, CARGO_HOME, CARGO_NET_OFFLINE: 'true' }, '/nowhere');
    const again = await desk.init('ahc046', { from: [place], sandbox, vendor: none });
    expect(again.isBuilt).toBe(false);
    const why = again.troubles.find(({ what }) => what.includes('neither to be fetched'))?.why;
    expect(why).toContain('Not on this machine: tally.');
  });
});

describe('the Rust that tools want', () => {
  const manifest = (more: string) => `[package]\nname = "tools"\nedition = "2021"\n${more}\n`;

  test('where it is too old, nothing is built, and what to type is said', async () => {
    const desk = newDesk();
    const place = join(folder, 'too-new');
    mkdirSync(join(place, 'src/bin'), { recursive: true });
    writeFileSync(join(place, 'Cargo.toml'), manifest('rust-version = "1.999"'));
    writeFileSync(join(place, 'src/bin/gen.rs'), 'fn main() {}\n');
    const sandbox = chooseSandbox();
    const { troubles, isBuilt } = await desk.init('ahc045', {
      from: [place],
      sandbox,
      confirm: async () => true,
    });
    expect(isBuilt).toBe(false);
    expect(troubles.map(({ why }) => why).join()).toMatch(
      /1\.999[\s\S]*newer Rust[\s\S]*rustup update stable/,
    );
  });
});
