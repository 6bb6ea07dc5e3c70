/**
 * `init --template FILE`: the user's program is read before anything is made, kept in `problem/`, and copied to `main.cpp`
 * where no other work stands there.
 */
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { differsFromTemplate } from '../../../families/ahc/workspace.ts';
import { libraryDirs } from '../../../open/families/ahc/library.ts';
import type { WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import { bundleFile } from '../workspace/program.ts';
import type { Keeper } from './workspace-files.ts';

export type NamedTemplate = { readonly file: string; readonly source: string };

/** As one file: headers of its user's and of the algorithm library are put in. Throws `UserError` where it cannot be read. */
export function readTemplate(file: string, question: WorkspaceQuestion, config: Resolved): NamedTemplate {
  const library = () => libraryDirs(config, question);
  return { file, source: bundleFile({ folder: question.folder, file, library }).text };
}

/** `isMain`: false where `main.cpp` holds work of its user, which stays. */
export type TemplateReport = { readonly file: string; readonly isMain: boolean };

/** Null without `--template`: an earlier template stays. */
export async function placeTemplate(
  store: Keeper,
  template: NamedTemplate | null,
): Promise<TemplateReport | null> {
  if (template === null) return null;
  const { file, source } = template;
  const { folder } = store;
  const main = await folder.read(layout.solution);
  const isFree = main === null || !differsFromTemplate(main, await folder.read(layout.template));
  await store.renew(layout.template, source);
  if (isFree) await store.renew(layout.solution, source);
  return { file, isMain: isFree || main.trim() === source.trim() };
}
