/**
 * Which Rust the sources of official tools want, and whether the one that is here will do. What cargo itself enforces is
 * sure before anything is built; words of the language in the sources are told where a build has failed. Pure.
 */
import type { ProgramFiles, SandboxInfo } from '../../../core/sandbox.ts';
import features from './rust-features.json' with { type: 'json' };

export type RustShortfall = {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  /** False where it is concluded from words in the sources. */
  readonly isSure: boolean;
};

/** Null where nothing says that a newer Rust is wanted than there is. `info` is null where there is no sandbox. */
export function rustShortfall(crate: ProgramFiles, info: SandboxInfo | null): RustShortfall | null {
  const here = info?.toolchains.find(({ language }) => language === 'rust')?.version;
  if (here === undefined) return null;
  const version = here.replace(/^\D+/, '');
  const newer = wants(crate).filter(({ since }) => compare(since, version) > 0);
  const most = newer.toSorted((a, b) => compare(b.since, a.since));
  const [first] = most;
  if (first === undefined) return null;
  const because = [...new Set(most.map((each) => `${each.because} (${each.since})`))];
  return {
    what: `The tools want Rust ${first.since} or newer, and the sandbox has ${here}.`,
    why: `It is wanted by ${because.slice(0, 3).join(', ')}.`,
    fix: newerRust,
    isSure: newer.some(({ isSure }) => isSure),
  };
}

const newerRust =
  'Install a newer one: `rustup update stable` (rustup is found in your home, and only its toolchain is seen inside), or on Debian 12 `sudo apt-get install rustc-web cargo-web`, which `polya setup` does.';

/** Also with other quotes, behind `package.`, or in a table on one line; not in a comment or a string. */
function namedIn(key: string, manifest: string): string | undefined {
  const before = `(?:(?:[^#"'\\n]|"[^"\\n]*"|'[^'\\n]*')*[\\s{,.])?`;
  return new RegExp(`^${before}(["']?)${key}\\1\\s*=\\s*["']([\\d.]+)["']`, 'm').exec(manifest)?.[2];
}

type Wanted = { readonly since: string; readonly because: string; readonly isSure: boolean };

/** The edition and the lockfile have numbers of their own. */
const sinceEdition: Readonly<Record<string, string>> = { 2021: '1.56', 2024: '1.85' };
const sinceLock: Readonly<Record<string, string>> = { 3: '1.53', 4: '1.78' };

function wants(crate: ProgramFiles): Wanted[] {
  return Object.entries(crate).flatMap(([path, content]): Wanted[] => {
    const sure = (since: string | undefined, because: string) =>
      since === undefined ? [] : [{ since, because, isSure: true }];
    if (/(^|\/)Cargo\.toml$/.test(path) && path.split('/').length <= 3) {
      const text = textOf(content);
      const [own, edition] = [namedIn('rust-version', text), namedIn('edition', text)];
      return [
        ...sure(own, `rust-version in ${path}`),
        ...sure(sinceEdition[edition ?? ''], `edition ${edition} in ${path}`),
      ];
    }
    if (path === 'Cargo.lock') {
      const number = /^version = (\d+)/m.exec(textOf(content))?.[1];
      return sure(sinceLock[number ?? ''], `the form of ${path}`);
    }
    if (/^rust-toolchain(\.toml)?$/.test(path)) {
      // Rustup reads it; cargo does not, so an older one may do as well.
      const channel = /^(?:\s*channel\s*=\s*["'])?(\d+\.\d+)/m.exec(textOf(content))?.[1];
      return channel ? [{ since: channel, because: `the toolchain that ${path} names`, isSure: false }] : [];
    }
    if (!/\.rs$/.test(path) || path.startsWith('vendor/')) return [];
    const text = textOf(content).replaceAll(/\/\/[^\n]*/g, '');
    return features.flatMap(({ since, name, pattern }) =>
      new RegExp(pattern).test(text) ? [{ since, because: `\`${name}\` in ${path}`, isSure: false }] : [],
    );
  });
}

function textOf(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

/** Above 0 where the first is newer. */
function compare(one: string, other: string): number {
  const numberOf = (text: string) => {
    const [major = 0, minor = 0] = text.split('.').map(Number);
    return major * 10_000 + minor;
  };
  return numberOf(one) - numberOf(other);
}
