/** The names under which people and models speak of the languages. Knows no toolchain. */
import type { LanguageId } from '../../core/sandbox.ts';

/** The compiler asks for a line here whenever core learns a language. */
const languages: Record<LanguageId, { readonly name: string; readonly aliases: readonly string[] }> = {
  python: { name: 'Python', aliases: ['py', 'python3'] },
  cpp: { name: 'C++', aliases: ['c++', 'cxx'] },
  kotlin: { name: 'Kotlin', aliases: ['kt'] },
  csharp: { name: 'C#', aliases: ['c#', 'cs'] },
  rust: { name: 'Rust', aliases: ['rs'] },
};

export const languageIds: readonly LanguageId[] = Object.keys(languages).filter(isLanguageId);

export function languageName(language: LanguageId): string {
  return languages[language].name;
}

/** `Python`, `py` and `python` are one language; null for what is none. */
export function findLanguage(text: string): LanguageId | null {
  const wanted = text.trim().toLowerCase();
  return languageIds.find((id) => id === wanted || languages[id].aliases.includes(wanted)) ?? null;
}

function isLanguageId(key: string): key is LanguageId {
  return Object.hasOwn(languages, key);
}
