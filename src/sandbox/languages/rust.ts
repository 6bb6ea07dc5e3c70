/** Rust by Debian's rustc, or by its cargo if there is a Cargo.toml. Other users cannot run what rustup installs. */
// Crates come from `vendor` or from Debian, which has one version of each: so a Cargo.lock that names others is put aside.
import { outputFolder, programInside } from '../layout.ts';
import { digestMessages } from '../messages/digest.ts';
import { readRustMessages } from '../messages/readers.ts';
import { installHint } from '../needs.ts';
import type { Language, Source, Step, Tool } from './language.ts';
import { anywhere, firstThatAnswers, type Host, identityOf, isIncluded } from './language.ts';

const output = `${outputFolder}/main`;
const edition = '2021';
const registry = '/usr/share/cargo/registry';
const silent = '-Awarnings';
/** What a debugger would want is most of a program, and programs are written anew for each case. */
const stripped = '-Cstrip=symbols';
/** Those that tools of contests ask for. */
const toldCrates =
  'rand rand_chacha rand_pcg itertools clap num proconio svg rustc-hash petgraph ac-library-rs'.split(' ');

/** $1 is cargo's command; the output is a folder archive. Offline, because else a missing crate is told differently. */
const building = `
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
    if (rustc === null) return [];
    const cargo = await firstThatAnswers(host, anywhere('cargo'), cargoVersion);
    return [await tool(host, rustc, cargo)];
  },
};

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

async function tool(host: Host, rustc: Found, cargo: Found | null): Promise<Tool> {
  const listed = cargo && (await host.answer({ command: ['/bin/ls', registry] }, [registry]));
  const files = [rustc.path, registry, ...(cargo === null ? [] : [cargo.path])];
  const compileWith = (last: readonly string[], { flags = [] }: Source) => [
    ...[rustc.path, '--edition', edition, '-Copt-level=3', silent, stripped],
    ...[...last, ...flags, rust.sourceFile],
  ];
  return {
    name: 'rustc',
    version: rustc.version,
    level: `edition ${edition}, opt-level 3`,
    notes: notesOf(cargo, crateVersions(listed ?? '')),
    identity: await identityOf(host, [rustc.version, cargo?.version ?? '', stripped], files),
    sourceFile: (source) =>
      !isProject(source) ? rust.sourceFile : source.source === '' ? null : 'src/main.rs',
    // rustc compiles the parts of a crate side by side.
    compilerThreads: 64,
    reads: (path, source) => isProject(source) || path.endsWith('.rs') || isIncluded(path, source),
    compile: (source) =>
      isProject(source)
        ? { ...cargoStep('build', source), collectPath: output, isBundle: true }
        : { command: compileWith(['-o', `/${output}`], source), collectPath: output },
    check: (source) =>
      isProject(source)
        ? cargoStep('check', source)
        : { command: compileWith(['--emit=metadata', '-o', `/${output}.rmeta`], source) },
    run: () => ({ command: [programInside] }),
    digest: (printed) => [digestMessages(printed, readRustMessages), ...absentCrate(printed)].join('\n'),
  };
}

export function isProject({ files = {} }: Source): boolean {
  return Object.hasOwn(files, 'Cargo.toml');
}

/** The project's own configuration is its own business. */
function cargoStep(task: 'build' | 'check', { files = {}, flags = [] }: Source): Step {
  const paths = Object.keys(files);
  const isConfigured = paths.some((path) => /^\.cargo\/config(?:\.toml)?$/.test(path));
  const crates = paths.some((path) => path.startsWith('vendor/')) ? 'vendor' : registry;
  const replaced = [
    ...['--config', 'source.crates-io.replace-with="polya"'],
    ...['--config', `source.polya.directory="${crates}"`],
  ];
  const options = [...(isConfigured ? [] : replaced), ...flags];
  return { command: ['/bin/sh', '-c', building, 'cargo', task, ...options] };
}

function notesOf(cargo: Found | null, crates: readonly string[]): readonly string[] {
  const alone = 'A single file has the standard library only.';
  if (cargo === null) return [alone, 'cargo is not there.'];
  const listed = crates.join(', ');
  const there = listed === '' ? 'no crate of Debian’s is there' : `of Debian’s crates there are ${listed}`;
  return [alone, `Files with a Cargo.toml are built by ${cargo.version} without a network: ${there}.`];
}

/** cargo names the crate, but not what to do where there is no network. */
function absentCrate(printed: string): readonly string[] {
  const missing =
    /no matching package(?: named `([^`]+)`)? found|failed to select a version for the requirement `([^\s`=]+)/;
  const [whole, absent, otherVersion] = missing.exec(printed) ?? [];
  if (whole === undefined) return [];
  const name = (absent ?? otherVersion)?.replaceAll('_', '-');
  const orDebian = name === undefined ? '' : `, or Debian’s package librust-${name}-dev if there is one`;
  const vendor = 'crates come from a folder `vendor` of the project, each with its sources';
  return [`There is no network: ${vendor}${orDebian}.`];
}
