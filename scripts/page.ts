/** Builds the page, `src/web`, into a folder: `node scripts/page.ts OUT`. Nothing of it is loaded from elsewhere. */
import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const [out] = process.argv.slice(2);
if (!out) throw new Error('Name the folder that the page is built into.');

const web = join(root, 'src', 'web');
// What the first look needs is named in its document, so that it comes with the script and not behind it.
const modulePreload = {
  polyfill: false,
  resolveDependencies: (_: string, names: string[], { hostType }: { hostType: 'html' | 'js' }) =>
    hostType === 'html' ? names : [],
};
const common = { outDir: resolve(out), target: 'es2023', modulePreload };
const settings = {
  root: web,
  configFile: false,
  logLevel: 'warn',
  base: './',
  // Whatever NODE_ENV says: else each element names its file, with the folders of this machine.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
} as const;

await build({
  ...settings,
  build: {
    ...common,
    emptyOutDir: true,
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      output: { entryFileNames: 'page.js', chunkFileNames: '[name].js', assetFileNames: 'page[extname]' },
    },
  },
});
// In one piece, for files that are given away (`polya view --export`).
await build({
  ...settings,
  build: {
    ...common,
    emptyOutDir: false,
    rolldownOptions: {
      input: join(web, 'main.tsx'),
      output: { entryFileNames: 'whole.js', codeSplitting: false },
    },
  },
});
