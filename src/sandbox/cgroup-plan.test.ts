import { expect, test } from 'vitest';
import { cgroupPlans, parseMemberships, parseMounts } from './cgroup.ts';

test('mounts of both versions are read, others are not', () => {
  const mountinfo = `
25 1 0:23 / /proc rw,relatime shared:5 - proc proc rw
30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate
31 25 0:27 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
32 25 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:1 master:2 - cgroup cgroup rw,cpu,cpuacct
`;
  expect(parseMounts(mountinfo)).toEqual([
    { root: '/', point: '/sys/fs/cgroup', kind: 'v2', options: ['rw', 'nsdelegate'] },
    { root: '/docker/abc', point: '/sys/fs/cgroup/memory', kind: 'v1', options: ['rw', 'memory'] },
    { root: '/', point: '/sys/fs/cgroup/cpu,cpuacct', kind: 'v1', options: ['rw', 'cpu', 'cpuacct'] },
  ]);
});

test('memberships are read by controller, with colons in their paths', () => {
  const memberships = parseMemberships('5:cpu,cpuacct:/a\n4:memory:/b:c\n0::/user.slice\n');
  expect(Object.fromEntries(memberships)).toEqual({
    cpu: '/a',
    cpuacct: '/a',
    memory: '/b:c',
    '': '/user.slice',
  });
});

test('a plan reads only in folders that it makes', () => {
  for (const { folders, readings, memory, pids } of cgroupPlans()) {
    for (const { folder } of readings) expect(folders).toContain(folder);
    for (const folder of [memory, pids]) if (folder !== null) expect(folders).toContain(folder);
  }
});
