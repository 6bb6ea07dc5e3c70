/** The table of languages: a new one is a file beside this, a line here and a name in core (docs/add-a-language.md). */
import type { LanguageId, Toolchain } from '../../core/sandbox.ts';
import { cpp } from './cpp.ts';
import { csharp } from './csharp.ts';
import { kotlin } from './kotlin.ts';
import type { Language, Tool } from './language.ts';
import { python } from './python.ts';

export const languages: Readonly<Record<LanguageId, Language>> = { python, cpp, kotlin, csharp };

export function toolchain({ id, sourceFile }: Language, { version, level }: Tool): Toolchain {
  return { language: id, version, level, sourceFile };
}
