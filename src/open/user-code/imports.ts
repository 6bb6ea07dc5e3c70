/** `import 'polya'` and `import 'zod'` give user code the running copy: two copies would not know each other's errors. */
import { registerHooks } from 'node:module';
import { extname } from 'node:path';

/** The folder of our own code, `src` or `dist`. */
const ownCode = new URL('../../', import.meta.url).href;

export const ownEntry = new URL(`index${extname(import.meta.filename)}`, ownCode).href;

/** What another Node preloads (`node --import`) to import the same copy. */
export const registerHook = new URL(`register${extname(import.meta.filename)}`, import.meta.url).href;

let isRegistered = false;

/** For all that is imported from now on, in this thread. */
export function letUserCodeImportPolya(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (isOfUser(context.parentURL)) {
        if (specifier === 'polya') return next(ownEntry, context);
        if (specifier === 'zod') return next('zod', { ...context, parentURL: import.meta.url });
      }
      const found = next(specifier, context);
      // `npm init` writes `"type": "commonjs"`, and somebody who writes `import` means a module all the same.
      const isModule = /\.ts(\?.*)?$/.test(found.url) && context.conditions.includes('import');
      return isModule && isOfUser(found.url) ? { ...found, format: 'module-typescript' } : found;
    },
  });
}

/** Dependencies of a package are its own: ours are packages too, and may bring another zod. */
export function isOfUser(url: string | undefined): boolean {
  return Boolean(url?.startsWith('file:')) && !url?.startsWith(ownCode) && !url?.includes('/node_modules/');
}
