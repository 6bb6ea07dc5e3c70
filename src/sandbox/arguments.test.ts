import { expect, test } from 'vitest';
import { bubblewrapArguments, type View } from './machine.ts';

const view: View = {
  runner: '/tmp/polya-0/runner-1',
  passwd: '/tmp/polya-0/passwd-1',
  scratchBytes: 4096,
  filterFd: 3,
  statusFd: 4,
  systemFolders: [
    { path: '/bin', linkTarget: 'usr/bin' },
    { path: '/lib64', linkTarget: null },
  ],
  mounts: [{ source: '/tmp/polya-0/kotlin', target: '/run/polya/kotlin' }],
};
const args = bubblewrapArguments(view);

test('only the system, the runner and a made-up passwd are seen, none to be written', () => {
  const sources = args.flatMap((arg, index) => (/bind/.test(arg) ? [[arg, args[index + 1]]] : []));
  const allowed = ['/usr', '/lib64', '/etc/alternatives', '/etc/ld.so.cache', view.passwd, view.runner];
  allowed.push(...view.mounts.map(({ source }) => source));
  for (const [kind, source] of sources) {
    if (kind === '--dev-bind') expect(source).toMatch(/^\/dev\/(null|zero|full|random|urandom)$/);
    else {
      expect(kind).toMatch(/^--ro-bind/);
      expect(allowed).toContain(source);
    }
  }
});

test('there is one writable place, of limited size', () => {
  expect(args.filter((arg) => arg === '--tmpfs')).toHaveLength(1);
  const at = args.indexOf('--tmpfs');
  expect(args.slice(at - 2, at + 2)).toEqual(['--size', '4096', '--tmpfs', '/scratch']);
});

test('the root is made read-only after everything was put into it', () => {
  const lastChange = Math.max(
    ...['--symlink', '--dir', '--ro-bind', '--proc'].map((name) => args.lastIndexOf(name)),
  );
  expect(args.indexOf('--remount-ro')).toBeGreaterThan(lastChange);
});

test('the host’s layout is kept: links as links, folders as folders', () => {
  expect(args.join(' ')).toContain('--symlink usr/bin /bin --ro-bind /lib64 /lib64');
});
