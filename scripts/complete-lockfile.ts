/**
 * Adds to package-lock.json the optional packages for other platforms that the registry in use did not have when the
 * lockfile was made: `npm install` leaves them out in silence, and `npm ci` then refuses the whole file. Each is pinned
 * to the version its parent asks for; a machine of that platform fetches it, all others never look.
 * Run it after every `npm install`: `npm run lock`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Entry = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};
type Lockfile = { packages: Record<string, Entry> };

/** `package path → entry` of every optional package that is asked for and not there. */
export function missingOptional({ packages }: Lockfile): Map<string, Entry> {
  const missing = new Map<string, Entry>();
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (packages[`node_modules/${name}`] || packages[`${path}/node_modules/${name}`]) continue;
      const entry = { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) };
      missing.set(`node_modules/${name}`, entry);
    }
  }
  return missing;
}

/** `@biomejs/cli-win32-x64` → `{os: ['win32'], cpu: ['x64']}`: without these, npm would try it on every machine. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const os = /\b(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|aix|win32)\b/.exec(name)?.[1];
  const cpu = /\b(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64|mips64el|wasm32)\b/.exec(name)?.[1];
  const libc = /\b(musl|gnu)/.exec(name)?.[1];
  return {
    ...(os ? { os: [os] } : {}),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(libc ? { libc: [libc === 'gnu' ? 'glibc' : libc] } : {}),
  };
}

export const lockfiles = ['package-lock.json', 'site/package-lock.json'].map((path) =>
  join(import.meta.dirname, '..', path),
);

if (import.meta.main) {
  for (const file of lockfiles) {
    const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
    const missing = missingOptional(lockfile);
    Object.assign(lockfile.packages, Object.fromEntries(missing));
    lockfile.packages = Object.fromEntries(
      Object.entries(lockfile.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
    console.log(`${missing.size} packages for other platforms added to ${file}`);
  }
}
