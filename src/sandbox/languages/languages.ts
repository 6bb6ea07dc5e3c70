/** The table of languages: a new one is a file beside this, a line here and a name in core (docs/add-a-language.md). */
import type { Toolchain } from '../../core/sandbox.ts';
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
