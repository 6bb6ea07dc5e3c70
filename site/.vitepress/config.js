/** The documents of the folder above as a site. They are copied here first, because a page finds Vue only below this folder. */
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

const root = join(import.meta.dirname, '../..');
const copied = join(import.meta.dirname, '../pages');
const pages = globSync(['*.md', 'docs/**/*.md', 'bench/README.md'], { cwd: root });
rmSync(copied, { recursive: true, force: true });
for (const path of [...pages, ...globSync('docs/**/*.png', { cwd: root })]) {
  cpSync(join(root, path), join(copied, path));
}

function linkTo(page) {
  const text = /^# (.*)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1]?.replaceAll('`', '') ?? page;
  return { text, link: `/${page.replace(/README\.md$/, '').replace(/\.md$/, '')}` };
}

/** Below the headings of the index of documents, in its order. */
function sidebar() {
  const parts = readFileSync(join(root, 'docs/README.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .filter((part) => part.includes('.md)'));
  return parts.map((part) => {
    const linked = [...part.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, path]) => join('docs', path));
    return { text: part.split('\n', 1)[0], items: linked.map(linkTo) };
  });
}

/** What stands in angle brackets is no tag, and what stands in code no template. Indented code looks like fenced code. */
function asWritten(md) {
  md.set({ html: false });
  const { code_inline: usual, fence } = md.renderer.rules;
  md.renderer.rules.code_inline = (...args) => usual(...args).replace(/^<code/, '$& v-pre');
  md.renderer.rules.code_block = (tokens, at, ...more) => {
    tokens[at].info = 'sh';
    return fence(tokens, at, ...more);
  };
}

export default defineConfig({
  title: 'Polya',
  description: 'A workbench of LLM agents that solve hard problems',
  srcDir: 'pages',
  outDir: './dist',
  cacheDir: './.cache',
  rewrites: {
    'README.md': 'index.md',
    'docs/README.md': 'docs/index.md',
    'bench/README.md': 'bench/index.md',
  },
  markdown: { config: asWritten },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Documents', link: '/docs/' },
      { text: '日本語', link: '/README.ja' },
    ],
    sidebar: sidebar(),
    outline: 'deep',
  },
});
