/**
 * `polya setup --docker`: builds the image with all toolchains on the container engine that answers, for machines on
 * which bubblewrap cannot be had. Kotlin's compiler is fetched by npm first, because the image takes it from here.
 */
import { UnavailableError } from '../core/errors.ts';
import { buildImageHere, imageReport } from '../sandbox/docker/our-images.ts';
import { missingNeeds } from '../sandbox/needs.ts';
import { oneLine } from '../text/format.ts';
import type { Shell } from './contract.ts';
import { setupPlan } from './setup-plan.ts';

export type ImageOptions = {
  readonly yes?: boolean;
  readonly minimal?: boolean;
  /** Another base than Debian 12 by its usual name. */
  readonly dockerBase?: string;
  readonly dockerNetwork?: string;
};

/** False where its user does not want it. */
export async function setUpImage(
  shell: Shell,
  options: ImageOptions,
  has: (program: string) => boolean,
): Promise<boolean> {
  const { engine, image, state } = await imageReport(shell.env);
  if (state === 'ready') {
    shell.out.write(`${engine} has the image ${image}; nothing was changed.\n`);
    return true;
  }
  shell.err.write(
    `${engine} will build the image ${image}: about 2.5 GB, of which 600 MB are downloaded; it takes some minutes.\n`,
  );
  if (!options.yes && shell.isInteractive && !(await shell.confirm('Build it?', true))) {
    shell.err.write('Nothing was changed.\n');
    return false;
  }
  if (!options.minimal) await fetchKotlin(shell, has);
  await buildImageHere(
    {
      ...(options.dockerBase === undefined ? {} : { base: options.dockerBase }),
      ...(options.dockerNetwork === undefined ? {} : { network: options.dockerNetwork }),
      onProgress: (line) => shell.err.write(`  ${oneLine(line)}\n`),
    },
    shell.env,
  );
  shell.out.write(`Built: ${image}.\n`);
  return true;
}

/** Without it the image has all languages but Kotlin. */
async function fetchKotlin(shell: Shell, has: (program: string) => boolean): Promise<void> {
  const missing = (await missingNeeds()).filter(({ kind }) => kind === 'npm');
  const plan = setupPlan({ missing, isRoot: shell.isRoot, isInteractive: shell.isInteractive, has });
  if (plan.rest !== null) throw new UnavailableError(plan.rest);
  for (const command of plan.commands) {
    if ((await shell.spawn(command)) === 0) continue;
    throw new UnavailableError({
      code: 'install-failed',
      what: 'Kotlin’s compiler could not be fetched.',
      why: `\`${command.join(' ')}\` failed; its own words are above.`,
      fix: 'Put that right, or leave Kotlin out: `polya setup --docker --minimal`.',
    });
  }
}
