/** C#: by .NET where it is installed, and by Mono, which Debian has and which knows less of the language. */
import { installHint } from '../needs.ts';
import { findDotnet } from './dotnet.ts';
import type { Language } from './language.ts';
import { findMono } from './mono.ts';

export const csharp: Language = {
  id: 'csharp',
  title: 'C#',
  sourceFile: 'main.cs',
  installHint: installHint('mono-mcs mono-runtime'),
  async find(host) {
    const found = await Promise.all([findDotnet, findMono].map((find) => find(host, csharp.sourceFile)));
    return found.filter((tool) => tool !== null);
  },
};
