/** Everything that a problem's handlers may touch, in one object. */
import type { Clock, Io } from '../core/io.ts';
import type { Sandbox } from '../core/sandbox.ts';
import { systemClock } from './clock.ts';
import { createFiles } from './files.ts';
import { createHttp, type Identity } from './http.ts';
import { type SpacingMs, sharedTurns } from './spacing.ts';

export type IoOptions = {
  readonly sandbox: Sandbox;
  /** Where `io.files` lives; made when the first file is written. */
  readonly filesFolder: string;
  readonly identity: Identity;
  readonly clock?: Clock;
  readonly spacingMs?: SpacingMs;
  /** With it, requests are spaced between all processes that name the same file. */
  readonly turnsFile?: string;
};

export function createIo(options: IoOptions): Io {
  const { sandbox, filesFolder, identity, clock = systemClock, spacingMs, turnsFile } = options;
  const takeTurn = turnsFile === undefined ? undefined : sharedTurns(turnsFile);
  return {
    clock,
    chance: { next: () => Math.random() },
    files: createFiles(filesFolder),
    http: createHttp({ identity, clock, spacingMs, takeTurn }),
    sandbox,
  };
}
