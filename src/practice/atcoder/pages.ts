/** The local AtCoder's pages as HTML, with the elements, classes and words that programs look for on the real site. */
import { renderMarkup } from '../../text/markup.ts';
import type { PracticeContest } from './contest.ts';
import words from './words.json' with { type: 'json' };

/** `old`: sections stand side by side as h3 + section; `doubled`: the statement stands twice, one inside the other. */
export type Layout = 'new' | 'old' | 'doubled';

export type ToolLinks = {
  readonly zip: string | null;
  readonly windowsZip: string | null;
  /** Without its query. */
  readonly visualizer: string | null;
};

export function contestPage(contest: PracticeContest): string {
  const { id, title, start, end } = contest;
  const time = (iso: string): string => `<time class='fixtime fixtime-full'>${formatTokyoTime(iso)}</time>`;
  return page(
    title,
    `<h1 class="text-center"><a class="contest-title" href="/contests/${id}">${renderMarkup(title)}</a></h1>
<small class="contest-duration">Contest Duration: <a href="#">${time(start)}</a> - <a href="#">${time(end)}</a> (local time)</small>
<ul class="nav nav-tabs"><li><a href="/contests/${id}/tasks">Tasks</a></li></ul>
<table class="table"><tbody><tr><td><a href="/contests/${id}/tasks/${id}_a">${renderMarkup(contest.task)}</a></td></tr></tbody></table>`,
  );
}

export function taskPage(
  contest: PracticeContest,
  { layout, links, lang }: { layout: Layout; links: ToolLinks; lang: 'ja' | 'en' },
): string {
  const { timeLimitSeconds, memoryLimitMegabytes, task } = contest;
  const limits =
    lang === 'ja'
      ? `実行時間制限: ${timeLimitSeconds} sec / メモリ制限: ${memoryLimitMegabytes} MiB`
      : `Time Limit: ${timeLimitSeconds} sec / Memory Limit: ${memoryLimitMegabytes} MiB`;
  const inside = (['ja', 'en'] as const)
    .map((each) => `<span class="lang-${each}">\n${sections(contest, each, { layout, links })}</span>`)
    .join('\n');
  const statement = `<div id="task-statement">\n<span class="lang">\n${inside}\n</span>\n</div>`;
  return page(
    task,
    `<div class="col-sm-12">
<span class="h2">
${renderMarkup(task)}
<a class="btn btn-default btn-sm" href="/contests/${contest.id}/tasks/${contest.id}_a/editorial">${lang === 'ja' ? '解説' : 'Editorial'}</a>
</span>
<hr/>
<p>${limits}</p>
${layout === 'doubled' ? `<div id="task-statement">\n${statement}\n</div>` : statement}
</div>`,
  );
}

function sections(
  contest: PracticeContest,
  lang: 'ja' | 'en',
  { layout, links }: { layout: Layout; links: ToolLinks },
): string {
  const html = contest.statement[lang].replaceAll(/src="([\w.-]+)"/g, `src="/img/${contest.id}/$1"`);
  const text = html + linkList(links, lang);
  // Older pages know no part: a heading, and its section behind it.
  return layout === 'old'
    ? text.replaceAll(
        /<div class="part"><section>\s*<h3>(.*?)<\/h3>([\s\S]*?)<\/section><\/div>/g,
        '<h3>$1</h3>\n<section>$2</section>',
      )
    : text;
}

function linkList({ zip, windowsZip, visualizer }: ToolLinks, lang: 'ja' | 'en'): string {
  const said = words[lang];
  const items = [
    visualizer && `<a href="${visualizer}?lang=${lang}">${said.vis}</a>`,
    zip && `<a href="${zip}">${said.zip}</a>`,
    windowsZip && `<a href="${windowsZip}">${said.windows}</a>`,
  ].filter((item) => item !== null);
  if (items.length === 0) return '';
  const list = items.map((item) => `<li>${item}</li>`).join('\n');
  return `<div class="part"><section>\n<h3>${said.title}</h3>\n<ul>\n${list}\n</ul>\n</section></div>\n`;
}

/** In the shape of the real ones: a page, a script beside it, and the WebAssembly that the script brings. */
export function visualizerFiles({ task }: PracticeContest, hash: string): Readonly<Record<string, string>> {
  const text = '<p id="vis">The tools draw the same picture: <code>vis</code> writes it into a file.</p>';
  return {
    [`${hash}.html`]: page(
      `${task} - visualizer`,
      `${text}\n<script type="module" src="./${hash}.js?v=1"></script>`,
    ),
    [`${hash}.js`]: `const program = await fetch(new URL('${hash}_bg.wasm', import.meta.url));
await WebAssembly.compile(await program.arrayBuffer());
document.getElementById('vis').title = 'loaded';
`,
    [`${hash}_bg.wasm`]: '\0asm\x01\0\0\0',
  };
}

export function missingPage(): string {
  return page('404 Not Found', '<h1>404 Page Not Found</h1>');
}

function page(title: string, main: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${renderMarkup(title)}</title></head>
<body>
<div id="main-container" class="container">
${main}
</div>
</body>
</html>
`;
}

/** The site's form of a time: 2026-03-14 19:00:00+0900. */
function formatTokyoTime(iso: string): string {
  const existing = new Date(Date.parse(iso) + 9 * 3_600_000).toISOString();
  return `${existing.slice(0, 10)} ${existing.slice(11, 19)}+0900`;
}
