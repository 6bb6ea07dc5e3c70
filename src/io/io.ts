/**
 * The assembly: everything that a problem's handlers may touch, in one object.
 * Knows no sandbox of its own; the one it is given is passed on.
 */
import type { Clock, Io } from '../core/io.ts';
import type { Sandbox } from '../core/sandbox.ts';
import { systemChance } from './chance.ts';
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
  const clock = options.clock ?? systemClock;
  return {
    clock,
    chance: systemChance,
    files: createFiles(options.filesFolder),
    http: createHttp({
      identity: options.identity,
      clock,
      ...(options.spacingMs ? { spacingMs: options.spacingMs } : {}),
      ...(options.turnsFile ? { takeTurn: sharedTurns(options.turnsFile) } : {}),
    }),
    sandbox: options.sandbox,
  };
}
