/** A proof in the other forms that people ask for: made of its Markdown by pandoc, where that is installed. */
import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import { UnavailableError } from '../../../core/errors.ts';

export const pandocFormats = ['html', 'latex', 'pdf'] as const;
export type PandocFormat = (typeof pandocFormats)[number];

/** No HTML and no TeX of the Markdown is obeyed but its formulas; formulas in HTML need no network. */
const from = 'commonmark+tex_math_dollars+pipe_tables-raw_html';
const options = (format: PandocFormat): readonly string[] => [
  `--from=${from}`,
  `--to=${format}`,
  '--standalone',
  ...(format === 'html' ? ['--mathml'] : []),
  // The older engine does not know every letter that models write.
  ...(format === 'pdf' ? ['--pdf-engine=xelatex'] : []),
  '--output=-',
];

export async function byPandoc(
  markdown: string,
  {
    format,
    title,
    env,
  }: { readonly format: PandocFormat; readonly title: string; readonly env: Environment },
): Promise<Uint8Array> {
  const child = spawn('pandoc', [...options(format), `--metadata=pagetitle:${title}`], { env });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // It may end before it has read everything; its exit code tells.
  child.stdin.on('error', () => undefined);
  child.stdin.end(markdown);
  try {
    const [code, created, errors] = await Promise.all([ended, buffer(child.stdout), text(child.stderr)]);
    if (code === 0) return created;
    throw failed(format, errors);
  } catch (error) {
    throw error instanceof UnavailableError ? error : missing(format, error);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

function missing(format: PandocFormat, error: unknown): UnavailableError {
  const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const command = `pandoc ${options(format).slice(0, -1).join(' ')} proof.md --output proof.${format === 'latex' ? 'tex' : format}`;
  return new UnavailableError({
    code: 'pandoc-missing',
    what: isAbsent ? 'pandoc is not installed.' : `pandoc cannot be started: ${String(error)}.`,
    why: `It makes the ${format} of the Markdown that Polya writes.`,
    fix: `Install it (Debian: \`apt install pandoc\`${format === 'pdf' ? ' and `texlive-xetex`' : ''}; macOS: \`brew install pandoc\`), or write \`--format markdown --out proof.md\` and call elsewhere: \`${command}\`.`,
  });
}

function failed(format: PandocFormat, errors: string): UnavailableError {
  return new UnavailableError({
    code: 'pandoc-failed',
    what: `pandoc could not make the ${format}.`,
    why: errors.trim().slice(0, 1_000) || 'It says no reason.',
    fix:
      format === 'pdf'
        ? 'Its PDF needs XeLaTeX (Debian: `apt install texlive-xetex`); `--format markdown` needs nothing.'
        : '`--format markdown` needs no pandoc.',
  });
}
