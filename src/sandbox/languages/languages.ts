/** The table of languages: a new one is a file beside this, a line here and a name in core (docs/your-own.md). */
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { Program, Toolchain } from '../../core/sandbox.ts';
import type { Backend } from '../backend.ts';
import { createHost } from '../host.ts';
import { isOutOfSpace } from '../staged-file.ts';
import { cpp } from './cpp.ts';
import { csharp } from './csharp.ts';
import { kotlin } from './kotlin.ts';
import type { Language, Tool } from './language.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';

export const languages: readonly Language[] = [python, cpp, kotlin, csharp, rust];

export function toolchain({ id, sourceFile }: Language, { name, version, level, notes }: Tool): Toolchain {
  return { language: id, name, version, level, notes, sourceFile };
}

export type FoundTool = { readonly language: Language; readonly tool: Tool };

/**
 * In the order of the languages' table; of each language, the default first. Where the temporary folder has no room for
 * what one language shares with its cells, the others still run.
 */
export async function findTools(backend: Backend, options = languages): Promise<readonly FoundTool[]> {
  const host = createHost(backend);
  const toolsOf = async (language: Language) => {
    try {
      return (await language.find(host)).map((tool) => ({ language, tool }));
    } catch (error) {
      if (isOutOfSpace(error)) return [];
      throw error;
    }
  };
  return (await Promise.all(options.map(toolsOf))).flat();
}

/** Throws where there is none for the language, or none of the name that was asked for. */
export function toolFor(
  tools: readonly FoundTool[],
  { language, toolchain }: Pick<Program, 'language' | 'toolchain'>,
): FoundTool {
  const ofLanguage = tools.filter((found) => found.language.id === language);
  const [first] = ofLanguage;
  if (first === undefined) {
    const known = languages.find(({ id }) => id === language);
    const title = known?.title ?? language;
    throw new UnavailableError({
      code: 'no-toolchain',
      what: `${title} programs cannot be run here.`,
      why: `No toolchain for ${title} answers from inside the sandbox; only those of the system, in /usr, are looked for, and Kotlin’s compiler from npm.`,
      fix: known?.installHint,
    });
  }
  const foundTool = toolchain === undefined ? first : ofLanguage.find(({ tool }) => tool.name === toolchain);
  if (foundTool !== undefined) return foundTool;
  throw new UserError({
    code: 'no-toolchain',
    what: `There is no toolchain ${JSON.stringify(toolchain)} for ${first.language.title} here.`,
    fix: `Choose one of ${ofLanguage.map(({ tool }) => tool.name).join(', ')}.`,
  });
}
