/** `polya exec`: programs by hand, in the real sandbox. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { processesWith, uniqueMarker } from '../sandbox/hostile/host-processes.ts';
import { typed } from '../support/typed.ts';
import { until } from '../support/until.ts';
import { start } from './process.ts';
import { execShape } from './schemas.ts';
import { day1, newPlace, type Place, polya, solvingScript } from './shell.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

function placeWith(files: Files): Place {
  const place = newPlace();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(place.folder, name, '..'), { recursive: true });
    writeFileSync(join(place.folder, name), content);
  }
  return place;
}

const echo = 'import sys\nfor line in sys.stdin: print(line, end="")';

describe('one program', () => {
  test('its output is on stdout, how it ended on stderr, and no journal is written', async () => {
    const place = placeWith({
      'a.py': 'import sys\nprint(input())\nprint("note", file=sys.stderr)',
      'in.txt': '42\n',
    });
    const { code, out, err } = await polya(place, ['exec', 'a.py', '--stdin', 'in.txt']);
    expect([code, out]).toEqual([0, '42\n']);
    expect(err).toMatch(/^note\nok; CPU 0\.\d+ s, wall \d+\.\d+ s, memory \d+\.\d MiB; bubblewrap \d/);
    expect(readdirSync(place.folder).sort()).toEqual(['a.py', 'in.txt']);
    expect(existsSync(join(place.folder, '.polya'))).toBe(false);
  });

  test('what has no end is refused as its input, its source and a file beside it', async () => {
    const place = placeWith({ 'a.py': echo });
    for (const argv of [
      ['a.py', '--stdin', '/dev/zero'],
      ['/dev/zero', '--lang', 'python'],
      ['a.py', '--file', 'x=/dev/zero'],
    ]) {
      const { code, out, err } = await polya(place, ['exec', ...argv]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/\/dev\/zero is too long for a program in the sandbox\.\n.*, or no end\.\n/);
    }
  });

  test('from standard input, with arguments and files', async () => {
    const place = placeWith({ 'b.txt': 'content' });
    const source = 'import sys; print(sys.argv[1:], open("data/b").read(), sys.stdin.read())';
    const argv = typed`exec - --lang python --file data/b=b.txt --json -- -n ${'two words'}`;
    const { code, out } = await polya(place, argv, { input: source });
    const { run, language, toolchain } = execShape.parse(JSON.parse(out));
    expect(code).toBe(0);
    expect(run?.stdout.text).toBe("['-n', 'two words'] content \n");
    expect([language, toolchain]).toEqual(['python', 'python3']);
  });

  test('its input may be our own', async () => {
    const place = placeWith({ 'a.py': echo });
    expect((await polya(place, ['exec', 'a.py', '--stdin', '-'], { input: 'piped\n' })).out).toBe('piped\n');
  });

  test('what does not compile is 1, and the compiler is heard', async () => {
    const place = placeWith({ 'a.cpp': 'int main() { return nothing; }' });
    const { code, out, err } = await polya(place, ['exec', 'a.cpp']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/main\.cpp:1:21: .*error:[\s\S]*compile error; CPU/);
    const json = await polya(place, ['exec', 'a.cpp', '--json']);
    expect(execShape.parse(JSON.parse(json.out))).toMatchObject({ compile: { verdict: 'exit' }, run: null });
  });

  test.each<[string, string[], string, RegExp]>([
    ['time', ['--time', '0.3'], 'import time; time.sleep(60)', /^time limit;/m],
    ['CPU', ['--cpu', '0.2'], 'while True: pass', /^CPU time limit;/m],
    ['memory', ['--memory', '48'], 'x = b"x" * (1 << 30)', /^memory limit;/m],
    ['disk', ['--disk', '2'], 'f = open("x", "wb", 0)\nwhile True: f.write(b"x" * 65536)', /^disk limit;/m],
    ['output', ['--output', '4'], 'while True: print("x" * 1000)', /stdout: [\d,]+ bytes.*\noutput limit;/],
    ['its own status', [], 'raise SystemExit(3)', /^exit 3;/m],
    ['a signal', [], 'import os; os.kill(os.getpid(), 11)', /^signal SIGSEGV;/m],
  ])('the verdict names what ended it: %s', async (_what, limits, source, verdict) => {
    const place = placeWith({ 'a.py': source });
    const { code, err } = await polya(place, ['exec', 'a.py', ...limits]);
    expect(err).toMatch(verdict);
    expect(code).toBe(1);
  });

  test('a long --time is no short CPU time', async () => {
    const place = placeWith({
      'a.py': 'import resource; print(resource.getrlimit(resource.RLIMIT_CPU)[1] > 60)',
    });
    expect((await polya(place, ['exec', 'a.py', '--time', '100'])).out).toBe('True\n');
  });

  test('a terminal gets nothing that steers it, a pipe what was written', async () => {
    const source = String.raw`import os; os.write(1, b'\x1b[2J\x07\xff\x00'); os.write(2, b'\x1b]0;owned\x07')`;
    const place = placeWith({ 'a.py': source });
    const terminal = await polya(place, ['exec', 'a.py'], { isTerminal: true });
    expect(terminal.out).toBe('␛[2J␇\ufffd␀\n');
    expect(terminal.err).toContain('␛]0;owned␇\n');
    expect((await polya(place, ['exec', 'a.py'])).out).toBe('\x1b[2J\x07\ufffd\x00');
    const json = (await polya(place, ['exec', 'a.py', '--json'])).out;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(json).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(execShape.parse(JSON.parse(json)).run?.stdout.text).toBe('\x1b[2J\x07\ufffd\x00');
  });
});

describe('what is wrong is said before anything runs', () => {
  const files = {
    'a.py': 'print(1)',
    'a.out': Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]),
    'latin.py': Uint8Array.from([0x23, 0xe9, 0x0a]),
    noname: 'print(1)',
    'empty/x': '',
  };

  test.each<[string, string[], RegExp]>([
    ['no file', [], /Missing required argument 'file'/],
    ['a file that is not there', ['b.py'], /program b\.py cannot be read.*nothing of that name/s],
    ['a folder', ['empty', '--lang', 'python'], /empty cannot be read.*It is a folder/s],
    ['a binary file', ['a.out', '--lang', 'cpp'], /a\.out is no source text.*zero bytes/s],
    ['what is no UTF-8', ['latin.py'], /no UTF-8/],
    ['a name without an end', ['noname'], /does not say in which language.*\.py \(python\).*--lang/s],
    ['standard input without a language', ['-'], /Nothing says in which language.*--lang/s],
    ['an unknown language', ['a.py', '--lang', 'cobol'], /"cobol" is not a language.*python, cpp/s],
    ['an unknown toolchain', ['a.py', '--toolchain', 'pypy'], /no toolchain "?pypy.*python3/s],
    ['an unknown back-end', ['a.py', '--backend', 'chroot'], /no back-end "chroot".*bubblewrap/s],
    ['an input that is not there', ['a.py', '--stdin', 'nowhere'], /input nowhere cannot be read/],
    ['cases, which went', ['a.py', '--cases', 'empty'], /no option --cases any more.*polya ahc test/s],
    ['a tester, which went', ['a.py', '--tester=j.py'], /no option --tester any more.*polya ahc test/s],
    ['a check, which went', ['a.py', '--check'], /no option --check any more.*compiled before it runs/s],
    ['negative time', ['a.py', '--time', '-1'], /'-1' is invalid.*above 0/s],
    ['no memory', ['a.py', '--memory', '0'], /above 0/],
    ['half a process', ['a.py', '--processes', '1.5'], /whole number/],
    ['a limit that is none', ['a.py', '--disk', 'much'], /'much' is invalid/],
    ['one input twice', ['-', '--lang', 'python', '--stdin', '-'], /both the program and its input/],
    ['a file that leads elsewhere', ['a.py', '--file', '../x=a.py'], /cannot be the name of a file/],
  ])('%s', async (_what, argv, complaint) => {
    const place = placeWith(files);
    const { code, out, err } = await polya(place, ['exec', ...argv]);
    expect(err).toMatch(complaint);
    expect(err).not.toMatch(/\n\s+at /);
    expect([code, out]).toEqual([2, '']);
  });

  test('with --json too there is one document', async () => {
    const { code, out } = await polya(placeWith(files), ['exec', 'b.py', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ exitCode: 2, error: { what: expect.stringContaining('b.py') } });
  });
});

describe('without a sandbox', () => {
  const label = /ran WITHOUT a sandbox, with the rights of its user/;
  const files = { 'a.py': echo };

  test('every result says so, as JSON too', async () => {
    const place = placeWith(files);
    const run = (...more: string[]) => polya(place, ['exec', 'a.py', '--backend', 'none', ...more]);
    expect((await run()).err).toMatch(label);
    expect(JSON.parse((await run('--json')).out)).toMatchObject({
      backend: 'none',
      isolation: 'none',
      label: expect.stringMatching(label),
    });
  });

  test('and nothing is said where there is one', async () => {
    const { err, out } = await polya(placeWith(files), ['exec', 'a.py', '--json']);
    expect(err + out).not.toMatch(/WITHOUT/);
  });

  test('a run of an agent says so in its lists, its report, its journal and its exports', async () => {
    const place = newPlace();
    const model = ['--model', solvingScript(place)];
    const solved = await polya(place, [...day1, ...model, '--backend', 'none']);
    expect(solved).toMatchObject({
      code: 0,
      err: expect.stringMatching(label),
      out: expect.stringMatching(label),
    });
    const told = async (...argv: string[]) => (await polya(place, argv)).out;
    expect(await told('runs', 'list')).toMatch(/solved \(no sandbox\)/);
    expect(await told('runs', 'list', '--json')).toMatch(label);
    expect(await told('runs', 'show', 'last')).toMatch(label);
    expect(await told('runs', 'show', 'last', '--json')).toMatch(label);
    expect(await told('runs', 'watch', 'last')).toMatch(label);
    expect(await told('runs', 'export', 'last', '--format', 'md')).toMatch(label);
    expect(await told('runs', 'export', 'last', '--format', 'json')).toMatch(/"isolation": ?"none"/);
    expect(await told('runs', 'export', 'last', '--format', 'csv')).toMatch(/,none,/);
  });
});

describe('Ctrl-C', () => {
  test('ends what runs, tells so, and leaves nothing', async () => {
    const marker = uniqueMarker('exec');
    const place = placeWith({ 'a.py': 'import os, time\nos.fork()\ntime.sleep(60)' });
    const { child, ended } = start(place, ['exec', 'a.py', '--time', '60', '--', marker]);
    await until(() => processesWith(marker).length >= 3);
    child.kill('SIGINT');
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toMatch(/^cancelled;/m);
    expect(processesWith(marker)).toEqual([]);
  });
});
