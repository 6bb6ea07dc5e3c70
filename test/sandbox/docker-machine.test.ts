/**
 * The container back-end on machines and engines other than the usual; and after its own violent death.
 * @module-tag root
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type Dockerode from 'dockerode';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/core/sandbox.ts';
import { type DockerOptions, openDocker } from '../../src/sandbox/docker/backend.ts';
import { findEngine, localEnvironment } from '../../src/sandbox/docker/engine.ts';
import { buildImage } from '../../src/sandbox/docker/images.ts';
import { buildImageHere, imageReport, toolchainImage } from '../../src/sandbox/docker/our-images.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace, polya } from '../cli/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { workspaceInDocker } from './docker-workspace.ts';
import { type Copy, copySources, startCopy } from './elsewhere.ts';
import { engineTimeoutMs, startEngine, type TestEngine } from './engine.ts';
import { processesWith } from './hostile/host-processes.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
const sleeper = {
  language: 'python',
  source: 'import time\nprint("begun", flush=True)\ntime.sleep(300)',
} as const;
let engine: TestEngine;
let docker: Dockerode;

beforeAll(async () => {
  engine = await startEngine();
  docker = (await findEngine(localEnvironment(env()))).docker;
}, engineTimeoutMs);
afterAll(() => engine?.stop());
// What a test that failed has left would fail the next ones, too.
afterEach(async () => {
  const left = await docker.listContainers({ all: true });
  for (const { Id: id } of left)
    await docker
      .getContainer(id)
      .remove({ force: true })
      .catch(() => {});
});

const env = () => ({ DOCKER_HOST: engine.address, HOME: '/root' });
const sandboxWith = (options: DockerOptions): Sandbox =>
  createSandbox({ openBackend: () => openDocker({ env: env(), ...options }) });
const containers = async () =>
  (await docker.listContainers({ all: true })).map(({ Names: [name = ''], State }) => `${name} ${State}`);

describe('a container', () => {
  test('has no rights, no host user of anybody else, and nothing to write to but its tmpfs', async () => {
    const source = `
import os
status = dict(line.split(':\\t', 1) for line in open('/proc/self/status').read().splitlines() if ':\\t' in line)
print({name: status[name].strip() for name in ('CapBnd', 'CapEff', 'NoNewPrivs', 'Seccomp')}, os.getuid() >= 61100)
print([m.split()[4] for m in open('/proc/self/mountinfo') if ' rw' in m.split(' - ')[0] and ' - tmpfs' in m])`;
    const sandbox = sandboxWith({ toolchains: 'host' });
    const { run } = await sandbox.exec({ language: 'python', source }, never);
    const [status, writable] = run?.stdout.text.trim().split('\n') ?? [];
    expect(status).toBe(
      "{'CapBnd': '0000000000000000', 'CapEff': '0000000000000000', 'NoNewPrivs': '1', 'Seccomp': '2'} True",
    );
    expect(writable).toContain("'/dev/shm'");
    await sandbox.close();
    expect(await containers()).toEqual([]);
  });

  test('is another for each of those that run at once, with a user of its own', async () => {
    const sandbox = sandboxWith({ toolchains: 'host' });
    const marker = `beside-${process.pid}-${performance.now()}`;
    const request = { ...sleeper, args: [marker], limits: { wallMs: 300_000 } };
    const enough = new AbortController();
    const runs = Promise.all([1, 2, 3, 4].map(() => sandbox.exec(request, enough.signal)));
    const users = await until(() => {
      const found = processesWith(`\0main.py\0${marker}`).map(userOf);
      return found.length === 4 ? found : null;
    });
    expect(new Set(users).size).toBe(4);
    // One that compiled for them may still be on its way out.
    await until(async () => (await containers()).length === 4);
    enough.abort();
    expect((await runs).map(({ run }) => run?.verdict)).toEqual(Array(4).fill('cancelled'));
    await sandbox.close();
  });

  test('whose memory the kernel defends: that is told as memory, whatever the runner saw', async () => {
    const sandbox = sandboxWith({ toolchains: 'host' });
    await sandbox.info();
    const marker = `defended-${process.pid}-${performance.now()}`;
    const source = `
import glob, time
def limit():
    for name in ('memory/memory.limit_in_bytes', 'memory.max'):
        for path in glob.glob('/sys/fs/cgroup/' + name):
            said = open(path).read().strip()
            if said.isdigit(): return int(said)
    return 1 << 60
while limit() > 32 << 20: time.sleep(0.01)
x = b"x" * (200 << 20)`;
    const limits = { wallMs: 300_000, cpuMs: 300_000 };
    const running = sandbox.exec({ language: 'python', source, args: [marker], limits }, never);
    const container = await containerOf(marker);
    // Less than the program is about to use: the kernel has to choose somebody.
    const Memory = 24 << 20;
    await container.update({ Memory, MemorySwap: Memory });
    expect((await running).run).toMatchObject({ verdict: 'memory' });
    await sandbox.close();
  });

  test('that is killed from outside is nobody’s exit status 137', async () => {
    const sandbox = sandboxWith({ toolchains: 'host' });
    await sandbox.info();
    const marker = `killed-${process.pid}-${performance.now()}`;
    const running = sandbox.exec({ ...sleeper, args: [marker], limits: { wallMs: 300_000 } }, never);
    running.catch(() => {});
    await killTwice(marker);
    await expect(running).rejects.toThrow(
      /ended from outside \(exit status 137\), and so was the one that took its place/,
    );
    expect(await containers()).toEqual([]);
  });
});

describe('what is missing is named', () => {
  const complaintOf = (options: DockerOptions) =>
    openDocker(options).then(
      () => null,
      (error: Error) => error.message,
    );

  test('an engine', async () => {
    expect(await complaintOf({ env: { DOCKER_HOST: 'unix:///nonexistent.sock' } })).toMatch(
      /^No container engine answers\. There is no socket at \/nonexistent\.sock\. Start Docker/,
    );
  });

  test('an engine that is new enough, and of Linux', async () => {
    const answers = { Version: '1', ApiVersion: '1.24', Arch: 'amd64', OSType: 'windows' };
    const { address, close } = await fakeEngine(answers);
    expect(await complaintOf({ env: { DOCKER_HOST: address } })).toMatch(/too old\. It speaks version 1\.24/);
    answers.ApiVersion = '1.41';
    expect(await complaintOf({ env: { DOCKER_HOST: address } })).toMatch(/runs containers of windows/);
    await close();
  });

  test('an image: none, one of another version, one that is not ours', async () => {
    const options = { env: env(), toolchains: 'image' } as const;
    const { name } = await toolchainImage();
    expect(await imageReport(env())).toMatchObject({ image: name, state: 'missing' });
    expect(await complaintOf(options)).toMatch(/It was not built yet\. Run `polya setup --docker`/);
    await (await openDocker({ env: env(), toolchains: 'host' })).close?.();
    const [some] = await docker.listImages();
    const image = docker.getImage(some?.Id ?? '');
    await image.tag({ repo: 'polya-sandbox', tag: 'older' });
    expect(await complaintOf(options)).toMatch(/another version of Polya \(polya-sandbox:older\)/);
    await image.tag({ repo: 'polya-sandbox', tag: name.split(':')[1] ?? '' });
    expect(await imageReport(env())).toMatchObject({ state: 'foreign' });
    expect(await complaintOf(options)).toMatch(/not the label of ours/);
    for (const tag of ['polya-sandbox:older', name]) await docker.getImage(tag).remove();
  });

  test('the way out of a build that fails', async () => {
    const [some] = await docker.listImages();
    const lines: string[] = [];
    const building = buildImageHere(
      { base: some?.RepoTags?.[0] ?? '', onProgress: (line) => lines.push(line) },
      env(),
    );
    await expect(building).rejects.toThrow(
      /The image polya-sandbox:\w+ could not be built\. .*\/bin\/sh.*Put that right/,
    );
    expect(lines[0]).toMatch(/^Step 1\/\d+ : ARG BASE/);
  });
});

describe('toolchains of an image', () => {
  test('are those that answer in it; the machine’s own are out of sight', async () => {
    const found = await findEngine(localEnvironment(env()));
    const folder = pythonImage();
    await buildImage(found, { ...(await toolchainImage()), folder, entries: ['Dockerfile', 'root'] });
    const sandbox = sandboxWith({});
    const { version, toolchains } = await sandbox.info();
    expect(version).toMatch(/image polya-sandbox:\w+$/);
    expect(toolchains.map(({ language }) => language)).toEqual(['python']);
    const source = 'import os\nprint(6 * 7, os.path.exists("/usr/bin/g++"))';
    const { run } = await sandbox.exec({ language: 'python', source }, never);
    expect(run).toMatchObject({ verdict: 'ok', stdout: { text: '42 False\n' } });
    await expect(sandbox.exec({ language: 'cpp', source: '' }, never)).rejects.toThrow(
      /C\+\+ programs cannot be run/,
    );
    await sandbox.close();
    const place = newPlace();
    const ready = await polya({ ...place, env: { ...place.env, ...env() } }, ['setup', '--docker']);
    expect(ready).toMatchObject({ code: 0, err: '' });
    expect(ready.out).toMatch(
      /has the image polya-sandbox:\w+; nothing was changed\.\n.* has run a python program/,
    );
    await docker.getImage((await toolchainImage()).name).remove();
    const refused = await polya({ ...place, env: { ...place.env, ...env() } }, ['setup', '--docker'], {
      isInteractive: true,
      confirms: false,
    });
    expect(refused).toMatchObject({ code: 130, out: '' });
    expect(refused.err).toMatch(/will build the image .*\nBuild it\?\nNothing was changed\.\n$/);
  });
});

describe('an image that lies', () => {
  /** By the name and the label of ours, which whoever may build images can give to any. */
  const lying = async (more: string) => {
    const found = await findEngine(localEnvironment(env()));
    const folder = pythonImage();
    mkdirSync(join(folder, 'root/vol'), { recursive: true });
    chmodSync(join(folder, 'root/vol'), 0o777);
    const lies = 'USER root\nENTRYPOINT ["/bin/sh", "-c", "echo lies"]\nCMD ["lies"]\nWORKDIR /usr\n';
    appendFileSync(join(folder, 'Dockerfile'), `${lies}ONBUILD RUN exit 1\nHEALTHCHECK CMD /bin/sh\n${more}`);
    await buildImage(found, { ...(await toolchainImage()), folder, entries: ['Dockerfile', 'root'] });
  };
  const remove = async () => docker.getImage((await toolchainImage()).name).remove({ force: true });

  test('decides neither what is started, as whom, with which rights, nor what it reaches', async () => {
    await lying('ENV HOME=/vol PATH=/vol LANG=C\nEXPOSE 80\nSTOPSIGNAL SIGWINCH\n');
    const source = `
import os
status = dict(line.split(':\\t', 1) for line in open('/proc/self/status').read().splitlines() if ':\\t' in line)
print(status['CapEff'].strip(), status['NoNewPrivs'].strip(), status['Seccomp'].strip(), os.getuid() >= 61100, os.environ['HOME'], os.getcwd())
print([line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line])
for path in ['/vol/x', '/usr/x', '/x']:
    try: open(path, 'w').close(); print('wrote', path)
    except OSError: pass`;
    const sandbox = sandboxWith({ toolchains: 'image' });
    const { run } = await sandbox.exec({ language: 'python', source }, never);
    expect(run, run?.stderr.text).toMatchObject({ verdict: 'ok', stderr: { text: '' } });
    expect(run?.stdout.text).toMatch(/^0000000000000000 1 2 True \/tmp \S*\/box\n\[(?:'lo')?\]\n$/);
    await sandbox.close();
    await remove();
  });

  test('and brings a folder of the host to write to is refused', async () => {
    await lying('VOLUME /vol\n');
    await expect(openDocker({ env: env(), toolchains: 'image' })).rejects.toThrow(/volume/);
    expect(await imageReport(env())).toMatchObject({ state: 'foreign' });
    await remove();
  });
});

describe('Polya in a container', () => {
  const inContainer = async (options: readonly string[]) => {
    await (await openDocker({ env: env(), toolchains: 'host' })).close?.();
    const images = (await docker.listImages()).flatMap(({ RepoTags: names }) => names ?? []);
    const image = images.find((name) => name.startsWith('polya-host:')) ?? '';
    const repository = join(import.meta.dirname, '../..');
    const script = `
import { chooseSandbox } from '${repository}/src/sandbox/choose.ts';
const request = { language: 'python', source: 'print(6 * 7)' };
const told = await chooseSandbox().exec(request, new AbortController().signal).then(
  ({ backend, run }) => backend + ' ' + run.stdout.text,
  (error) => error.message,
);
console.log(told);`;
    const seen = ['/usr', '/etc/alternatives', repository].flatMap((path) => ['-v', `${path}:${path}:ro`]);
    const writable = ['--tmpfs', '/dev/shm:exec,mode=1777'];
    const start = `mkdir -p /dev/shm/own /dev/shm/tmp; ${process.execPath} --input-type=module-typescript -e "$SCRIPT"`;
    const command = [image, '/bin/sh', '-c', start];
    const environment = ['-e', `SCRIPT=${script}`, '-e', 'HOME=/dev/shm', '-e', 'TMPDIR=/dev/shm/own'];
    const args = ['-H', engine.address, 'run', '--rm', '--network', 'none', ...options];
    const { stdout } = await run('docker', [...args, ...seen, ...writable, ...environment, ...command]);
    return stdout;
  };

  test('runs nothing where that allows nothing, and says what to add', async () => {
    expect(await inContainer([])).toMatch(
      /^There is no sandbox to run code in\. bubblewrap: .* docker: There is no socket at .* Polya runs in a container here\. Start that with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`/,
    );
  });

  test('has bubblewrap where that was added, as root and as a user', async () => {
    const allowed = ['seccomp=unconfined', 'systempaths=unconfined'].flatMap((name) => [
      '--security-opt',
      name,
    ]);
    expect(await inContainer(allowed)).toBe('bubblewrap 42\n\n');
    expect(await inContainer([...allowed, '--user', '1000:1000'])).toBe('bubblewrap 42\n\n');
  });
});

workspaceInDocker(() => engine.address);

describe('nothing is left behind', () => {
  test('by a Polya that was killed: its programs end at once, the remains go at the next start', async () => {
    const [theirs, ours] = ['theirs', 'ours'].map((who) => `${who}-${process.pid}-${performance.now()}`);
    const sandbox = sandboxWith({ toolchains: 'host' });
    const own = sandbox.exec({ ...sleeper, args: [ours ?? ''], limits: { wallMs: 300_000 } }, never);
    const ending = expect(own).rejects.toThrow(/ended from outside/);
    await until(() => processesWith(ours ?? '').length > 0, 50);
    const request = { ...sleeper, args: [theirs], limits: { wallMs: 300_000 } };
    const copy = copyWithDocker(`
const sandbox = createSandbox({ openBackend: () => openDocker({ env: ${JSON.stringify(env())}, toolchains: 'host' }) });
await sandbox.exec(${JSON.stringify(request)}, signal);`);
    const polya = startCopy(copy);
    await until(() => processesWith(`\0main.py\0${theirs}`).length > 0, 50);
    polya.kill('SIGKILL');
    await until(() => processesWith(`\0main.py\0${theirs}`).length === 0, 50);
    const exited = async () => (await containers()).filter((name) => name.endsWith('exited')).length;
    await until(async () => (await exited()) === 1, 50);
    const backend = await openDocker({ env: env(), toolchains: 'host' });
    expect(await backend.clean()).toEqual([]);
    await backend.close?.();
    expect((await containers()).map((name) => name.split(' ')[1])).toEqual(['running']);
    await killTwice(ours ?? '');
    await ending;
  });

  test('by an engine that dies: it is blamed, and the program still ends at its limits', async () => {
    const doomed = await startEngine();
    const marker = `doomed-${process.pid}-${performance.now()}`;
    const sandbox = createSandbox({
      openBackend: () => openDocker({ env: { DOCKER_HOST: doomed.address }, toolchains: 'host' }),
    });
    await sandbox.info();
    const running = sandbox.exec({ ...sleeper, args: [marker], limits: { wallMs: 4_000 } }, never);
    running.catch(() => {});
    await until(() => processesWith(marker).length > 0);
    process.kill(doomed.pid, 'SIGKILL');
    await expect(running).rejects.toThrow(/The container engine failed at .* The connection broke/);
    await until(() => processesWith(marker).length === 0, 50);
    await doomed.stop();
  });
});

/** Its container, and the one in which it is run once more. */
async function killTwice(marker: string): Promise<void> {
  const first = await containerOf(marker);
  await first.kill();
  const second = await until(
    async () => [await containerOf(marker)].find(({ id }) => id !== first.id) ?? null,
    50,
  );
  await second.kill();
}

/** The one that a program runs in: others may wait beside it, or be on their way out. */
async function containerOf(marker: string): Promise<Dockerode.Container> {
  const id = await until(() => {
    const [pid] = processesWith(`\0main.py\0${marker}`);
    return pid === undefined ? null : groupOf(pid);
  }, 50);
  return docker.getContainer(id);
}

/** Control groups of containers are named after them; null where the process has ended meanwhile. */
function groupOf(pid: string): string | null {
  try {
    return /([0-9a-f]{64})(?:\.scope)?$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

async function fakeEngine(answers: object) {
  const folder = temporaryFolder('fake-engine');
  const path = join(folder, 'docker.sock');
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answers));
  }).listen(path);
  await new Promise((resolve) => server.once('listening', resolve));
  const close = async () => {
    await new Promise((resolve) => server.close(resolve));
  };
  return { address: `unix://${path}`, close };
}

let pythonFolder = '';

/** Python of this machine and what it loads, and nothing else; the runner as the real image has it. */
function pythonImage(): string {
  pythonFolder ||= pythonFiles();
  writeFileSync(join(pythonFolder, 'Dockerfile'), 'FROM scratch\nCOPY root/ /\n');
  return pythonFolder;
}

function pythonFiles(): string {
  const folder = temporaryFolder('python-image');
  const root = join(folder, 'root');
  const python = execFileSync('readlink', ['-f', '/usr/bin/python3'], { encoding: 'utf8' }).trim();
  const runner = join(folder, 'runner');
  const sources = readdirSync('src/sandbox/runner').filter((name) => name.endsWith('.c'));
  execFileSync('gcc', ['-O1', '-o', runner, ...sources.map((name) => join('src/sandbox/runner', name))]);
  const libraries = [python, runner, '/bin/sh', '/usr/bin/find'].flatMap((program) =>
    [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(/g)].map(
      ([, path = '']) => path,
    ),
  );
  for (const path of new Set(['/bin/sh', '/usr/bin/find', python, ...libraries])) {
    cpSync(path, join(root, path), { recursive: true, dereference: true });
  }
  const library = `/usr/lib/${python.split('/').at(-1)}`;
  const slim = (path: string) =>
    !/\/(?:test|idlelib|tkinter|dist-packages|__pycache__|lib2to3|ensurepip|unittest|pydoc_data|asyncio|distutils|config-\w[^/]*)(?:\/|$)/.test(
      path,
    );
  cpSync(library, join(root, library), { recursive: true, filter: slim });
  symlinkSync(python, join(root, 'usr/bin/python3'));
  mkdirSync(join(root, 'run/polya'), { recursive: true });
  cpSync(runner, join(root, 'run/polya/runner'));
  for (const name of ['proc', 'sys', 'dev', 'etc']) mkdirSync(join(root, name), { recursive: true });
  for (const [name, target] of [
    ['scratch', '/dev/shm'],
    ['tmp', '/dev/shm/tmp'],
  ] as const)
    symlinkSync(target, join(root, name));
  return folder;
}

/** With everything that dockerode draws in. */
function copyWithDocker(script: string): Copy {
  const imports = [
    "import { openDocker } from './src/sandbox/docker/backend.ts';",
    "import { createSandbox } from './src/sandbox/sandbox.ts';",
  ];
  const copy = copySources(`${imports.join('\n')}\n${script}`, 0o755);
  rmSync(join(copy.folder, 'node_modules'), { recursive: true });
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(copy.folder, 'node_modules'));
  return copy;
}

function userOf(pid: string): string {
  return /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
}
