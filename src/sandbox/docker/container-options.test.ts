import { expect, test } from 'vitest';
import { defaultRunLimits } from '../limits.ts';
import { containerOptions } from './container-options.ts';

const plan = {
  name: 'polya-60601',
  image: 'polya-host:x',
  uid: 60_601,
  labels: { 'polya.owner': '1-1' },
  mounts: [{ source: '/usr', target: '/usr' }],
  limits: { ...defaultRunLimits, memoryBytes: 1000, processes: 10, openFiles: 100 },
  scratchBytes: 4096,
  runnerBytes: 50,
  seccomp: '{}',
  kind: 'docker',
} as const;

test('a container may nothing that its program does not need', () => {
  const { HostConfig: host, ...options } = containerOptions(plan);
  expect(options).toMatchObject({ User: '60601:60601', NetworkDisabled: true, StdinOnce: true, Tty: false });
  expect(host).toMatchObject({
    NetworkMode: 'none',
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    Privileged: false,
    SecurityOpt: ['no-new-privileges', 'seccomp={}'],
    Tmpfs: { '/dev/shm': 'rw,exec,nosuid,nodev,mode=755,size=4096,uid=60601,gid=60601' },
    Mounts: [{ Type: 'bind', Source: '/usr', Target: '/usr', ReadOnly: true }],
  });
});

test('the kernel’s limits leave room for the runner, and none for swap', () => {
  const { HostConfig: host } = containerOptions(plan);
  expect(host).toMatchObject({ Memory: 5146, MemorySwap: 5146, PidsLimit: 11 });
  expect(host?.Ulimits).toContainEqual({ Name: 'nofile', Soft: 256, Hard: 256 });
});

test('podman has words of its own', () => {
  const { HostConfig: host } = containerOptions({ ...plan, kind: 'podman' });
  expect(host?.Tmpfs?.['/dev/shm']).toMatch(/,U$/);
  expect(host?.SecurityOpt).toContainEqual(expect.stringMatching(/^mask=\/proc\/acpi:/));
});
