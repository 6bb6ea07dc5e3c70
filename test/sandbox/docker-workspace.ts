/**
 * `polya ahc docker …` on a real engine, beside what else is tried on it: starting one takes longer than all of this. The
 * image that the Dockerfile builds on is made here, of this machine's own programs.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type Dockerode from 'dockerode';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Keeper, writeScaffold } from '../../src/apps/ahc/intake/workspace-files.ts';
import { openFolder } from '../../src/io/folder.ts';
import { configIn } from '../../src/open/families/ahc/workspace.ts';
import { findEngine, localEnvironment } from '../../src/sandbox/docker/engine.ts';
import { buildImage } from '../../src/sandbox/docker/images.ts';
import { ahcAgent, newPlace, type Place, polya, type ShellOptions } from '../cli/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const base = 'polya-test-base:1';

export function workspaceInDocker(address: () => string): void {
  describe('the workspace in a container', () => {
    let docker: Dockerode;
    let one: Workspace;
    const cli = (words: string, options: ShellOptions = {}) =>
      polya(one.place, ['ahc', 'docker', ...words.split(' ')], options);
    const shell = (script: string, options: ShellOptions = {}) =>
      polya(one.place, ['ahc', 'docker', 'run', '--', 'sh', '-c', script], options);
    const ours = async () =>
      (await docker.listContainers({ all: true })).filter(({ Labels }) => 'polya.folder.container' in Labels);

    beforeAll(async () => {
      const engine = await findEngine(localEnvironment({ DOCKER_HOST: address(), HOME: '/root' }));
      docker = engine.docker;
      await makeBase(engine);
      one = await workspaceOn(address(), 'polya003');
    });
    // What a test that failed left running must not be in the way of the next.
    afterEach(async () => {
      for (const { Id: id } of await ours())
        await docker
          .getContainer(id)
          .remove({ force: true })
          .catch(() => {});
    });
    afterAll(async () => {
      for (const name of ['mine:1', 'derived:1', base])
        await docker
          .getImage(name)
          .remove()
          .catch(() => {});
    });

    test('before anything is built, run says so; there is nothing to clean', async () => {
      expect(await shell('true')).toMatchObject({
        code: 3,
        out: '',
        err: expect.stringContaining('`./polya ahc docker build`'),
      });
      expect((await cli('cleanup')).out).toMatch(
        /^There is nothing on the engine that belongs to .*polya003\.\n$/,
      );
    });

    test('a base that cannot be pulled: what to do is said', async () => {
      const away = await workspaceOn(address(), 'away', 'no-such-image-of-anybody:1');
      expect(readFileSync(join(away.folder, 'Dockerfile'), 'utf8')).toContain(
        'ARG IMAGE=no-such-image-of-anybody:1\n',
      );
      const failed = await ahcAgent(away.place, ['docker', 'build']);
      expect(failed).toMatchObject({ code: 2, out: '' });
      expect(failed.err).toMatch(/could not be built\.\n.*\n.*config docker\.image NAME/);
    });

    test('a Dockerfile that is broken, or not there, is its user’s mistake', async () => {
      const broken = await workspaceOn(address(), 'broken');
      const dockerfile = join(broken.folder, 'Dockerfile');
      writeFileSync(dockerfile, 'FORM scratch\n');
      expect(await polya(broken.place, ['ahc', 'docker', 'build', '--json'])).toMatchObject({
        code: 2,
        out: expect.stringMatching(/Dockerfile could not be built\..*FORM/s),
      });
      writeFileSync(dockerfile, `FROM ${base}\nRUN echo before; exit 3\n`);
      const failed = await polya(broken.place, ['ahc', 'docker', 'build', '--', '--network', 'host']);
      expect(failed.code).toBe(2);
      expect(failed.err).toMatch(/before\n[\s\S]*non-zero code: 3/);
      writeFileSync(join(broken.folder, '.dockerignore'), '.git\n/.env\n');
      expect((await polya(broken.place, ['ahc', 'docker', 'build'])).err).toContain(
        'Add these lines to it: .ahc, .polya, ahc_config.yaml, out.',
      );
      rmSync(join(broken.folder, '.dockerignore'));
      rmSync(dockerfile);
      expect((await polya(broken.place, ['ahc', 'docker', 'build'])).err).toContain(
        '`./polya ahc init broken` makes it again',
      );
    });

    test('build: on docker.image, with its progress, without the keys that lie beside', async () => {
      writeFileSync(join(one.folder, '.env'), 'KEY=secret\n');
      writeFileSync(
        join(one.folder, 'Dockerfile'),
        `${readFileSync(join(one.folder, 'Dockerfile'), 'utf8')}COPY . /sent/\n`,
      );
      const built = await cli('build');
      expect(built).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Built: ahc-polya003:[0-9a-f]{8}, on docker /),
      });
      expect(built.err).toMatch(/Step 2\/\d+ : FROM \$\{IMAGE\}\n/);
      const sent = await shell('ls -a /sent');
      expect(sent.out).toContain('main.cpp');
      expect(sent.out).not.toMatch(/\.env|ahc_config/);
      const { image } = JSON.parse((await cli('build --json')).out);
      const { Config: config } = await docker.getImage(image).inspect();
      expect([config.WorkingDir, config.Labels]).toEqual([
        '/workspace',
        expect.objectContaining({ 'polya.folder': one.folder }),
      ]);
    });

    test('run: the workspace is there, files are their user’s, nothing is on the network, its exit status is given back', async () => {
      chownSync(one.folder, 4321, 4321);
      const uid = vi.spyOn(process, 'getuid').mockReturnValue(4321);
      const gid = vi.spyOn(process, 'getgid').mockReturnValue(4321);
      const said = await shell('cat > made.txt; pwd; ls /sys/class/net; echo complaint >&2; exit 7', {
        input: 'typed\n',
      });
      uid.mockRestore();
      gid.mockRestore();
      expect(said).toEqual({ code: 7, out: '/workspace\nlo\n', err: 'complaint\n' });
      expect(readFileSync(join(one.folder, 'made.txt'), 'utf8')).toBe('typed\n');
      expect(statSync(join(one.folder, 'made.txt')).uid).toBe(4321);
      expect(await ours()).toEqual([]);
    });

    test('run: what cannot be started', async () => {
      expect((await cli('run -- no-such-program')).err).toMatch(/exec: "no-such-program"/);
      expect((await cli('run --network no-such-net -- sh')).err).toContain('network no-such-net not found');
      expect(await ours()).toEqual([]);
    });

    test('run: Ctrl-C ends it, and nothing of it stays', async () => {
      const stopped = await shell('echo begun; sleep 600', {
        onWrite: (text, interrupt) => text.includes('begun') && interrupt(),
      });
      expect(stopped).toMatchObject({ code: 130, out: 'begun\n' });
      expect(await ours()).toEqual([]);
    });

    test('run at a terminal: a shell with the size of its window, also when that changes', async () => {
      const { script, output, ended } = atTerminal(one, 'ahc docker run');
      // Its line is whole: a longer number must not be cut.
      const pts = await until(() => /(\/dev\/pts\/\d+)\s/.exec(output())?.[1]);
      await until(() => output().includes('inside>'));
      // The window's size follows as soon as the container has a terminal, and that may be after its first word.
      const told = (expected: RegExp) =>
        until(() => {
          script.stdin.write('stty size; echo $TERM\n');
          return expected.test(output());
        }, 300);
      await told(/31 97\s+xterm/);
      execFileSync('stty', ['-F', pts, 'rows', '40', 'cols', '120']);
      await told(/40 120\s+xterm/);
      script.stdin.write('exit 5\n');
      expect(await ended).toBe(5);
    });

    test('docker.mount_path holds', async () => {
      writeFileSync(
        join(one.folder, 'ahc_config.yaml'),
        `docker:\n  image: ${base}\n  mount_path: /elsewhere\n`,
      );
      const said = await shell('pwd');
      expect(said).toMatchObject({ code: 0, out: '/elsewhere\n', err: '' });
    });

    test('cleanup: what belongs to this workspace, and nothing of anybody else', async () => {
      const other = await workspaceOn(address(), 'other');
      const { image: theirs } = JSON.parse(
        (await polya(other.place, ['ahc', 'docker', 'build', '--json'])).out,
      );
      writeFileSync(join(one.folder, 'ahc_config.yaml'), `docker:\n  image: ${base}\n`);
      const before = readFileSync(join(one.folder, 'Dockerfile'), 'utf8');
      writeFileSync(join(one.folder, 'Dockerfile'), `${before}ENV AGAIN=1\n`);
      const { image } = JSON.parse((await cli('build --json')).out);
      await docker.getImage(theirs).tag({ repo: 'mine', tag: '1' });
      await buildOn(docker, image, 'derived:1');
      const byHand = await docker.createContainer({ Image: image, name: 'by-hand', Cmd: ['sh'] });
      expect(await ours()).toEqual([]);
      const running = shell('echo begun; sleep 600');
      await until(async () => (await ours()).some(({ State }) => State === 'running'), 50);

      const shown = JSON.parse((await cli('cleanup --dry-run --json')).out);
      expect(shown.leftovers).toHaveLength(3);
      expect(shown.leftovers).toMatchObject(Array(3).fill({ removed: false }));
      const cautious = await cli('cleanup');
      expect(cautious.out).toMatch(/^container .* stays: .*running/m);
      expect(cautious.out).toMatch(/ahc-polya003:\w+ .* stays: .*container/);
      expect(cautious.out).toMatch(/^older image +[0-9a-f]{12} +removed$/m);

      await byHand.remove();
      await cli('cleanup --force');
      expect((await running).code).toBe(137);
      const left = (await docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);
      expect(left).toEqual(expect.arrayContaining([theirs, 'mine:1', 'derived:1', base]));
      expect(left).not.toContain(image);
      expect((await polya(other.place, ['ahc', 'docker', 'cleanup'])).out).toMatch(
        /^image +ahc-other:\w+ .* removed$/m,
      );
      await docker.getImage('mine:1').inspect();
    });

    test('without an engine: a clear message', async () => {
      const { place } = await workspaceOn('unix:///nonexistent.sock', 'nowhere');
      for (const words of ['build', 'run', 'cleanup'])
        expect(await polya(place, ['ahc', 'docker', words])).toMatchObject({
          code: 3,
          out: '',
          err: expect.stringMatching(/No container engine answers\.\n.*nonexistent\.sock[\s\S]*Start Docker/),
        });
    });
  });
}

type Workspace = { readonly place: Place; readonly folder: string };

/** As `init` leaves it, so far as containers see it. */
async function workspaceOn(address: string, id: string, image = base): Promise<Workspace> {
  const place = newPlace();
  const folder = join(place.folder, 'workspace', id);
  mkdirSync(folder, { recursive: true });
  // Folders of tests are for their owner alone; who works in the container may be somebody else.
  const outside = dirname(dirname(place.folder));
  for (let above = folder; above !== outside; above = dirname(above)) chmodSync(above, 0o755);
  writeFileSync(
    join(folder, 'ahc_config.yaml'),
    `docker:
  image: ${image}
`,
  );
  writeFileSync(join(folder, 'main.cpp'), 'int main() {}\n');
  const config = configIn(folder, { folder, env: place.env });
  await writeScaffold(new Keeper(openFolder(folder)), id, config);
  return { place: { ...place, env: { ...place.env, DOCKER_HOST: address } }, folder };
}

type Engine = Awaited<ReturnType<typeof findEngine>>;

async function makeBase(engine: Engine): Promise<void> {
  const folder = temporaryFolder('base-image');
  const root = join(folder, 'root');
  const programs = ['/bin/bash', '/bin/sh', '/bin/ls', '/bin/cat', '/bin/sleep', '/bin/stty'];
  const libraries = programs.flatMap((program) =>
    [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(/g)].map(
      ([, path = '']) => path,
    ),
  );
  for (const path of new Set([...programs, ...libraries]))
    cpSync(path, join(root, path), { recursive: true, dereference: true });
  for (const name of ['tmp', 'proc', 'sys', 'dev']) mkdirSync(join(root, name));
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nCOPY root/ /\nENV PS1="inside> "\n');
  await buildImage(engine, { name: base, digest: 'test', folder, entries: ['Dockerfile', 'root'] });
}

/** What somebody makes of our image inherits its labels. */
async function buildOn(docker: Dockerode, image: string, name: string): Promise<void> {
  const container = await docker.createContainer({ Image: image, Cmd: ['sh'] });
  const [repo = '', tag = ''] = name.split(':');
  await container.commit({ repo, tag });
  await container.remove();
}

/** A real process at a terminal that `script` makes; it tells which, and sets its size, before Polya begins. */
function atTerminal({ place, folder }: Workspace, words: string) {
  const polyaHere = join(import.meta.dirname, '../../polya');
  const command = `tty; stty rows 31 cols 97; exec ${polyaHere} ${words}`;
  const script = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, ...place.env, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  script.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<number | null>((resolve) => script.once('exit', resolve));
  return { script, output: () => said, ended };
}
