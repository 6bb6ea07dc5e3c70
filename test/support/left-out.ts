/**
 * What a run of the suite leaves out, because this machine or this user cannot give what it needs. The test says what it
 * needs by a tag (`{ tags: ['root'] }`, or `@module-tag root` for a file), and the end of the run says in one line what
 * was left out. What the project itself needs is no such case: without it, tests fail.
 */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { Kind } from './kinds.ts';
import { findDataFolder } from './shared-data.ts';

type Tag = { readonly name: string; readonly description: string; readonly skip: boolean };

export const tags: readonly Tag[] = [
  {
    name: 'root',
    description: 'starts a daemon, gives programs users of their own, or mounts: only root may',
    skip: process.getuid?.() !== 0,
  },
  {
    name: 'system-node',
    description: 'needs a Node of the system, /usr/bin/node',
    skip: !existsSync('/usr/bin/node'),
  },
];

export class LeftOut implements Reporter {
  readonly #files: Readonly<Record<Kind, readonly string[]>>;

  constructor(files: Readonly<Record<Kind, readonly string[]>>) {
    this.#files = files;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const reasons = [
      ...tags.filter(({ skip }) => skip).map((tag) => byTag(tag, modules)),
      this.#publicFiles(),
    ];
    const told = reasons.filter((reason) => reason !== null);
    if (told.length > 0) console.log(`\nLeft out: ${told.join('; ')}.`);
  }

  #publicFiles(): string | null {
    const { public: files } = this.#files;
    if (findDataFolder() !== null) return null;
    return `${files.length} files for want of the public data, see AGENTS.md (${files.join(', ')})`;
  }
}

function byTag({ name, description }: Tag, modules: readonly TestModule[]): string | null {
  const counts = modules.map((module) => {
    const skipped = [...module.children.allTests('skipped')];
    return { module, count: skipped.filter(({ options }) => options.tags?.includes(name)).length };
  });
  const found = counts.filter(({ count }) => count > 0);
  if (found.length === 0) return null;
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const files = found.map(({ module }) => relative(module.project.config.root, module.moduleId));
  return `${total} tests tagged ${name}, each of which ${description} (${files.join(', ')})`;
}
