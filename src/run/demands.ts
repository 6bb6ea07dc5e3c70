/**
 * What an agent's settings need beyond what its problem says: models that see, languages that the sandbox runs. Looked at
 * before a run begins, so that nobody pays for replies that lead nowhere.
 */
import type { Demands } from '../core/agent.ts';
import { UnavailableError, UserError } from '../core/errors.ts';
import type { Model } from '../core/model.ts';
import type { LanguageId } from '../core/sandbox.ts';
import type { World } from './world.ts';

export async function refuseUnmetDemands(
  { io }: World,
  { images, languages = [] }: Demands,
  models: ReadonlyMap<string, Model>,
): Promise<void> {
  const blind = images ? [...models.values()].find(({ takes }) => !takes.images) : undefined;
  if (blind) {
    throw new UserError({
      code: 'model-without-images',
      what: `Pictures are asked for, and the model ${blind.id} cannot see.`,
      fix: 'Leave them out, or choose a model that takes images.',
    });
  }
  for (const language of languages) await refuseMissing(io, language);
}

/** What is wrong with the sandbox as a whole, it says itself. */
async function refuseMissing({ sandbox }: World['io'], language: LanguageId): Promise<void> {
  const { toolchains } = await sandbox.info();
  if (toolchains.some((toolchain) => toolchain.language === language)) return;
  throw new UnavailableError({
    code: 'no-toolchain',
    what: `Programs in ${language} are asked for, and the sandbox has no toolchain for it.`,
    fix: 'Run `./polya setup`, or choose settings that run no programs.',
  });
}
