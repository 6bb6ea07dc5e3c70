/** What the header says of code that the user brought, and whether that code is still the same. */
import type { Header } from '../core/event.ts';
import type { Observer, RunParts, World } from './world.ts';

/** For a header: empty where all came with Polya, so that such a header has no entry for it. */
export function codeHeader(world: World, parts: RunParts): Pick<Header, 'code'> {
  const code = world.codeOf?.(parts) ?? [];
  return code.length > 0 ? { code } : {};
}

/** Going on is right as long as nothing diverges; but who looks for the reason of a divergence must know this. */
export function tellChangedCode(world: World, header: Header, parts: RunParts, observer: Observer): void {
  const now = world.codeOf?.(parts) ?? [];
  for (const { file, hash, brings } of header.code ?? []) {
    for (const part of brings) {
      const found = now.find((origin) => origin.brings.includes(part));
      if (!found || found.hash === hash) continue;
      const moved = found.file === file ? '' : `; it is loaded from ${found.file} now`;
      observer.onNotice?.(
        `The code of the ${part} in ${file} has changed since run ${header.runId} began${moved}. The run goes on as long as it asks for what its journal holds.`,
      );
    }
  }
}
