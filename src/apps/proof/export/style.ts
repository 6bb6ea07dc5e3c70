/** The looks of an HTML document that fetches nothing: our few rules, and KaTeX's with its fonts inside. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export function documentStyle(): string {
  return `${ours}${katexStyle()}`;
}

const ours = `
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.55 Georgia, serif; color: #1a1a1a; background: #fff; }
h1, h2, h3, th, .facts { font-family: system-ui, sans-serif; line-height: 1.25; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
.facts { font-size: .9rem; } .facts dt { float: left; clear: left; width: 7rem; color: #666; } .facts dd { margin: 0 0 .2rem 7rem; overflow-wrap: anywhere; }
.model { border-left: 3px solid #88a; padding-left: 1rem; overflow-wrap: anywhere; }
.report { border-color: #c93; } .passed { border-color: #393; }
.model :is(h1, h2, h3, h4, h5, h6) { font-size: 1.05rem; margin: 1.2rem 0 .4rem; border: 0; }
table { border-collapse: collapse; } th, td { padding: .15rem .7rem; text-align: left; border-bottom: 1px solid #ddd; }
pre { overflow-x: auto; } .plot { font: 1rem/1.3 monospace; }
details > summary { cursor: pointer; font-family: system-ui, sans-serif; margin: .6rem 0; }
.katex-display { overflow-x: auto; overflow-y: hidden; padding: .3em 0; }
.katex-error { font-family: monospace; }
@media print { details > *:not(summary) { display: block; } }
`;

function katexStyle(): string {
  const folder = dirname(fileURLToPath(import.meta.resolve('katex')));
  const style = readFileSync(join(folder, 'katex.min.css'), 'utf8');
  // The other forms of the fonts are for browsers that no longer exist.
  return style.replaceAll(/src:url\((fonts\/[\w-]+\.woff2)\) format\("woff2"\)[^;}]*/g, (_, font: string) => {
    const data = readFileSync(join(folder, font)).toString('base64');
    return `src:url(data:font/woff2;base64,${data}) format("woff2")`;
  });
}
