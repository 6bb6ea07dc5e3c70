/** A workspace on a container engine: its image, a shell in it, and the end of both. `load-ahc-docker.ts` brings it in. */
import { basename } from 'node:path';
import { UnavailableError } from '../../../core/errors.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { openWorkspace, type WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import { findEngine, thisMachine } from '../../../sandbox/docker/engine.ts';
import { imageState } from '../../../sandbox/docker/images.ts';
import { type Leftover, leftoversOf } from '../../../sandbox/docker/workspace-clean.ts';
import {
  type BuildWishes,
  buildWorkspaceImage,
  workspaceImage,
} from '../../../sandbox/docker/workspace-image.ts';
import { runInContainer, type Streams } from '../../../sandbox/docker/workspace-shell.ts';

export type BuiltImage = {
  readonly engine: string;
  readonly image: string;
  readonly id: string;
  /** Sentences. */
  readonly warnings: readonly string[];
};

export type RunWishes = {
  readonly command: readonly string[];
  readonly network: string;
  /** Of the user's terminal. */
  readonly term?: string;
};

/** A workspace whose commands for containers are asked for; nothing of an engine is tried before one of them is. */
function openDockerDesk(question: WorkspaceQuestion) {
  const workspace = openWorkspace(question);
  const engineHere = () => findEngine(thisMachine(question.env));
  const imageHere = () => workspaceImage(workspace.folder.path, baseOf(workspace));
  return {
    workspace,

    async build(wishes: BuildWishes, signal: AbortSignal): Promise<BuiltImage> {
      const image = await imageHere();
      const engine = await engineHere();
      const id = await buildWorkspaceImage(engine, image, wishes, signal);
      return {
        engine: engine.version,
        image: image.name,
        id,
        warnings: image.ignoresBase ? [ignoresBase(workspace)] : [],
      };
    },

    /** The image that `run` takes, and whether the Dockerfile has changed since. Throws where it was not built yet. */
    async ready(): Promise<{ readonly image: string; readonly isOutdated: boolean }> {
      const image = await imageHere();
      const { kind } = await imageState(await engineHere(), image);
      if (kind === 'missing') throw notBuilt(workspace);
      return { image: image.name, isOutdated: kind === 'foreign' };
    },

    /** The exit status of the command. */
    async run(image: string, wishes: RunWishes, streams: Streams, signal: AbortSignal): Promise<number> {
      const { command, network, term } = wishes;
      const mountPath = String(workspace.config.get('docker.mount_path'));
      const plan = {
        image,
        command,
        network,
        mountPath,
        folder: (await imageHere()).folder,
        uid: process.getuid?.() ?? null,
        gid: process.getgid?.() ?? null,
        // The user has no home in there, and many a program wants to write into one.
        environment: { HOME: '/tmp', ...(streams.terminal && term ? { TERM: term } : {}) },
      };
      return runInContainer(await engineHere(), plan, streams, signal);
    },

    async leftovers(isForced: boolean): Promise<readonly Leftover[]> {
      return leftoversOf(await engineHere(), workspace.folder.path, { isForced });
    },
  };
}

/** What the user has chosen: else the Dockerfile's own word counts, which is that of the day on which it was made. */
function baseOf({ config }: Workspace): string | null {
  const { source } = config.raw('docker.image');
  return source === 'built in' ? null : String(config.get('docker.image'));
}

function ignoresBase({ config }: Workspace): string {
  return `docker.image is ${String(config.get('docker.image'))}, and the Dockerfile names another base itself: write \`ARG IMAGE\` and \`FROM \${IMAGE}\` into it, and docker.image holds.`;
}

function notBuilt({ folder }: Workspace): UnavailableError {
  return new UnavailableError({
    code: 'not-built',
    what: `${basename(folder.path)} has no image yet.`,
    fix: 'Build it with `polya ahc docker build`.',
  });
}

export const ahcDocker = { openDockerDesk };
