/** Rust by the newest of the user's own toolchains and the system's; by its cargo if there is a Cargo.toml. */
// Crates come from `vendor` or from Debian, which has one version of each: so a Cargo.lock that names others is put aside.
import { posix } from 'node:path';
import type { Mount } from '../backend.ts';
import { isAtLeast } from '../executables.ts';
import { outputFolder, programInside } from '../layout.ts';
import { digestMessages } from '../messages/digest.ts';
import { readRustMessages } from '../messages/readers.ts';
import { installHint } from '../needs.ts';
import type { Language, Source, Tool } from './language.ts';
import { anywhere, firstThatAnswers, type Host, identityOf, isIncluded, toolsInside } from './language.ts';
import { rustupToolchains } from './rustup.ts';

const output = `${outputFolder}/main`;
const edition = '2021';
const registry = '/usr/share/cargo/registry';
const silent = '-Awarnings';
/** What a debugger would want is most of a program, and programs are written anew for each case. */
const stripped = '-Cstrip=symbols';
/** The crates that tools of contests use. */
const toldCrates =
  'rand rand_chacha rand_pcg itertools clap num proconio svg rustc-hash petgraph ac-library-rs'.split(' ');

/** $1 is where cargo and rustc lie, $2 cargo's command; the output is a folder archive. Offline, because else a missing crate is told differently. */
const building = `
export PATH=$1:$PATH; shift
export CARGO_HOME=/${outputFolder}/cargo CARGO_TARGET_DIR=/${outputFolder}/target RUSTFLAGS='${silent} ${stripped}' CARGO_TERM_COLOR=never
task=$1; shift
[ -d vendor ] || rm -f Cargo.lock
cargo "$task" --release --offline --quiet "$@" || exit
[ "$task" = build ] || exit 0
cd /${outputFolder}/target/release && for name in *; do
  [ -f "$name" ] && [ -x "$name" ] || continue
  case $name in *.so) continue ;; esac
  printf 'path %d\\n%sexecutable %d\\n' "\${#name}" "$name" "$(stat -c %s "$name")" && cat "$name" || exit
done > /${output} && printf 'end 0\\n' >> /${output}
`;

export const rust: Language = {
  id: 'rust',
  title: 'Rust',
  sourceFile: 'main.rs',
  installHint: installHint('rustc cargo'),
  async find(host) {
    const rustc = await firstThatAnswers(host, anywhere('rustc'), rustcVersion);
    const cargo = await firstThatAnswers(host, anywhere('cargo'), cargoVersion);
    const system = rustc && { rustc, cargo, mounts: [], files: [rustc.path, ...(cargo ? [cargo.path] : [])] };
    // Of equal versions the user's own wins, because it comes first.
    const [toolchain] = [...(await usersOwn(host)), ...(system ? [system] : [])].toSorted((one, other) =>
      isNewer(other, one) ? 1 : isNewer(one, other) ? -1 : 0,
    );
    return toolchain === undefined ? [] : [await tool(host, toolchain)];
  },
};

/** `files`: on the host, those that change with it. */
type Toolchain = {
  readonly rustc: Found;
  readonly cargo: Found | null;
  readonly mounts: readonly Mount[];
  readonly files: readonly string[];
};

function isNewer(one: Toolchain, other: Toolchain): boolean {
  const [version = '', limit = ''] = [one, other].map(({ rustc }) => rustc.version.replace('rustc ', ''));
  return isAtLeast(version, limit) && !isAtLeast(limit, version);
}

const ownInside = `${toolsInside}/rust`;

/** What rustup installed for the user, read-only; nothing else of the user's folder is seen inside. */
async function usersOwn(host: Host): Promise<readonly Toolchain[]> {
  const dirs = await rustupToolchains(host.env);
  const found = await Promise.all(
    dirs.map(async (folder): Promise<Toolchain | null> => {
      const files = ['rustc', 'cargo'].map((name) => posix.join(folder, 'bin', name));
      const source = await host.shareFolder(folder, ['bin', 'lib']).catch(() => null);
      if (source === null) return null;
      const mounts = [{ source, target: ownInside }];
      const request = async (name: string, version: (printed: string) => string | null) => {
        const path = `${ownInside}/bin/${name}`;
        const printed = await host.answer({ command: [path, '--version'], mounts }, files);
        const text = version(printed ?? '');
        return text === null ? null : { path, version: text };
      };
      const [rustc, cargo] = [await request('rustc', rustcVersion), await request('cargo', cargoVersion)];
      return rustc && cargo && { rustc, cargo, mounts, files };
    }),
  );
  return found.filter((each) => each !== null);
}

export function rustcVersion(printed: string): string | null {
  return /^rustc \d+(?:\.\d+)+/.exec(printed)?.[0] ?? null;
}

export function cargoVersion(printed: string): string | null {
  return /^cargo \d+(?:\.\d+)+/.exec(printed)?.[0] ?? null;
}

/** Folder names are `rand_chacha-0.3.1`. */
export function crateVersions(printed: string): readonly string[] {
  return toldCrates.flatMap((name) => {
    const found = printed.matchAll(new RegExp(`^${name}-(\\d+\\.\\d+.*)$`, 'gm'));
    return [...found].map(([, version]) => `${name} ${version}`);
  });
}

type Found = { readonly path: string; readonly version: string };

async function tool(host: Host, { rustc, cargo, mounts, files: own }: Toolchain): Promise<Tool> {
  const entry = cargo && (await host.answer({ command: ['/bin/ls', registry] }, [registry]));
  const files = [...own, registry];
  const bin = posix.dirname(rustc.path);
  const compileWith = (last: readonly string[], { flags = [] }: Source) => [
    ...[rustc.path, '--edition', edition, '-Copt-level=3', silent, stripped],
    ...[...last, ...flags, rust.sourceFile],
  ];
  return {
    name: 'rustc',
    version: rustc.version,
    level: `edition ${edition}, opt-level 3`,
    notes: notesOf(cargo, crateVersions(entry ?? '')),
    identity: await identityOf(host, [rustc.version, cargo?.version ?? '', stripped], files),
    sourceFile: (source) =>
      !isProject(source) ? rust.sourceFile : source.source === '' ? null : 'src/main.rs',
    // rustc compiles the parts of a crate side by side.
    compilerThreads: 64,
    reads: (path, source) => isProject(source) || path.endsWith('.rs') || isIncluded(path, source),
    staged: mounts.map(({ source }) => posix.join(source, 'bin', 'rustc')),
    compile: (source) =>
      isProject(source)
        ? { command: cargoCommand(bin, 'build', source), mounts, collectPath: output, isBundle: true }
        : { command: compileWith(['-o', `/${output}`], source), mounts, collectPath: output },
    check: (source) =>
      isProject(source)
        ? { command: cargoCommand(bin, 'check', source), mounts }
        : { command: compileWith(['--emit=metadata', '-o', `/${output}.rmeta`], source), mounts },
    run: () => ({ command: [programInside] }),
    digest: (printed) => [digestMessages(printed, readRustMessages), ...absentCrate(printed)].join('\n'),
  };
}

export function isProject({ files = {} }: Source): boolean {
  return Object.hasOwn(files, 'Cargo.toml');
}

/** The project's own configuration is its own business. */
function cargoCommand(bin: string, task: 'build' | 'check', { files = {}, flags = [] }: Source) {
  const paths = Object.keys(files);
  const isConfigured = paths.some((path) => /^\.cargo\/config(?:\.toml)?$/.test(path));
  const crates = paths.some((path) => path.startsWith('vendor/')) ? 'vendor' : registry;
  const replaced = [
    ...['--config', 'source.crates-io.replace-with="polya"'],
    ...['--config', `source.polya.directory="${crates}"`],
  ];
  const options = [...(isConfigured ? [] : replaced), ...flags];
  return ['/bin/sh', '-c', building, 'cargo', bin, task, ...options];
}

function notesOf(cargo: Found | null, crates: readonly string[]): readonly string[] {
  const single = 'A single file has the standard library only.';
  if (cargo === null) return [single, 'cargo is not there.'];
  const entry = crates.join(', ');
  const existing = entry === '' ? 'no crate of Debian’s is there' : `of Debian’s crates there are ${entry}`;
  return [single, `Files with a Cargo.toml are built by ${cargo.version} without a network: ${existing}.`];
}

/** cargo names the crate, but not what to do where there is no network. */
function absentCrate(printed: string): readonly string[] {
  const missing =
    /no matching package(?: named `([^`]+)`)? found|failed to select a version for the requirement `([^\s`=]+)/;
  const [text, absent, otherVersion] = missing.exec(printed) ?? [];
  if (text === undefined) return [];
  const name = (absent ?? otherVersion)?.replaceAll('_', '-');
  const orDebian = name === undefined ? '' : `, or Debian’s package librust-${name}-dev if there is one`;
  const vendor = 'crates come from a folder `vendor` of the project, each with its sources';
  return [`There is no network: ${vendor}${orDebian}.`];
}
