/** `npm run size` counts every line once, and what it is to count: seen on a repository of a few files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles, sizeOfCommands, sizeOfFiles } from '../../scripts/size.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('files by kind and room, contests together, words of pages by hand and generated', () => {
  const folder = temporaryFolder();
  const files = {
    'src/index.ts': 'one\n',
    'src/core/run.ts': 'one\ntwo\n',
    'src/core/run.test.ts': 'one\n',
    'src/web/run.tsx': 'one\ntwo\nthree\n',
    'src/web/page.css': 'one\n',
    'src/apps/ahc/app.ts': 'one\n',
    'src/agents/search/loop.ts': 'one\ntwo\n',
    'test/support/world.ts': 'one\n',
    'test/fixtures/journal.gz': '\0\n\n',
    'bench/run.ts': 'one\n',
    'docs/run.md': 'three plain words\n',
    'docs/api.md': 'This page is made from the source by `npm run api`.\n',
    'node_modules/other.ts': 'one\n',
    '.gitignore': 'node_modules\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  execFileSync('git', ['init', '-q', folder]);
  expect(sizeOfFiles(readFiles(folder))).toEqual({
    kinds: {
      production: { files: 5, lines: 9 },
      tests: { files: 2, lines: 2 },
      docs: { files: 2, lines: 2 },
      'beside the source': { files: 1, lines: 1 },
      bench: { files: 1, lines: 1 },
      'other files at the root': { files: 1, lines: 1 },
      'fixtures and data of tests': { files: 1, lines: 0 },
    },
    beside: { '.css': { files: 1, lines: 1 } },
    rooms: {
      core: { files: 1, lines: 2 },
      web: { files: 1, lines: 3 },
      apps: { files: 1, lines: 1 },
      agents: { files: 1, lines: 2 },
      src: { files: 1, lines: 1 },
    },
    contests: { files: 2, lines: 3 },
    documents: {
      pages: 2,
      generatedPages: 1,
      wordsByHand: 3,
      wordsGenerated: 11,
      wordsAtTheRoot: 0,
    },
  });
});

test('an act that is the first word of a command counts as a command, and --help as an option', async () => {
  const file = {
    define: (command: import('commander').Command) => {
      const act = command.createArgument('<act>').choices(['build', 'run']);
      command.addArgument(act).option('--json', 'as JSON');
    },
    run: async () => 0,
  };
  const entry = { path: 'box', about: '', acts: 'looks', load: async () => file } as const;
  const program = { name: 'polya', about: '', apps: [], commands: [entry], groups: {}, start: '' } as const;
  expect(await sizeOfCommands(program)).toEqual({ commands: 2, options: 2 });
});
