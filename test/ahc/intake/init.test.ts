/** Workspaces from the local AtCoder over real HTTP, and from files; the tools in the real sandbox. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { resultsHeader } from '../../../src/apps/ahc/intake/workspace-files.ts';
import { initialFile } from '../../../src/apps/ahc/workspace/edit.ts';
import type { Sandbox } from '../../../src/core/sandbox.ts';
import { readContest, readContestFile, readCrate } from '../../../src/families/ahc/workspace.ts';
import { openWorkspace } from '../../../src/open/families/ahc/workspace.ts';
import { filesOf, practiceContest } from '../../../src/practice/atcoder/contest.ts';
import { toolsArchive } from '../../../src/practice/atcoder/site.ts';
import { chooseSandbox } from '../../../src/sandbox/choose.ts';
import { coded } from '../../support/coded.ts';
import { noSandbox } from '../../support/no-sandbox.ts';
import { afterwards, filesBelow, newDesk, siteWith } from './fixture.ts';

const sandbox = chooseSandbox();
const text = (string: string) => new TextEncoder().encode(string);
const windows = (content: string) => `\ufeff${content.replaceAll('\n', '\r\n')}`;
const put = (file: string, content: string | Uint8Array) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};

test('a workspace that was made from files needs neither them nor a site to be repaired', async () => {
  const desk = newDesk();
  const { folder } = practiceContest('polya001');
  put(
    join(desk.folder, 'page.html'),
    `<div id="task-statement"><span class="lang-en"><h3>Problem Statement</h3><p>Print a word.</p></span></div>`,
  );
  const from = ['page.html', join(folder, 'tools')];
  await desk.init('ahc999', { from, confirm: async () => true });
  rmSync(desk.place('ahc999', 'problem/problem.md'));
  const again = await desk.init('ahc999');
  expect(again.written).toContain('problem/problem.md');
  expect(again.contest.url).toBeNull();
});

test('a statement of its user, and what pahcer was told, were not taken from a folder', async () => {
  const desk = newDesk();
  const { folder } = practiceContest('polya001');
  const statement = windows(`# Own Garden

実行時間制限: 3 秒 / メモリ制限: 512 MB

## 得点

得点は低いほど良い。$1 \\leq N$

## 入力

\`\`\`
N K
\`\`\`
`);
  put(join(desk.folder, 'mine/problem.md'), statement);
  put(join(desk.folder, 'mine/pahcer_config.toml'), '[test]\nend_seed = 30\n');
  for (const [name, bytes] of Object.entries(filesBelow(join(folder, 'tools'))))
    put(join(desk.folder, 'mine/tools', name), bytes);
  const facts = {
    title: 'Own Garden',
    timeLimitSeconds: 3,
    memoryLimitMegabytes: 512,
    direction: { value: 'minimise', because: expect.stringContaining('低いほど良い') },
  };
  const report = await desk.init('garden', { from: ['mine'], confirm: async () => true });
  expect(report.contest).toMatchObject(facts);
  expect(report.troubles.map(({ what }) => what).join()).not.toMatch(/statement|pahcer/);
  expect(desk.read('garden', 'problem/problem.md')).toBe(statement.slice(1));
  expect(desk.read('garden', 'problem/input_format.txt')).toContain('N K');
  expect(desk.read('garden', 'pahcer_config.toml')).toContain('end_seed');
  // What its user writes into it holds from the next init on, and no site is asked.
  put(desk.place('garden', 'problem/problem.md'), statement.replace('3 秒', '4 秒').replace('低い', '高い'));
  const again = await desk.init('garden');
  expect(again.contest).toMatchObject({ timeLimitSeconds: 4, direction: { value: 'maximise' } });
  expect(desk.read('garden', 'problem/problem.md')).toContain('4 秒');
});

test('init told to write problem.md, and did not read it', async () => {
  const desk = newDesk();
  put(join(desk.folder, 'odd.html'), '<html><body>nothing here</body></html>');
  const confirm = async () => true;
  const odd = await desk.init('ahc002', { from: ['odd.html'], confirm });
  expect(odd.troubles.map(({ fix }) => fix).join()).toContain('problem/problem.md yourself');
  put(
    desk.place('ahc002', 'problem/problem.md'),
    '# Words\n\n### **Input**\n\n```\nN M\n```\n\n## Scoring\n\nThe lower the score, the better.\n',
  );
  const again = await desk.init('ahc002');
  // A heading in bold was no heading.
  expect(desk.read('ahc002', 'problem/input_format.txt')).toContain('N M');
  expect(again.contest).toMatchObject({ title: 'Words', direction: { value: 'minimise' } });
  expect(again.troubles.map(({ what }) => what).join()).not.toContain('statement could be read');
});

describe('a template', () => {
  const template = 'template.cpp';
  const withTemplate = (content: string) => {
    const desk = newDesk();
    put(join(desk.folder, 'own.hpp'), 'inline int own() { return 7; }\n');
    put(join(desk.folder, template), content);
    return desk;
  };

  test('is main.cpp as long as nobody has changed that, with its own headers put in', async () => {
    const desk = withTemplate('#include "own.hpp"\nint main() { return own(); }\n');
    const first = await desk.init('polya002', { template });
    expect(first.template).toEqual({ file: template, isMain: true });
    const main = () => desk.read('polya002', 'main.cpp');
    expect(main()).toBe('inline int own() { return 7; }\n\nint main() { return own(); }\n');
    expect(desk.read('polya002', 'problem/template.cpp')).toBe(main());
    put(join(desk.folder, template), 'int main() {}\n');
    await desk.init('polya002', { template });
    expect(main()).toBe('int main() {}\n');
    put(desk.place('polya002', 'main.cpp'), 'int main() { return 1; }\n');
    const kept = await desk.init('polya002', { template });
    expect(kept.template).toMatchObject({ isMain: false });
    expect(main()).toBe('int main() { return 1; }\n');
    expect((await desk.init('polya002')).template).toBeNull();
    expect(desk.read('polya002', 'problem/template.cpp')).toBe('int main() {}\n');
  });

  test('that cannot be read is refused before anything is made', async () => {
    const desk = withTemplate('#include "nowhere.hpp"\nint main() {}\n');
    put(join(desk.folder, 'main.rs'), 'fn main() {}\n');
    await expect(desk.init('polya002', { template })).rejects.toThrow('nowhere.hpp');
    await expect(desk.init('polya002', { template: 'none.cpp' })).rejects.toThrow(coded('file-unreadable'));
    await expect(desk.init('polya002', { template: 'main.rs' })).rejects.toThrow(coded('not-cpp'));
    expect(desk.has('polya002', '.')).toBe(false);
  });
});

describe('a workspace from the site', () => {
  test('has everything, with the tools built and the inputs made', async () => {
    const site = await siteWith();
    const desk = newDesk();
    const report = await desk.init('polya001', { site: site.url, sandbox, language: 'en' });
    expect(report.troubles).toEqual([]);
    expect(report).toMatchObject({
      standing: 'over',
      languages: ['ja', 'en'],
      isBuilt: true,
      inputs: { count: 100, how: 'generated' },
    });
    expect(report.contest).toMatchObject({
      title: 'A - Lantern Garden',
      url: `${site.url}/contests/polya001/tasks/polya001_a`,
      startsAt: '2026-03-14T10:00:00Z',
      timeLimitSeconds: practiceContest('polya001').timeLimitSeconds,
      direction: { value: 'maximise' },
      tools: { binaries: ['gen', 'score', 'vis'], generator: 'gen', judge: 'score', tester: null },
    });
    expect(report.template).toBeNull();
    expect(desk.has('polya001', 'main.cpp')).toBe(false);
    const statement = desk.read('polya001', 'problem/problem.md');
    expect(statement).toContain('# A - Lantern Garden');
    expect(statement).toContain('Time limit: 1 s / Memory limit: 1024 MB');
    expect(statement).toContain('$N \\times N$');
    expect(statement).toContain('| $N$ | $20 \\leq N \\leq 40$ |');
    expect(statement).toContain('](images/garden.png)');
    expect(desk.read('polya001', 'problem/problem.ja.md')).toContain('実行時間制限: 1 秒');
    expect(desk.read('polya001', 'problem/input_format.txt')).toContain('N K\nC_1 C_2');
    expect(desk.has('polya001', 'problem/images/garden.png')).toBe(true);
    expect(desk.has('polya001', 'tools/visualizer/index.html')).toBe(true);
    expect(desk.read('polya001', 'results.csv')).toBe(`${resultsHeader}\n`);
    expect(desk.read('polya001', 'ahc_config.yaml')).toBe(initialFile());
    expect(desk.read('polya001', 'Dockerfile')).toMatch(
      /ARG IMAGE=gcc:14-bookworm\nFROM \$\{IMAGE\}\nWORKDIR \/workspace/,
    );
    expect(parse(desk.read('polya001', 'docker-compose.yml'))).toMatchObject({
      services: { dev: { volumes: ['.:/workspace'] } },
    });
    expect(desk.read('polya001', 'experiments.log')).toBe('2027-03-01T00:00:00Z init polya001\n');
    expect(statSync(desk.place('polya001', 'test.sh')).mode & 0o100).toBe(0o100);
    expect(spawnSync('sh', ['-n', desk.place('polya001', 'test.sh')]).status).toBe(0);
    expect(desk.read('polya001', '.gitignore')).toContain('/ahc_config.yaml');
    const workspace = openWorkspace({ folder: desk.place('polya001'), env: desk.env });
    expect((await readContest(workspace)).timeLimitMs).toBe(1000);
    expect(Object.keys((await readCrate(workspace)) ?? {})).toContain('src/bin/gen.rs');
    expect(desk.read('polya001', 'tools/tester/in/0000.txt')).toMatch(/^\d+ \d+\n/);
    for (const { headers } of site.asked) expect(headers['user-agent']).toMatch(/^polya\//);
  });

  test('is made from a cache the second time, wherever it is made', async () => {
    const site = await siteWith();
    const desk = newDesk();
    await desk.init('polya002', { site: site.url });
    const asked = site.asked.length;
    expect(new Set(site.asked.map(({ path }) => path)).size).toBe(asked);
    const again = await desk.init('polya002', { site: site.url });
    expect(again.written).toEqual([]);
    const elsewhere = await desk.init('polya002', { site: site.url, workspaceRoot: 'other' });
    expect(elsewhere.folder).toBe(join(desk.folder, 'other', 'polya002'));
    expect(site.asked.length).toBe(asked);
    expect(site.asked.some(({ path }) => path.includes('_windows'))).toBe(false);
    await desk.init('polya002', { site: site.url, isFresh: true });
    expect(site.asked.length).toBeGreaterThan(asked);
    expect(desk.files('polya002')).toEqual(filesBelow(join(desk.folder, 'other', 'polya002')));
  });

  test.each(['old', 'doubled'] as const)('in the %s layout is the same', async (layout) => {
    const [site, other] = [await siteWith(), await siteWith({ layout })];
    const [desk, second] = [newDesk(), newDesk()];
    await desk.init('polya001', { site: site.url });
    await second.init('polya001', { site: other.url });
    for (const name of ['problem/problem.en.md', 'problem/problem.ja.md', 'problem/input_format.txt']) {
      const unspaced = (content: string) =>
        content.replaceAll(/127\.0\.0\.1:\d+/g, '').replaceAll(/\s+/g, ' ');
      expect(unspaced(second.read('polya001', name))).toBe(unspaced(desk.read('polya001', name)));
    }
  });

  test('comes through a bad day: 503, a cut download, a page in the place of the zip', async () => {
    const site = await siteWith({
      mischief: [
        { path: '/contests/polya002', times: 1, does: { status: 503 } },
        { path: '.zip', times: 1, does: 'cut' },
        { path: '.zip', times: 1, does: 'html' },
      ],
    });
    const desk = newDesk();
    const { contest, inputs } = await desk.init('polya002', { site: site.url });
    expect([contest.tools?.judge, inputs]).toMatchObject(['score', { count: 100, how: 'there' }]);
  });

  test('shows the cookie to pages that ask for it, and to nothing else', async () => {
    const site = await siteWith({ session: 'hush' });
    const desk = newDesk();
    const without = await desk.init('polya001', { site: site.url }).catch(String);
    expect(without).toMatch(
      /only to users who are logged in\. There is no session cookie\..*ATCODER_SESSION/,
    );
    expect(desk.has('polya001', '.')).toBe(false);
    desk.env.ATCODER_SESSION = 'hush';
    const report = await desk.init('polya001', { site: site.url });
    const shown = site.asked.filter(({ headers }) => headers.cookie?.includes('hush'));
    expect(shown.map(({ path }) => path).every((path) => path.startsWith('/contests/'))).toBe(true);
    expect(shown.length).toBeGreaterThan(0);
    expect(JSON.stringify([report, desk.progress, desk.files('polya001')])).not.toContain('hush');
  });

  test('is not made of an unknown contest, an odd id or a place that is none', async () => {
    const site = await siteWith();
    const desk = newDesk();
    await expect(desk.init('ahc999', { site: site.url })).rejects.toThrow(
      /has no contest ahc999\. Nothing was made\./,
    );
    for (const odd of ['', '../x', 'a b', 'x'.repeat(65), 'ahc/1']) {
      await expect(desk.init(odd, { site: site.url })).rejects.toThrow(coded('contest-id-invalid'));
    }
    for (const reserved of ['problem', 'Tools', 'in']) {
      await expect(desk.init(reserved, { site: site.url })).rejects.toThrow(
        'cannot be the id of a contest here',
      );
    }
    await expect(desk.init('polya001', { site: 'http://10.0.0.1' })).rejects.toThrow(
      coded('plain-http-refused'),
    );
    await expect(desk.init('polya001', { site: site.url, from: ['.'] })).rejects.toThrow(
      'exclude each other',
    );
    await expect(desk.init('polya001', { site: 'http://127.0.0.1:1' })).rejects.toThrow(
      /could not be fetched .*Nothing listens there.*--from/,
    );
    await expect(desk.init('polya001', { from: ['nothing.zip'] })).rejects.toThrow(
      'nothing.zip is not there',
    );
    expect(readdirSync(desk.folder)).toEqual([]);
    expect((await desk.init(`${site.url}/contests/POLYA001/tasks/x`, { site: site.url })).id).toBe(
      'polya001',
    );
  });

  test('of a contest without tools says what that means', async () => {
    const site = await siteWith({ withoutTools: true });
    const desk = newDesk();
    // What is configured of containers holds in the files of a new workspace.
    Object.assign(desk.env, { AHC_AGENT_DOCKER_IMAGE: 'gcc:13', AHC_AGENT_DOCKER_MOUNT_PATH: '/src' });
    const { contest, inputs, troubles } = await desk.init('polya002', { site: site.url });
    expect([contest.tools, inputs.how]).toEqual([null, 'samples']);
    expect(desk.read('polya002', 'tools/tester/in/0000.txt')).toBe(
      desk.read('polya002', 'problem/samples/0000.in.txt'),
    );
    expect(troubles.map(({ what }) => what).join()).toMatch(/has no tools.*samples is the input \(1\)/);
    expect(desk.read('polya002', 'Dockerfile')).toMatch(
      /ARG IMAGE=gcc:13\nFROM \$\{IMAGE\}\nWORKDIR \/src\n/,
    );
    expect(parse(desk.read('polya002', 'docker-compose.yml'))).toMatchObject({
      services: { dev: { volumes: ['.:/src'] } },
    });
  });

  test.each([
    ['corrupt', text('PK and then nothing'), /cannot be used; nothing of it was unpacked.*It is no zip/],
    [
      'evil',
      zipSync({ 'tools/Cargo.toml': text('x'), 'tools/../../evil': text('x') }),
      /leads out of its folder/,
    ],
    ['without a crate', zipSync({ 'readme.txt': text('x') }), /no Cargo.toml/],
  ])('with a %s archive has everything but the tools', async (_name, zip, why) => {
    const site = await siteWith({ zip });
    const desk = newDesk();
    const { troubles, contest } = await desk.init('polya001', { site: site.url });
    expect(troubles.map((trouble) => `${trouble.what} ${trouble.why}`).join(' ')).toMatch(why);
    expect(contest.tools).toBeNull();
    expect(desk.has('polya001', 'problem/problem.md') && desk.has('polya001', 'test.sh')).toBe(true);
    expect(desk.has('polya001', 'tools/tester')).toBe(false);
    // Another day, the archive is whole.
    const repaired = await desk.init('polya001', {
      from: [join(practiceContest('polya001').folder, 'tools')],
    });
    expect(repaired.contest.tools?.judge).toBe('score');
  });
});

test('a dialogue with the judge is seen in its statement, and in its tools where that says nothing', async () => {
  const desk = newDesk();
  const { contest } = await desk.init('polya003');
  expect(contest).toMatchObject({ isInteractive: { value: true }, tools: { tester: 'tester' } });
  const tools = join(practiceContest('polya003').folder, 'tools');
  const alone = await desk.init('ahc009', { from: [tools], confirm: async () => true });
  expect(alone.contest.isInteractive).toMatchObject({
    value: true,
    because: expect.stringContaining('starts the solution'),
  });
});

describe('a contest that may be running', () => {
  const day = Date.parse('2026-03-14T11:00:00Z');

  test.each([
    [day, 'running', 'polya001 is running (until 2026-03-14T14:00:00Z).'],
    [day - 7_200_000, 'not-begun', 'polya001 has not begun'],
  ])('is refused at %i', async (nowMs, standing, words) => {
    const site = await siteWith();
    const desk = newDesk(nowMs);
    const refused = await desk.init('polya001', { site: site.url }).catch(String);
    expect(refused).toContain(words);
    expect(refused).toContain('--i-confirm-the-rules-allow-this');
    expect(readdirSync(desk.folder)).toEqual([]);
    const report = await desk.init('polya001', { site: site.url, confirm: async () => true });
    expect(report.contest.confirmed).toEqual({ atMs: nowMs, standing });
    // What was said once is known.
    expect((await desk.init('polya001', { site: site.url })).contest.confirmed).toEqual({
      atMs: nowMs,
      standing,
    });
  });

  test('is one of which nobody says when it ends', async () => {
    const desk = newDesk();
    const page = `<span class="h2">A - X</span><div id="task-statement"><span class="lang-en"><h3>Input</h3><pre>N</pre><h3>Sample Input 1</h3><pre>3</pre></span></div>`;
    put(join(desk.folder, 'page.html'), page);
    await expect(desk.init('ahc999', { from: ['page.html'] })).rejects.toThrow(
      'It is not known when ahc999 ended',
    );
    const report = await desk.init('ahc999', { from: ['page.html'], confirm: async () => true });
    expect(report.contest.confirmed).toEqual({ atMs: afterwards, standing: 'unknown' });
    expect(report.inputs).toMatchObject({ count: 1, how: 'samples' });
    expect(desk.read('ahc999', 'tools/tester/in/0000.txt')).toBe('3\n');
    expect(desk.read('ahc999', 'problem/samples/0000.in.txt')).toBe('3\n');
    expect(report.troubles.map(({ what }) => what).join()).toContain(
      'No sentence of the statement says whether more is better',
    );
  });

  test('is over where Polya’s own database knows when it was, and that tells the rest too', async () => {
    const desk = newDesk();
    put(join(desk.folder, 'tools', 'Cargo.toml'), '[package]\nname = "tools"\n');
    const from = ['tools'];
    const report = await desk.init('ahc045', { from });
    expect(report).toMatchObject({ standing: 'over', dayOfPast: '2025-03-28', contest: { endsAt: null } });
    expect(report.contest).toMatchObject({
      direction: { value: 'minimise', because: 'Polya’s own database of past contests says so.' },
      scoring: { value: 'relative' },
    });
    // On the day of it, and until its last hour could be over, it may be running.
    const early = newDesk(Date.parse('2025-04-01T00:00:00Z'));
    put(join(early.folder, 'tools', 'Cargo.toml'), '[package]\nname = "tools"\n');
    await expect(early.init('ahc045', { from })).rejects.toThrow('ahc045 is running');
  });

  test('two sources that speak against one another are told', async () => {
    const desk = newDesk();
    const page = `<span class="h2">A - X</span><div id="task-statement"><span class="lang-ja"><h3>得点</h3><p>得点は高いほど良い。</p></span></div>`;
    put(join(desk.folder, 'page.html'), page);
    const { contest, troubles } = await desk.init('ahc045', { from: ['page.html'] });
    expect(contest.direction).toEqual({ value: 'maximise', because: '得点は高いほど良い。' });
    const told = troubles.find(({ what }) => what.startsWith('What is known of direction differs'));
    expect(told?.fix).toContain('contest.direction minimise');
  });
});

describe('init again', () => {
  const desk = newDesk();
  const id = 'polya002';
  let before: Record<string, string> = {};
  beforeAll(async () => {
    await desk.init(id);
    before = desk.files(id);
  });

  test("leaves its user's files as they are", async () => {
    const mine = [
      'ahc_config.yaml',
      'main.cpp',
      'results.csv',
      'test.sh',
      'experiments.log',
      'Dockerfile',
      'problem/problem.md',
      'tools/tester/src/lib.rs',
      '.gitignore',
    ];
    for (const name of mine)
      put(
        desk.place(id, name),
        name === 'ahc_config.yaml' ? 'contest:\n  direction: maximise\n' : `mine: ${name}\n`,
      );
    put(desk.place(id, 'session1/logs/session.log'), 'log');
    const changed = desk.files(id);
    const { written } = await desk.init(id);
    expect(written).toEqual([]);
    expect(desk.files(id)).toEqual(changed);
    await desk.init(id, { isFresh: true, from: [practiceContest(id).folder] });
    for (const name of mine) expect(desk.files(id)[name]).toBe(changed[name]);
  });

  test('repairs what is missing, whatever that is', async () => {
    const clean = newDesk();
    await clean.init(id);
    const whole = clean.files(id);
    for (const name of [
      'problem/contest.json',
      'problem/page.html',
      'ahc_config.yaml',
      'tools/tester/Cargo.toml',
      'tools/tester/in/0042.txt',
      'main.cpp',
      'problem/images',
      'problem',
    ]) {
      rmSync(clean.place(id, name), { recursive: true, force: true });
      await clean.init(id);
      expect(clean.files(id), name).toEqual(whole);
    }
    writeFileSync(clean.place(id, 'problem/contest.json'), '{"version": 1');
    await clean.init(id);
    expect(clean.files(id)).toEqual(whole);
  });

  test('makes anew what a power failure left empty, and asks nobody for it', async () => {
    const site = await siteWith();
    const desk = newDesk();
    await desk.init(id, { site: site.url });
    const whole = desk.files(id);
    const asked = site.asked.length;
    for (const name of ['tools/tester/src/lib.rs', 'tools/tester/in/0042.txt']) {
      writeFileSync(desk.place(id, name), '');
      await desk.init(id, { site: site.url });
      expect(desk.files(id), name).toEqual(whole);
    }
    // What its user changed is theirs.
    writeFileSync(desk.place(id, 'tools/tester/src/lib.rs'), '// mine');
    await desk.init(id, { site: site.url });
    expect(desk.read(id, 'tools/tester/src/lib.rs')).toBe('// mine');
    expect(site.asked.length).toBe(asked);
  });

  test('from within the workspace, or beside it, is about that workspace', async () => {
    const clean = newDesk();
    await clean.init(id);
    mkdirSync(clean.place(id, 'session1'));
    for (const folder of [clean.place(id), clean.place(id, 'session1'), join(clean.folder, 'workspace')]) {
      expect((await clean.init(id, { folder })).folder).toBe(clean.place(id));
    }
  });

  test('takes other tools only when it is told to, and puts those of before aside', async () => {
    const clean = newDesk();
    await clean.init(id);
    const files = { ...filesOf(practiceContest(id), 'tools'), 'README.md': text('second') };
    const zip = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`tools/${name}`, bytes])),
    );
    put(join(clean.folder, 'v2.zip'), zip);
    const told = await clean.init(id, { from: [practiceContest(id).folder, 'v2.zip'] });
    expect(told.troubles.map(({ what }) => what).join()).not.toContain('other tools');
    const other = await clean.init(id, { from: ['v2.zip'] });
    expect(other.troubles.map(({ what }) => what).join()).toContain(
      'There are other tools than those of this workspace: v2.zip',
    );
    expect(clean.read(id, 'tools/tester/README.md')).not.toBe('second');
    await clean.init(id, { from: ['v2.zip'], isFresh: true, confirm: async () => true });
    expect(clean.read(id, 'tools/tester/README.md')).toBe('second');
    const aside = readdirSync(clean.place(id, 'tools')).find((name) => name.startsWith('before-'));
    expect(clean.files(id)[`tools/${aside}/README.md`]).toBe(before['tools/tester/README.md']);
  });

  test.each(['', '<html>cut of'])('has a page again that is not whole any more: %j', async (broken) => {
    const clean = newDesk();
    await clean.init(id);
    put(clean.place(id, 'problem/page.html'), broken);
    rmSync(clean.place(id, 'problem/problem.md'));
    const { troubles } = await clean.init(id);
    expect(troubles.map(({ what }) => what).join()).not.toContain('statement');
    expect(clean.files(id)['problem/page.html']).toBe(before['problem/page.html']);
    expect(clean.read(id, 'problem/problem.md')).toBe(clean.read(id, 'problem/problem.en.md'));
  });

  test('in the other language turns a statement that nobody has touched', async () => {
    const clean = newDesk();
    await clean.init(id, { language: 'ja' });
    await clean.init(id, { language: 'en' });
    expect(clean.read(id, 'problem/problem.md')).toBe(clean.read(id, 'problem/problem.en.md'));
    put(clean.place(id, 'problem/problem.md'), 'my notes');
    await clean.init(id, { language: 'ja' });
    expect(clean.read(id, 'problem/problem.md')).toBe('my notes');
  });
});

describe('without network', () => {
  test('a contest of our own, a zip, a saved page and a whole folder come to the same', async () => {
    const site = await siteWith();
    const own = newDesk();
    await own.init('polya002');
    const page = await (await fetch(`${site.url}/contests/polya002/tasks/polya002_a?lang=en`)).text();
    const front = await (await fetch(`${site.url}/contests/polya002`)).text();
    const zip = toolsArchive(practiceContest('polya002')).bytes;
    const asked = site.asked.length;
    const desk = newDesk();
    put(join(desk.folder, 'saved/page.html'), page);
    put(join(desk.folder, 'saved/front.html'), front);
    put(join(desk.folder, 'saved/tools.zip'), zip);
    put(
      join(desk.folder, 'all.zip'),
      zipSync({ 'x/page.html': text(page), 'x/front.html': text(front), 'x/tools.zip': zip }),
    );
    const ways = [['saved'], ['saved/page.html', 'saved/front.html', 'saved/tools.zip'], ['all.zip']];
    for (const [index, from] of ways.entries()) {
      const { contest, inputs } = await desk.init('polya002', { from, workspaceRoot: `w${index}` });
      expect(contest).toMatchObject({
        title: 'A - Parcel Vans',
        endsAt: expect.any(String),
        tools: { judge: 'score' },
      });
      expect(inputs).toMatchObject({ count: 100, how: 'there' });
      const crate = filesBelow(join(desk.folder, `w${index}`, 'polya002', 'tools', 'tester'));
      expect(crate).toEqual(filesBelow(own.place('polya002', 'tools/tester')));
    }
    expect(site.asked.length).toBe(asked);
  });

  test('tools without a page, and a page that no statement can be read from, are told', async () => {
    const desk = newDesk();
    put(join(desk.folder, 'tools.zip'), toolsArchive(practiceContest('polya002')).bytes);
    const confirm = async () => true;
    const alone = await desk.init('ahc001', { from: ['tools.zip'], confirm });
    expect(alone.troubles.map(({ what }) => what).join()).toContain('the workspace has no statement');
    expect(alone.contest.tools?.generator).toBe('gen');
    put(join(desk.folder, 'odd.html'), '<html><body>nothing here</body></html>');
    const odd = await desk.init('ahc002', { from: ['odd.html'], confirm });
    expect(odd.troubles.map(({ what }) => what).join()).toContain('No statement could be read from the page');
    expect(desk.read('ahc002', 'problem/page.html')).toContain('nothing here');
    await expect(desk.init('ahc003', { from: ['/etc/hostname'], confirm })).rejects.toThrow(
      'neither a folder nor an archive',
    );
  });

  test('a folder in which there is nothing of a contest is refused before its rules are asked about', async () => {
    const desk = newDesk();
    mkdirSync(join(desk.folder, 'empty'));
    put(join(desk.folder, 'pictures/a.png'), 'x');
    const init = desk.init('ahc009', {
      from: ['empty', 'pictures'],
      confirm: () => Promise.reject(new Error()),
    });
    await expect(init).rejects.toThrow(coded('source-unusable'));
    expect(desk.has('ahc009', 'ahc_config.yaml')).toBe(false);
  });

  test('pictures, jars and papers of a saved page are kept where they belong', async () => {
    const desk = newDesk();
    const page = `<span class="h2">A - X</span><div id="task-statement"><span class="lang-ja"><h3>問題文</h3><p>スコアは小さいほど良い。</p>
      <img src="./page_files/a%20b.png"><img src="https://evil.example/b.png"><img src="page_files/sub/a%20b.png">
      <a href="https://img.atcoder.jp/x/vis.jar">vis</a><a href="statement.pdf">pdf</a></span></div>`;
    put(join(desk.folder, 'page.html'), page);
    put(join(desk.folder, 'page_files/a b.png'), 'png');
    put(join(desk.folder, 'page_files/vis.jar'), 'jar');
    const { troubles } = await desk.init('ahc004', { from: ['page.html'], confirm: async () => true });
    expect(desk.read('ahc004', 'problem/images/a_b.png')).toBe('png');
    expect(desk.read('ahc004', 'tools/visualizer/vis.jar')).toBe('jar');
    const statement = desk.read('ahc004', 'problem/problem.md');
    expect(statement).toContain('](images/a_b.png)');
    expect(statement).toContain('](https://evil.example/b.png)');
    const reported = troubles.map(({ what }) => what).join();
    expect(reported).toContain('evil.example');
    expect(reported).toContain('Not fetched: statement.pdf');
  });
});

describe('tools that', () => {
  const failing = (stderr: string): Sandbox => ({
    ...noSandbox,
    build: async () => ({
      backend: 'test',
      executable: null,
      compile: { digest: stderr } as never,
    }),
  });

  test('cannot be built, because there is no sandbox, leave everything else done', async () => {
    const desk = newDesk();
    const { troubles, inputs } = await desk.init('polya001');
    expect(troubles[0]).toMatchObject({ isUnfinished: true });
    expect(troubles[0]?.fix).toContain('`polya ahc init` again');
    expect(inputs).toMatchObject({ count: 0, how: 'none' });
    const repaired = await desk.init('polya001', { sandbox });
    expect(repaired).toMatchObject({ isBuilt: true, troubles: [], inputs: { count: 100, how: 'generated' } });
  });

  test.each([
    ['/bin/sh: 1: cargo: not found', '`polya setup`, which installs cargo'],
    ['error[E0432]: unresolved import', 'copies what Cargo.lock names into tools/tester/vendor'],
  ])('do not build (%s) are told with the way on', async (stderr, fix) => {
    const { troubles, isBuilt } = await newDesk().init('polya002', { sandbox: failing(stderr) });
    expect(isBuilt).toBe(false);
    expect(troubles[0]?.what).toContain('The tools do not build here');
    expect(troubles[0]?.why).toBe(stderr);
    expect(troubles[0]?.fix).toContain(fix);
  });

  test('are broken are told by the compiler, and a generator that fails by its own words', async () => {
    const desk = newDesk();
    const crate = join(desk.folder, 'tools');
    put(join(crate, 'Cargo.toml'), '[package]\nname = "t"\nversion = "0.1.0"\nedition = "2021"\n');
    put(join(crate, 'src/bin/gen.rs'), 'fn main() { panic!("no seeds today") }\n');
    put(join(crate, 'src/bin/odd.rs'), 'fn main() {}\n');
    const confirm = async () => true;
    const failed = await desk.init('ahc005', { from: ['tools'], sandbox, confirm });
    const told = failed.troubles.map(({ what, why }) => `${what} ${why}`).join('\n');
    expect(told).toMatch(/generator of the tools failed \(exit\).*[\s\S]*no seeds today/);
    expect(told).toContain('None of the tools is known to score: gen, odd.');
    put(join(crate, 'src/bin/gen.rs'), 'fn main() { nonsense }\n');
    const broken = await desk.init('ahc006', { from: ['tools'], sandbox, confirm });
    expect(broken.troubles.map(({ why }) => why).join()).toContain('nonsense');
    expect(broken.contest.tools?.judge).toBeNull();
  });
});

test('a full disk is told, and the next init goes on', async () => {
  const desk = newDesk();
  const child = join(import.meta.dirname, 'init-child.ts');
  const { stdout } = spawnSync(
    'sh',
    [
      '-c',
      'ulimit -f 8; trap "" XFSZ; exec "$0" "$@"',
      process.execPath,
      child,
      desk.folder,
      desk.env.HOME ?? '',
    ],
    { encoding: 'utf8' },
  );
  expect(stdout).toMatch(
    /^UnavailableError: .* cannot be written\. .*would be larger.*Make room, then try again/,
  );
  expect(desk.has('polya002', 'ahc_config.yaml')).toBe(true);
  const { contest } = await desk.init('polya002');
  expect(contest.tools?.judge).toBe('score');
});

test('a folder that may not be written is told', async () => {
  const desk = newDesk();
  put(join(desk.folder, 'workspace'), 'a file in the way');
  await expect(desk.init('polya002')).rejects.toThrow(coded('file-failed'));
  chmodSync(join(desk.folder, 'workspace'), 0o644);
});

test('killed anywhere, it leaves nothing half-written, and the next init goes on', async () => {
  const whole = newDesk();
  await whole.init('polya002');
  const child = join(import.meta.dirname, 'init-child.ts');
  for (const ms of [280, 350, 450]) {
    const desk = newDesk();
    spawnSync(process.execPath, [child, desk.folder, desk.env.HOME ?? ''], {
      timeout: ms,
      killSignal: 'SIGKILL',
    });
    const left = Object.entries(desk.has('polya002', '.') ? desk.files('polya002') : {});
    const files = whole.files('polya002');
    for (const [name, content] of left.filter(([each]) => !/\.tmp$|experiments|contest\.json$/.test(each)))
      expect(content, name).toBe(files[name]);
    await desk.init('polya002');
    const names = Object.keys(desk.files('polya002')).filter((name) => !name.endsWith('.tmp'));
    expect(names).toEqual(Object.keys(files));
    const workspace = openWorkspace({ folder: desk.place('polya002'), env: desk.env });
    expect((await readContestFile(workspace)).tools?.judge).toBe('score');
  }
});
