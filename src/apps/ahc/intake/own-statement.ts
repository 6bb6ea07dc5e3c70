/**
 * A statement in Markdown, written by its user or taken from another page, in the form of a task's page: so limits,
 * direction and formats are found in it as in every other. What it says of anything else stays text.
 */
import { renderMarkup } from '../../../text/markup.ts';

/** Headings of any level divide it; blocks in fences are formats and samples, `$x$` are variables. */
export function pageOfStatement(markdown: string): string {
  const lines = markdown.split(/\r?\n/);
  const title = lines.map((line) => headingIn(line)).find((heading) => heading?.level === 1)?.words ?? '';
  let isBlock = false;
  const body = lines.map((line) => {
    const heading = isBlock ? null : headingIn(line);
    if (heading) return heading.level === 1 ? '' : `<h3>${renderMarkup(heading.words)}</h3>`;
    if (!line.startsWith('```')) return `${withVariables(line)}\n`;
    isBlock = !isBlock;
    return isBlock ? '<pre>' : '</pre>\n';
  });
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8"></head><body>
<span class="h2">${renderMarkup(title)}</span>
<div id="task-statement">${body.join('')}</div>
</body></html>
`;
}

function headingIn(line: string): { readonly level: number; readonly words: string } | null {
  const [, signs, words] = /^(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? [];
  if (signs === undefined || words === undefined) return null;
  // A heading in bold is a heading.
  return { level: signs.length, words: words.trim().replaceAll(/^[*_]+|[*_]+$/g, '') };
}

function withVariables(text: string): string {
  return renderMarkup(text).replaceAll(/\$([^$\n]+)\$/g, '<var>$1</var>');
}
