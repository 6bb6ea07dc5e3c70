/**
 * A sandbox for tests of the run: a program is a list of `write PATH TEXT`, `append PATH TEXT`, `remove PATH`,
 * `fill PATH BYTES`, `say TEXT`, `broken` (it does not compile), `odd` (no two runs of it say the same) and `wait` (until
 * it is broken off, unless the sandbox does not wait). It prints what lies in its folder. Nothing is executed and no time passes.
 */
import { decodeFolder, encodeFolder } from '../../src/core/folder-archive.ts';
import type { ExecRequest, ExecResult, Sandbox, SandboxInfo, StepResult } from '../../src/core/sandbox.ts';
import { noSandbox } from './no-sandbox.ts';

type Files = Map<string, Uint8Array>;

export function toySandbox(
  onPerform: (moment: 'before' | 'during' | 'after', key: string) => void = () => undefined,
  { waits = true } = {},
): Sandbox {
  return {
    ...noSandbox,
    async exec(request, signal) {
      const key = `exec ${request.source.split('\n')[0]}`;
      onPerform('before', key);
      onPerform('during', key);
      const isWaiting = waits && request.source.split('\n').includes('wait');
      if (isWaiting) await aborted(signal);
      const result = run(request, isWaiting);
      onPerform('after', key);
      return result;
    },
  };
}

function run({ source, folder, keepFolder, files = {} }: ExecRequest, isCancelled: boolean): ExecResult {
  const lines = source.split('\n');
  const nothing = { backend: 'toy', compile: null, folder: null, folderBytes: null };
  if (lines.includes('broken')) {
    return { ...nothing, compile: { ...step('no such word', 'exit'), cached: false, digest: '' }, run: null };
  }
  const lying = filesIn(folder ?? null);
  for (const [path, content] of Object.entries(files)) lying.set(path, Buffer.from(content));
  if (isCancelled) return { ...nothing, run: step('', 'cancelled') };
  const said = lines.flatMap((line) => obey(line, lying));
  const archive = encodeFolder(
    [...lying].map(([path, bytes]) => ({ type: 'file', path, executable: false, bytes })),
  );
  const listing = [...lying].map(
    ([path, bytes]) => `${path}=${bytes.length > 40 ? bytes.length : Buffer.from(bytes)}`,
  );
  const text = [...said, ...listing.sort()].join('\n');
  return {
    backend: 'toy',
    compile: null,
    run: step(text, 'ok'),
    folder: keepFolder ? archive : null,
    folderBytes: archive.length,
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function obey(line: string, files: Files): readonly string[] {
  const [verb = '', path = '', ...rest] = line.split(' ');
  const text = rest.join(' ');
  if (verb === 'write') files.set(path, Buffer.from(text));
  if (verb === 'append') files.set(path, Buffer.concat([files.get(path) ?? Buffer.of(), Buffer.from(text)]));
  if (verb === 'remove') files.delete(path);
  if (verb === 'fill') files.set(path, Buffer.alloc(Number(text), path));
  if (verb === 'odd') return [String(performance.now())];
  return verb === 'say' ? [line.slice(4)] : [];
}

function filesIn(folder: Uint8Array | null): Files {
  const entries = folder ? decodeFolder(folder) : [];
  return new Map(
    entries.flatMap((entry) => (entry.type === 'file' ? [[entry.path, entry.bytes] as const] : [])),
  );
}

function step(text: string, verdict: StepResult['verdict']): StepResult {
  const stdout = { text, bytes: text.length, cut: false };
  const exitCode = verdict === 'ok' ? 0 : verdict === 'exit' ? 1 : null;
  const stderr = { text: '', bytes: 0, cut: false };
  return { verdict, exitCode, signal: null, stdout, stderr, wallMs: 1, cpuMs: 1, peakMemoryBytes: 1 };
}

/** What it says of itself to agents that want Python. */
export const toyInfo: SandboxInfo = {
  backend: 'toy',
  version: '1',
  isolation: 'sandbox',
  toolchains: [
    {
      language: 'python',
      name: 'python3',
      version: 'Python 3.11.2',
      level: '',
      notes: [],
      sourceFile: 'main.py',
    },
  ],
  ...limitsOfWords(),
};

function limitsOfWords(): Pick<SandboxInfo, 'limits' | 'compileLimits' | 'enforcement'> {
  const names = [
    'wallMs',
    'cpuMs',
    'memoryBytes',
    'processes',
    'openFiles',
    'fileBytes',
    'diskBytes',
    'outputBytes',
  ];
  const each = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  return { limits: each(1), compileLimits: each(1), enforcement: each('words') } as ReturnType<
    typeof limitsOfWords
  >;
}
