/** For `polya setup --docker` and `polya doctor`: the state of our image on the engine that answers, and building it. */

import type { Surroundings } from './endpoints.ts';
import { findEngine, thisMachine } from './engine.ts';
import { imageState } from './images.ts';
import { type BuildOptions, buildToolchainImage, toolchainImage } from './toolchain-image.ts';

export type ImageReport = {
  /** `Docker 20.10.24 (/var/run/docker.sock)`. */
  readonly engine: string;
  /** `polya-sandbox:0123456789abcdef`. */
  readonly image: string;
  readonly state: 'ready' | 'foreign' | 'missing';
};

/** Throws `UnavailableError` where no engine answers. */
export async function imageReport(env?: Surroundings['env']): Promise<ImageReport> {
  const engine = await findEngine(thisMachine(env));
  const image = await toolchainImage();
  const { kind } = await imageState(engine, image);
  return { engine: engine.version, image: image.name, state: kind };
}

/** Downloads and builds for minutes; every line of the engine's progress is told. */
export async function buildImageHere(options: BuildOptions, env?: Surroundings['env']): Promise<ImageReport> {
  const engine = await findEngine(thisMachine(env));
  const image = await buildToolchainImage(engine, options);
  return { engine: engine.version, image: image.name, state: 'ready' };
}
