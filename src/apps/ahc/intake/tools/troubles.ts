/** What can go wrong with the official tools, in words: what happened, why, and what to do now. */

import type { UnavailableError } from '../../../../core/errors.ts';
import { BadArchive } from '../../../../core/folder-archive.ts';
import { layout } from '../../../../families/ahc/layout.ts';
import type { ContestFile } from '../../../../families/ahc/workspace.ts';
import type { CrateReport } from '../crate.ts';
import type { TaskPage } from '../page.ts';
import type { ContestSource, IntakeParts, Trouble } from '../source.ts';
import type { Keeper } from '../workspace-files.ts';

export type ToolsWork = {
  readonly keeper: Keeper;
  readonly source: ContestSource;
  readonly page: TaskPage;
  readonly parts: IntakeParts;
  /** What an earlier `polya ahc init` found. */
  readonly known: ContestFile['tools'];
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
};

export function noTools({ source }: ToolsWork): Trouble {
  return {
    what: 'The contest has no tools that could be found.',
    why:
      source.url === null
        ? 'Neither an archive nor a Cargo.toml is among what --from names.'
        : 'Its page links no archive.',
    fix: 'If there are some, give the archive with --from beside the page: `polya ahc init ID --from page.html --from tools.zip`. Until then programs are run, and nothing scores them.',
    isUnfinished: false,
  };
}

export function toolsFailed(error: Error, { source }: Pick<ToolsWork, 'source'>): Trouble {
  const isBad = error instanceof BadArchive;
  return {
    what: isBad
      ? 'The archive of the tools cannot be used; nothing of it was unpacked.'
      : 'The tools could not be fetched.',
    why: error.message,
    fix:
      source.url === null
        ? 'Download the archive again, and give that with --from.'
        : 'Run `polya ahc init` again with --fresh, or download the archive yourself and give it with --from.',
    isUnfinished: true,
  };
}

export function otherTools(from: string): Trouble {
  return {
    what: `There are other tools than those of this workspace: ${from}.`,
    fix: 'Run `polya ahc init` again with --fresh to take them; those of now are put aside in tools/.',
    isUnfinished: false,
  };
}

export function leftOut(paths: readonly string[]): Trouble {
  return {
    what: `Beside the tools' crate the archive holds ${paths.slice(0, 5).join(', ')}, which was left out.`,
    fix: 'Unpack the archive yourself if you need it.',
    isUnfinished: false,
  };
}

export const nothingToBuild: Trouble = {
  what: 'The tools name no program to build.',
  fix: `Look into ${layout.crate}: what scores has to be a binary of that crate.`,
  isUnfinished: true,
};

/** By hand it is easily done wrongly: cargo's own command deletes crates where it is to take them from a folder. */
const bringThem = `Run \`polya ahc init\` again where there is a network: it copies what Cargo.lock names into ${layout.crate}/vendor. A copy of that folder serves here, too.`;

export function notBrought(why: string): Trouble {
  return {
    what: 'What the tools depend on could not be fetched; the crates of this system were tried in their place.',
    why,
    fix: `With other versions of them the generated inputs may not be the official ones. ${bringThem}`,
    isUnfinished: true,
  };
}

export function doesNotBuild(digest: string): Trouble {
  const isCargoMissing = /cargo: (not found|No such file)/i.test(digest);
  return {
    what: 'The tools do not build here: nothing can be scored until they do.',
    why: digest.slice(0, 2_000),
    fix: isCargoMissing
      ? 'Run `polya setup`, which installs cargo, then `polya ahc init` again.'
      : `If you changed them: move ${layout.crate} away, and \`polya ahc init\` brings them as they came. If crates are missing: \`polya setup\` installs those of this system. ${bringThem}`,
    isUnfinished: true,
  };
}

export function cannotBuild({ explanation }: UnavailableError): Trouble {
  return {
    what: `The tools could not be built: ${explanation.what}`,
    why: explanation.why || undefined,
    fix: `${explanation.fix ?? 'Run `polya setup`.'} Then run \`polya ahc init\` again: it builds them and makes the inputs.`,
    isUnfinished: true,
  };
}

export function doesNotGenerate(said: string, verdict: string): Trouble {
  return {
    what: `The generator of the tools failed (${verdict}): not all inputs were made.`,
    why: said.trim().split('\n').slice(-5).join('\n').slice(0, 1_000),
    fix: `Put inputs into ${layout.inputs} yourself, as 0000.txt, 0001.txt …`,
    isUnfinished: true,
  };
}

export function noInputs(report: CrateReport | null): Trouble {
  return {
    what: 'There are no inputs yet.',
    why: report?.generator
      ? 'The generator could not be built.'
      : 'There is neither an input, nor a generator, nor a sample.',
    fix: `Put some into ${layout.inputs} yourself, as 0000.txt, 0001.txt …, or run \`polya ahc init\` again when the tools can be built.`,
    isUnfinished: true,
  };
}

export function samplesAlone(count: number): Trouble {
  return {
    what: `There is no generator: what the statement shows as samples is the input (${count}).`,
    fix: `Put more into ${layout.inputs} as you make them.`,
    isUnfinished: false,
  };
}
