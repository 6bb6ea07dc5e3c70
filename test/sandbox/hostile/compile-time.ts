/** Code that a compiler runs: build scripts, procedural macros, plugins. And what a program leaves for later compilers. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecRequest, ExecResult } from '../../../src/core/sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Bench } from '../bench.ts';

const secret = `polya-canary-${process.pid}-compile-time`;

export function compileTimeTests(bench: Bench): void {
  if (!bench.isolates) return;
  describe('code at compile time', () => {
    if (bench.scope === 'everything') probeTests(bench);
    poisonTests(bench);
  });
}

/** Tells what it can see, reach and change. */
function probe(port: number, folder: string): string {
  return `
import glob, os, socket, sys
told = []
secret = ${JSON.stringify(secret)}
def text(path):
    try:
        with open(path, 'rb') as f: return f.read(1 << 20).decode('latin1')
    except OSError: return ''
for path in [*glob.glob('/proc/*/environ'), *glob.glob('/proc/*/cmdline'), ${JSON.stringify(join(folder, 'secret'))}]:
    if secret in text(path): told.append('secret in ' + path)
for path in ['/etc/shadow', '/etc/machine-id', ${JSON.stringify(process.cwd())}, ${JSON.stringify(homedir())}, '/root', '/home', '/var/run/docker.sock', '/run/docker.sock']:
    if text(path) or os.path.isdir(path) and os.listdir(path): told.append('read ' + path)
home = os.path.realpath(os.environ.get('HOME', '/tmp'))
told += ['home ' + home] if not home.startswith(os.path.realpath('/scratch')) and home not in ('/tmp', '/') else []
told += ['variable ' + name for name in os.environ if name.startswith(('POLYA_', 'NODE_', 'npm_', 'XDG_', 'SSH_'))]
for kind, address in [(socket.SOCK_STREAM, ('127.0.0.1', ${port})), (socket.SOCK_STREAM, ('1.1.1.1', 53)), (socket.SOCK_DGRAM, ('1.1.1.1', 53))]:
    try:
        with socket.socket(socket.AF_INET, kind) as s:
            s.settimeout(5); s.connect(address); s.send(b'x'); told.append('reached %s' % (address,))
    except OSError: pass
scratch = os.path.realpath('/scratch')
for folder, folders, names in os.walk('/'):
    if folder == '/': folders[:] = [name for name in folders if name not in ('proc', 'sys')]
    if folder.startswith(scratch) or os.path.realpath(folder).startswith(scratch): folders[:] = []; continue
    path = folder + '/polya-test'
    try:
        open(path, 'w').close(); os.remove(path); told.append('wrote into ' + folder)
    except OSError: pass
    if folder.startswith('/run'):
        for name in names:
            try:
                open(folder + '/' + name, 'r+b').close(); told.append('opened ' + folder + '/' + name)
            except OSError: pass
sys.stderr.write('PROBED ' + repr(told) + '\\n')`;
}

function probeTests({ exec, sandbox }: Bench): void {
  let server: Server;
  let callers = 0;
  let source = '';
  beforeAll(async () => {
    process.env.POLYA_TEST_API_KEY = secret;
    const folder = temporaryFolder('compile-time');
    writeFileSync(join(folder, 'secret'), secret);
    server = createServer(() => {
      callers += 1;
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    source = probe(typeof address === 'object' ? (address?.port ?? 0) : 0, folder);
  });
  afterAll(() => {
    delete process.env.POLYA_TEST_API_KEY;
    server.close();
  });

  /** The probe ran in the compiler, and had nothing to tell. */
  const expectNothing = ({ compile, run }: ExecResult) => {
    const told = `${compile?.stdout.text}${compile?.stderr.text}`;
    expect(told).toContain('PROBED []');
    expect(told).not.toContain(secret);
    expect([run, callers]).toEqual([null, 0]);
  };
  const hasTool = async (name: string, note = /./) =>
    (await sandbox.info()).toolchains.some((each) => each.name === name && note.test(`${each.notes} `));

  test('the plugin of g++ sees no secret, no network, no home, and changes nothing', async () => {
    const folder = temporaryFolder('plugin');
    const code = `#include <stdlib.h>\n__attribute__((constructor)) static void run(void) { unsetenv("LD_PRELOAD"); if (system("python3 probe.py")) exit(1); exit(1); }`;
    writeFileSync(join(folder, 'evil.c'), code);
    execFileSync('gcc', ['-shared', '-fPIC', '-o', join(folder, 'evil.so'), join(folder, 'evil.c')]);
    const files = { 'evil.so': readFileSync(join(folder, 'evil.so')), 'probe.py': source };
    expectNothing(
      await exec({
        language: 'cpp',
        source: '#include "probe.py"\nint main() {}',
        files,
        flags: ['-fplugin=./evil.so'],
      }),
    );
  });

  test('a build script and a procedural macro of cargo', async () => {
    if (!(await hasTool('rustc', /cargo/))) return;
    const script = `let done = std::process::Command::new("python3").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/probe.py")).output().unwrap();
panic!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));`;
    const manifest = '[package]\nname = "NAME"\nversion = "0.1.0"\nedition = "2021"\n';
    const main = manifest.replace('NAME', 'x');
    expectNothing(
      await exec({
        language: 'rust',
        source: 'fn main() {}',
        files: {
          'Cargo.toml': `${main}build = "build.rs"\n`,
          'build.rs': `fn main() { ${script} }`,
          'probe.py': source,
        },
      }),
    );
    expectNothing(
      await exec({
        language: 'rust',
        source: '#[evil::nothing] fn f() {}\nfn main() { f() }',
        files: {
          'Cargo.toml': `${main}[dependencies]\nevil = { path = "evil" }\n`,
          'evil/Cargo.toml': `${manifest.replace('NAME', 'evil')}[lib]\nproc-macro = true\n`,
          'evil/src/lib.rs': `use proc_macro::TokenStream;\n#[proc_macro_attribute]\npub fn nothing(_: TokenStream, _: TokenStream) -> TokenStream { ${script} }`,
          'evil/probe.py': source,
        },
      }),
    );
  });

  test('the plugin of Kotlin’s compiler', async () => {
    const classes = '/run/polya/kotlin/kotlin-compiler.jar:/run/polya/kotlin/kotlin-stdlib.jar';
    const made = await exec({
      language: 'kotlin',
      flags: ['-cp', classes],
      source: `
@file:OptIn(org.jetbrains.kotlin.compiler.plugin.ExperimentalCompilerApi::class)
import org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar
import org.jetbrains.kotlin.config.CompilerConfiguration
class Evil : CompilerPluginRegistrar() {
  override val pluginId = "evil"
  override val supportsK2 = true
  override fun ExtensionStorage.registerExtensions(configuration: CompilerConfiguration) {
    val done = ProcessBuilder("python3", "probe.py").redirectErrorStream(true).start()
    System.err.print(done.inputStream.readBytes().decodeToString())
    throw IllegalStateException("enough")
  }
}
class Here
fun main() {
  val jar = java.io.File(Here::class.java.protectionDomain.codeSource.location.path)
  print(java.util.Base64.getEncoder().encodeToString(jar.readBytes()))
}`,
      limits: { outputBytes: 8 << 20 },
    });
    expect(made.run?.verdict, made.compile?.digest).toBe('ok');
    const jar = unzipSync(Buffer.from(made.run?.stdout.text ?? '', 'base64'));
    const service = 'META-INF/services/org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar';
    const plugin = zipSync({ ...jar, [service]: Buffer.from('Evil') });
    expectNothing(
      await exec({
        language: 'kotlin',
        source: 'fun main() {}',
        flags: ['-Xplugin=evil.jar'],
        files: { 'evil.jar': plugin, 'probe.py': source },
      }),
    );
  });

  test('Mono’s compiler runs no code, and embeds no file of the host', async () => {
    if (!(await hasTool('mono'))) return;
    // It knows no analyzers, and says nothing of the option.
    for (const [flag, verdict] of [
      ['-analyzer:evil.dll', 'ok'],
      ['-resource:/etc/shadow', 'exit'],
      [`-resource:${homedir()}/.profile`, 'exit'],
      ['-r:/root/x.dll', 'exit'],
    ] as const) {
      const request = {
        language: 'csharp',
        toolchain: 'mono',
        source: 'class P { static void Main() {} }',
      } as const;
      const { compile } = await exec({
        ...request,
        flags: [flag],
        files: { 'evil.dll': Buffer.from('MZ') },
      });
      expect([flag, compile?.verdict]).toEqual([flag, verdict]);
    }
  });
}

/** Where compilers and runtimes keep or look for something, in their user's home and in the temporary folder. */
const poison = `
import os, sys
homes = {os.environ.get('HOME', '/tmp'), '/tmp', '/box', '.', '/dev/shm', '/scratch', '/root', '/home'}
files = {
    '.cargo/config.toml': '[build]\\nrustc-wrapper = "/tmp/evil.sh"\\n', '.cargo/bin/rustc': '#!/bin/sh\\nexit 1\\n',
    '.cache/ccache/ccache.conf': 'x', '.ccache/ccache.conf': 'x', '.config/ccache/ccache.conf': 'x',
    '.kotlin/daemon/x.run': 'x', '.gradle/init.gradle': 'x', '.m2/settings.xml': 'x', '.java/.userPrefs/x': 'x',
    '.nuget/NuGet/NuGet.Config': 'x', '.config/NuGet/NuGet.Config': 'x', '.mono/x': 'x', 'Directory.Build.props': '<x/>', 'global.json': '{',
    '.local/lib/python3.11/site-packages/usercustomize.py': 'print("poisoned")', 'sitecustomize.py': 'print("poisoned")',
    'bits/stdc++.h': '#error poisoned', 'bits/stdc++.h.gch': 'x', 'stdc++.h.gch': 'x', 'every.hpp.gch': 'x', 'vector': '#error poisoned',
    'hsperfdata_x/1': 'x', 'main.cpp': '#error poisoned', 'main.kt': 'x', 'main.rs': 'x', 'main.cs': 'x', '.java_pid1': 'x',
    'random.py': 'print("poisoned")', '__pycache__/main.cpython-311.pyc': 'x', 'target/release/x': 'x', 'ld': 'x', 'as': 'x', 'evil.sh': 'x',
}
wrote = 0
for home in homes:
    for name, content in files.items():
        try:
            path = os.path.join(home, name); os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, 'w').write(content); os.chmod(path, 0o755); wrote += 1
        except OSError: pass
for folder in ['/run/polya', '/usr/include/c++', '/usr/share/cargo', '/etc', '/var/tmp']:
    for at, _, names in os.walk(folder):
        for name in [*names, 'evil']:
            try:
                path = os.path.join(at, name)
                if os.path.exists(path) and not os.path.isfile(path): continue
                open(path, 'ab').close()
                if not os.path.realpath(at).startswith(os.path.realpath('/scratch')): print('opened', at, name)
            except OSError: pass
print(wrote > 50)`;

const honest: Readonly<Record<string, string>> = {
  python: 'import random\nprint("honest")',
  cpp: '#include <bits/stdc++.h>\nint main() { std::cout << "honest\\n"; }',
  rust: 'fn main() { println!("honest"); }',
  csharp: 'class P { static void Main() { System.Console.WriteLine("honest"); } }',
  kotlin: 'fun main() { println("honest") }',
};

function poisonTests({ exec, python, scope }: Bench): void {
  const languages = Object.keys(honest).filter((each) => scope === 'everything' || /cpp|python/.test(each));

  test.each(languages)('what a program leaves poisons no later program: %s', async (language) => {
    const step = await python(poison);
    expect(step).toMatchObject({ verdict: 'ok', stdout: { text: 'True\n' }, stderr: { text: '' } });
    const source = honest[language] ?? '';
    // One that is compiled now, by its comment, and then comes out of the cache.
    const comment = `${language === 'python' ? '#' : '//'} ${process.pid} ${performance.now()}\n`;
    const request = { language, source: `${source}\n${comment}` } as ExecRequest;
    for (const cached of [false, true]) {
      const { compile, run } = await exec(request);
      expect(run).toMatchObject({ verdict: 'ok', stdout: { text: 'honest\n' }, stderr: { text: '' } });
      if (compile !== null) expect(compile.cached).toBe(cached);
    }
  });
}
