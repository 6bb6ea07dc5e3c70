/** What the official visualizer draws of one case: it is run in the sandbox, and what it writes is handed back. */
import { UserError } from '../../../core/errors.ts';
import { decodeFolder, encodeFolder } from '../../../core/folder-archive.ts';
import type { ProgramFiles, Sandbox } from '../../../core/sandbox.ts';
import { toolProgram } from '../../../families/ahc/judge/evaluate.ts';
import { scoreIn } from '../../../families/ahc/judge/verdict.ts';

export type Drawing = {
  /** By name: `vis.html`, `out.svg`. Empty where nothing was drawn. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly score: number | null;
  /** All that the visualizer said. */
  readonly said: string;
};

const names = { input: 'input.txt', output: 'output.txt' };
const drawn = /\.(html?|svg|png|gif)$/i;

/** The tool that draws. Throws `UserError` where the contest has none. */
export function visualizerOf(binaries: readonly string[] | undefined): string {
  const found = ['vis', 'visualizer'].find((name) => binaries?.includes(name));
  if (found) return found;
  throw new UserError({
    code: 'contest-no-visualizer-among-tools',
    what: 'This contest has no visualizer among its tools.',
    why: binaries ? `Its tools are ${binaries.join(', ')}.` : 'It has no tools at all.',
    fix: 'Look into tools/visualizer: the page of the contest may have one for the browser.',
  });
}

export async function draw(
  sandbox: Sandbox,
  job: {
    readonly crate: ProgramFiles;
    readonly binary: string;
    readonly input: string;
    readonly output: string;
  },
  signal: AbortSignal,
): Promise<Drawing | { readonly digest: string }> {
  const encoder = new TextEncoder();
  const file = (path: string, text: string) => ({
    type: 'file' as const,
    path,
    executable: false,
    bytes: encoder.encode(text),
  });
  const { run, compile, folder } = await sandbox.exec(
    {
      ...toolProgram(job.crate, job.binary),
      args: [names.input, names.output],
      folder: encodeFolder([file(names.input, job.input), file(names.output, job.output)]),
      keepFolder: true,
      maxFolderBytes: 256 * 1024 * 1024,
      limits: { wallMs: 60_000, cpuMs: 60_000 },
    },
    signal,
  );
  signal.throwIfAborted();
  if (!run) return { digest: compile?.digest ?? '' };
  const said = [run.stdout.text, run.stderr.text]
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n');
  const files = folder ? decodeFolder(folder) : [];
  const made = files.flatMap((entry) =>
    entry.type === 'file' && drawn.test(entry.path) && !Object.hasOwn(job.crate, entry.path)
      ? [[entry.path.split('/').at(-1) ?? entry.path, entry.bytes] as const]
      : [],
  );
  return { files: Object.fromEntries(made), score: scoreIn(said), said };
}
