/** What a workspace has besides problem and tools: configuration, container, records. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Folder } from '../../../core/io.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { initialFile } from '../workspace/edit.ts';
import type { Files } from './source.ts';

/** The columns of `results.csv`, one line a session. */
export const resultsHeader =
  'session,started_at,ended_at,best_score,final_generation,parameters,total_tokens,estimated_cost_usd';

/** The configuration first: a folder that has it is a workspace, and can be repaired. */
export async function writeScaffold(store: Keeper, id: string, config: Pick<Resolved, 'get'>) {
  await store.add(layout.config, () => initialFile());
  const mount = String(config.get('docker.mount_path'));
  await store.add(layout.ignore, ignored);
  await store.add(layout.dockerfile, () => dockerfile(String(config.get('docker.image')), mount));
  await store.add(layout.compose, () => composeFile(id, mount));
  const script = readFileSync(join(import.meta.dirname, 'test.sh'), 'utf8');
  await store.add(layout.testScript, script, 0o777);
  await store.add(layout.results, `${resultsHeader}\n`);
}

const ignored = `# The configuration may hold keys; statement and tools are their authors'.
/${layout.config}
/.env
/${layout.records}/
/${layout.problem}/
/${layout.tools}/
# Sessions of \`solve\`: their logs hold whole conversations.
/*/logs/
# What is built.
/main
/out/
*.tmp
`;

function dockerfile(image: string, mount: string): string {
  return `# g++ for the solution. The tools are Rust: \`apt-get install cargo\` here, where they are to be built in it too.
ARG IMAGE=${image}
FROM \${IMAGE}
WORKDIR ${mount}
CMD ["bash"]
`;
}

function composeFile(id: string, mount: string): string {
  const service = {
    build: '.',
    image: `ahc-${id}`,
    volumes: [`.:${mount}`],
    working_dir: mount,
    // What runs here was downloaded, and needs no network.
    network_mode: 'none',
    stdin_open: true,
    tty: true,
  };
  return stringify({ services: { dev: service } }, { lineWidth: 0 });
}

export class Keeper {
  readonly folder: Folder;
  readonly written: string[] = [];
  readonly kept: string[] = [];

  constructor(folder: Folder) {
    this.folder = folder;
  }

  /** True where it was missing. `content` is made only then. */
  async add(
    name: string,
    content: string | Uint8Array | (() => string | Uint8Array),
    mode?: number,
  ): Promise<boolean> {
    if ((await this.folder.readBytes(name)) !== null) {
      this.kept.push(name);
      return false;
    }
    const created = typeof content === 'function' ? content() : content;
    await this.folder.write(name, created, { mode });
    this.written.push(name);
    return true;
  }

  /** Ours alone, and made anew each time: written where it differs. */
  async renew(name: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const before = await this.folder.readBytes(name);
    if (before !== null && Buffer.compare(before, bytes) === 0) {
      this.kept.push(name);
      return;
    }
    await this.folder.write(name, bytes);
    this.written.push(name);
  }

  /**
   * Many small files of one kind that can be had again, a few at once; reported as one by the caller. One that a power
   * failure left empty counts as missing.
   */
  async fill(folder: string, files: Files): Promise<number> {
    const existing = await this.folder.sizes(folder);
    const missing = Object.entries(files).filter(
      ([name, { length }]) => !isThere(existing.get(name), length),
    );
    for (let at = 0; at < missing.length; at += atOnce) {
      const some = missing.slice(at, at + atOnce);
      await Promise.all(
        some.map(([name, bytes]) => this.folder.write(`${folder}/${name}`, bytes, { isLasting: false })),
      );
    }
    return missing.length;
  }
}

/** What its user changed is there. */
function isThere(size: number | undefined, lengthAsItCame: number): boolean {
  return size !== undefined && (size > 0 || lengthAsItCame === 0);
}

const atOnce = 16;
