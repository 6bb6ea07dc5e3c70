/** The workspace in a container, with engines that answer what the one at hand does not: other kinds, refusals, races. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  buildWorkspaceImage,
  imageNameOf,
  type Leftover,
  leftoversOf,
  workspaceImage,
} from '../../src/sandbox/docker/workspace-image.ts';
import { runInContainer, type ShellPlan } from '../../src/sandbox/docker/workspace-shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Answers, type FakeEngine, fakeEngine, refusal } from './fake-engine.ts';

let folder: string;
let fake: FakeEngine | undefined;
const never = new AbortController().signal;

beforeEach(() => {
  folder = join(temporaryFolder('answers'), 'ahc030');
  mkdirSync(folder);
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\n');
});
afterEach(async () => {
  await fake?.close();
  fake = undefined;
});

async function on(answers: Answers): Promise<FakeEngine> {
  fake = await fakeEngine(answers);
  return fake;
}

const told = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was wrong',
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('what is left of a workspace', () => {
  const container = (Id: string, State: string, more: object = {}) => ({
    Id,
    Names: [`/${Id}`],
    State,
    ImageID: `image of ${Id}`,
    Labels: { 'polya.folder.container': folder },
    ...more,
  });
  const image = (Id: string, ...RepoTags: string[]) => ({ Id, RepoTags, Size: 1e6 });

  async function leftovers(
    containers: unknown,
    images: unknown,
    isForced = false,
  ): Promise<readonly Leftover[]> {
    const lists = { 'GET /containers/json': { body: containers }, 'GET /images/json': { body: images } };
    const { engine } = await on({ ...lists, 'DELETE /images/gone:1': refusal(404, 'no such image') });
    return leftoversOf(engine, folder, { isForced });
  }
  const shown = (list: readonly Leftover[]) => list.map(({ name, keptBecause }) => [name, keptBecause]);

  test('a container that is paused or begins anew is not ended without --force', async () => {
    const containers = [
      container('running1', 'running'),
      container('paused1', 'paused'),
      container('again1', 'restarting'),
      container('exited1', 'exited'),
      container('nameless1234567', 'created', { Names: [] }),
      container('theirs', 'exited', { Labels: { 'polya.folder.container': `${folder}2` } }),
      container('unlabelled', 'exited', { Labels: null }),
    ];
    expect(shown(await leftovers(containers, []))).toEqual([
      ['running1', 'it is running; --force ends it'],
      ['paused1', 'it is paused; --force ends it'],
      ['again1', 'it is restarting; --force ends it'],
      ['exited1', null],
      ['nameless1234', null],
    ]);
    await fake?.close();
    expect((await leftovers(containers, [], true)).map(({ keptBecause }) => keptBecause)).toEqual(
      Array(5).fill(null),
    );
  });

  test('an image goes by the name that we gave it, also where the engine puts a host before it', async () => {
    const own = imageNameOf(folder);
    const images = [
      image('sha256:1', `localhost/${own}`, 'mine:1'),
      image('sha256:2', 'mine:2'),
      image('sha256:3456789012345678', '<none>:<none>'),
      { Id: 'sha256:4', RepoTags: null, Size: 1 },
      image('image of theirs', own),
    ];
    const theirs = container('theirs', 'running', { Labels: {} });
    expect(shown(await leftovers([theirs], images))).toEqual([
      [`localhost/${own}`, null],
      ['mine:2', 'somebody made or named it'],
      ['345678901234 (an older build)', null],
      ['4 (an older build)', null],
      [own, 'the container theirs uses it'],
    ]);
  });

  test('what is gone meanwhile is what was wanted; what somebody uses stays, and says why; all else is an error', async () => {
    const own = imageNameOf(folder);
    const lists = {
      'GET /containers/json': { body: [] },
      'GET /images/json': { body: [image('sha256:1', own), image('sha256:2', '<none>:<none>')] },
    };
    const { engine } = await on({
      ...lists,
      'DELETE /images/sha256:2': refusal(409, 'conflict: image has dependent child images'),
    });
    const [first, second] = await leftoversOf(engine, folder, { isForced: false });
    expect(await first?.remove()).toBeNull();
    expect(await second?.remove()).toContain('has dependent child images');
    await fake?.close();
    const bad = await on({ ...lists, [`DELETE /images/${own}`]: refusal(500, 'no space left on device') });
    const [broken] = await leftoversOf(bad.engine, folder, { isForced: false });
    expect(await told(broken?.remove() ?? Promise.resolve())).toMatch(
      /failed at removing an image\..*no space left/s,
    );
  });

  test.each(['containers', 'images'])('an engine that lists no %s is named', async (what) => {
    const { engine } = await on({
      'GET /containers/json': { body: [] },
      [`GET /${what}/json`]: refusal(500, 'the disk is on fire'),
    });
    expect(await told(leftoversOf(engine, folder, { isForced: false }))).toContain(
      `failed at listing ${what}`,
    );
  });
});

describe('a shell', () => {
  const plan = (): ShellPlan => ({
    image: 'ahc-ahc030:1',
    folder,
    mountPath: '/elsewhere',
    command: ['ls'],
    network: 'some-net',
    uid: 1000,
    gid: 100,
    environment: { HOME: '/tmp' },
  });
  const streams = () => {
    const stdout = new PassThrough();
    return { stdin: new PassThrough(), stdout, stderr: stdout, terminal: null };
  };
  const creating = async (answers: Answers, wished: ShellPlan = plan()) => {
    const { engine, asked } = await on(answers);
    const said = await told(runInContainer(engine, wished, streams(), never));
    const body = asked.find(({ what }) => what === 'POST /containers/create')?.body ?? '{}';
    return { said, made: JSON.parse(body) };
  };
  const rootless = { body: { OSType: 'linux', SecurityOptions: ['name=seccomp', 'name=rootless'] } };
  const podman = {
    body: { Version: '4', ApiVersion: '1.41', Arch: 'arm64', Components: [{ Name: 'Podman Engine' }] },
  };

  test.each([
    ['Docker', {}, '1000:100', undefined],
    ['Docker without root, where its user is root inside', { 'GET /info': rootless }, undefined, undefined],
    ['podman without root', { 'GET /info': rootless, 'GET /version': podman }, '1000:100', 'keep-id'],
  ])('is its user on %s', async (_name, answers, user, namespace) => {
    const { made } = await creating(answers);
    expect([made.User, made.HostConfig.UsernsMode]).toEqual([user, namespace]);
    expect(made).toMatchObject({
      WorkingDir: '/elsewhere',
      HostConfig: {
        NetworkMode: 'some-net',
        Mounts: [{ Type: 'bind', Source: folder, Target: '/elsewhere' }],
      },
    });
  });

  test('is whoever the image says, where the system has no numbers for users', async () => {
    const { made } = await creating({}, { ...plan(), uid: null, gid: null, command: [] });
    expect([made.User, made.Cmd]).toEqual([undefined, undefined]);
  });

  test.each([
    [
      400,
      'invalid mount config for type "bind": bind source path does not exist: /x',
      /does not see the workspace/,
    ],
    [404, 'network some-net not found', /The engine has no network some-net\./],
    [400, 'No command specified', /ls cannot be started in ahc-ahc030:1\./],
    [500, 'the disk is on fire', /failed at starting a container\..*on fire/s],
  ])('that the engine refuses with %i %s', async (status, message, expected) => {
    expect((await creating({ 'POST /containers/create': refusal(status, message) })).said).toMatch(expected);
  });

  // Podman refuses there what it cannot start, and waits for the rest of the request: the command never ended.
  test('that cannot be attached to leaves no connection, and no container', { timeout: 60_000 }, async () => {
    const closed = Promise.withResolvers<void>();
    const { engine, asked } = await on({
      'POST /containers/create': { status: 201, body: { Id: 'made' } },
      'POST /containers/made/attach': {
        ...refusal(409, 'crun: setrlimit `RLIMIT_NOFILE`: Operation not permitted'),
        onClosed: closed.resolve,
      },
      'DELETE /containers/made': { status: 204 },
    });
    expect(await told(runInContainer(engine, plan(), streams(), never))).toMatch(
      /failed at starting a container\..*RLIMIT_NOFILE/s,
    );
    expect(asked.map(({ what }) => what)).toContain('DELETE /containers/made');
    await closed.promise;
  });

  test('that was given up before it began leaves no container', async () => {
    const { engine, asked } = await on({
      'POST /containers/create': { status: 201, body: { Id: 'made' } },
      'DELETE /containers/made': { status: 204 },
    });
    expect(await told(runInContainer(engine, plan(), streams(), AbortSignal.abort()))).toMatch(/^AbortError/);
    expect(asked.map(({ what }) => what)).toContain('DELETE /containers/made');
  });
});

describe('an image', () => {
  const building = async (error: string, more: Answers = {}) => {
    const { engine } = await on({ 'POST /build': { body: { error } }, ...more });
    return told(buildWorkspaceImage(engine, await workspaceImage(folder, null), {}, never));
  };

  test('whose base cannot be had: offline, or by a wrong name; with what is there already', async () => {
    const images = [
      { RepoTags: ['gcc:14', 'ahc-other:1'] },
      { RepoTags: null },
      { RepoTags: ['<none>:<none>', 'debian:12'] },
    ];
    const offline = 'Get "https://registry.example/v2/": dial tcp: lookup registry.example: no such host';
    const away = await building(offline, { 'GET /images/json': { body: images } });
    expect(away).toMatch(
      /^UnavailableError.*could not be pulled\..*Go online.*Already there: debian:12, gcc:14\./s,
    );
    await fake?.close();
    const wrong = await building('pull access denied for gxx, repository does not exist');
    expect(wrong).toMatch(/could not be pulled\..*Look at its name in the FROM line/s);
    expect(wrong).not.toContain('Already there');
  });

  test('that only BuildKit can build says what to do instead', async () => {
    expect(await building('the --mount option requires BuildKit.')).toMatch(
      /^UserError.*could not be built\..*requires BuildKit\. Polya builds by the engine's own builder/s,
    );
  });

  test('that somebody removed as soon as it was built', async () => {
    const { engine } = await on({ 'POST /build': { body: { stream: 'Successfully built' } } });
    const image = await workspaceImage(folder, null);
    expect(await told(buildWorkspaceImage(engine, image, {}, never))).toMatch(/does not have it\./);
  });

  test('of a folder whose name no image may have', () => {
    expect(imageNameOf('/tmp/焼きなまし')).toMatch(/^ahc-workspace:[0-9a-f]{8}$/);
    expect(imageNameOf('/tmp/My Contest!')).toMatch(/^ahc-my-contest:/);
  });
});
