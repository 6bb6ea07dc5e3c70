import { expect, test } from 'vitest';
import { endpoints } from './engine.ts';

const place = { home: '/home/a', uid: 1000 };
const names = (env: Record<string, string>) => endpoints({ ...place, env }).map(({ address }) => address);

test('DOCKER_HOST decides alone', () => {
  expect(endpoints({ ...place, env: { DOCKER_HOST: 'unix:///x/docker.sock' } })).toEqual([
    { kind: 'socket', address: '/x/docker.sock' },
  ]);
  expect(names({ DOCKER_HOST: 'unix://' })).toEqual(['/var/run/docker.sock']);
  expect(endpoints({ ...place, env: { DOCKER_HOST: 'tcp://10.0.0.1:2375' } })).toEqual([
    { kind: 'remote', address: 'tcp://10.0.0.1:2375' },
  ]);
  expect(names({ DOCKER_HOST: '  ' })).toContain('/var/run/docker.sock');
});

test('else the usual sockets: the system’s first, then the user’s, Docker before podman', () => {
  expect(names({})).toEqual([
    '/var/run/docker.sock',
    '/run/user/1000/docker.sock',
    '/home/a/.docker/run/docker.sock',
    '/home/a/.docker/desktop/docker.sock',
    '/run/user/1000/podman/podman.sock',
    '/run/podman/podman.sock',
  ]);
  expect(names({ XDG_RUNTIME_DIR: '/r' })).toContain('/r/podman/podman.sock');
});
