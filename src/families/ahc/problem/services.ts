/** What the family is given, and what its problems share in one process. */
import type { IndexTexts } from '../../../core/io.ts';
import type { ProgramFiles } from '../../../core/sandbox.ts';
import type { ContestDatabase } from '../database/database.ts';
import type { MachineTimes } from '../judge/share.ts';
import { newQueue, type Queue } from '../judge/turns.ts';
import type { Library } from '../library/library.ts';
import { readCrate, type Workspace } from '../workspace.ts';

export type AhcParts = {
  /** A workspace by its path, with the configuration that holds in it. Throws `UserError` where there is none. */
  openWorkspace(path: string): Workspace | Promise<Workspace>;
  readonly files: {
    absolute(path: string): string;
    /** Null where there is no such file. */
    read(path: string): Promise<string | null>;
  };
  hashText(text: string): string;
  readonly indexTexts: IndexTexts;
  /** The algorithm library and the past contests, as the configuration of that workspace has them. */
  openLibrary(path: string): Promise<Library>;
  openDatabase(path: string): Promise<ContestDatabase>;
  /** Processors of this machine. */
  readonly cores: number;
  /** How busy the machine is, by the idle time of its processors. */
  readonly machine?: () => MachineTimes;
};

export type AhcServices = AhcParts & {
  /** Shared by all problems of this process. */
  readonly queue: Queue;
  /** By the hash of a source that this process has run, how many characters of its outputs are kept; the newest last. */
  readonly recent: Map<string, number>;
  /** The sources of a contest's tools; one object a contest, so that what is built of it is found again. */
  crateOf(workspace: Workspace, sha256: string): Promise<ProgramFiles | null>;
};

export function openServices(parts: AhcParts): AhcServices {
  const crates = new Map<string, Promise<ProgramFiles | null>>();
  return {
    ...parts,
    queue: newQueue(),
    recent: new Map(),
    crateOf(workspace, sha256) {
      const key = `${workspace.folder.path}\n${sha256}`;
      const known = crates.get(key) ?? readCrate(workspace);
      crates.set(key, known);
      known.catch(() => crates.delete(key));
      return known;
    },
  };
}
