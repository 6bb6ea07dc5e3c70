/**
 * What a run of the suite leaves out, because this machine or this user cannot give what it needs. The test says what it
 * needs by a tag (`{ tags: ['root'] }`, or `@module-tag root` for a file), and the end of the run says in one line what
 * was left out. What the project itself needs is no such case: without it, tests fail. A second line names the tests that
 * passed only when they were tried again, which the CI does once: each of them is a defect of the test or of the product.
 */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { FilesByKind } from './kinds.ts';
import { findDataFolder } from './shared-data.ts';

type Tag = { readonly name: string; readonly description: string; readonly skip: boolean };

export const tags: readonly Tag[] = [
  {
    name: 'root',
    description: 'only root may start a daemon or give programs users of their own',
    skip: process.getuid?.() !== 0,
  },
  {
    name: 'system-node',
    description: 'there is no /usr/bin/node',
    skip: !existsSync('/usr/bin/node'),
  },
];

/** Files, and how many of the tests of each were left out; all of them where there is no number. */
export type LeftOutFiles = { readonly reason: string; readonly files: ReadonlyMap<string, number | null> };

export class LeftOut implements Reporter {
  readonly #files: FilesByKind;

  constructor(files: FilesByKind) {
    this.#files = files;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const line = leftOutLine([...tags.map((tag) => byTag(tag, modules)), this.#publicFiles()]);
    if (line !== null) console.log(`\n${line}`);
    const again = modules
      .flatMap((module) => [...module.children.allTests('passed')])
      .filter((test) => test.diagnostic()?.flaky);
    for (const { fullName, module } of again)
      console.log(`Passed only when tried again: ${module.relativeModuleId} > ${fullName}`);
  }

  #publicFiles(): LeftOutFiles {
    const files = findDataFolder() === null ? this.#files.public : [];
    const reason = 'there are no public data (AGENTS.md says where they are looked for)';
    return { reason, files: new Map(files.map((path) => [path, null])) };
  }
}

/** Null where nothing was left out. */
export function leftOutLine(all: readonly LeftOutFiles[]): string | null {
  const told = all
    .filter(({ files }) => files.size > 0)
    .map(({ reason, files }) => {
      const names = [...files].map(([path, count]) => (count === null ? path : `${path} (${count})`));
      return `${reason}: ${names.join(', ')}`;
    });
  return told.length === 0 ? null : `Left out, because ${told.join('; because ')}`;
}

function byTag({ name, description, skip }: Tag, modules: readonly TestModule[]): LeftOutFiles {
  const counts = modules.map((module): [string, number] => {
    const skipped = skip ? [...module.children.allTests('skipped')] : [];
    const path = relative(module.project.config.root, module.moduleId);
    return [path, skipped.filter(({ options }) => options.tags?.includes(name)).length];
  });
  return { reason: description, files: new Map(counts.filter(([, count]) => count > 0)) };
}
