/**
 * The image for a Linux machine whose engine sees the same files as we do: it holds nothing but links, and the host's
 * own `/usr` with its toolchains is mounted into it, read-only, as bubblewrap does. There is nothing to download and
 * next to nothing to build.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { View } from '../arguments.ts';
import type { Mount } from '../backend.ts';
import { digest } from '../staged-file.ts';
import { containerUids } from './container.ts';
import { scratchInContainer } from './container-options.ts';
import type { Engine } from './engine.ts';
import { buildImage, type ImageName, imageState } from './images.ts';

type SystemFolders = View['systemFolders'];

const dockerfile = 'FROM scratch\nCOPY root/ /\n';
/** Where other back-ends have their scratch folder, and programs their temporary files. */
const links: Readonly<Record<string, string>> = {
  scratch: scratchInContainer,
  box: `${scratchInContainer}/box`,
  tmp: `${scratchInContainer}/tmp`,
};
const shared = ['/usr', '/etc/alternatives', '/etc/ld.so.cache'];

/** Makes it unless it is there. The name tells the content. */
export async function hostImage(
  engine: Engine,
  systemFolders: SystemFolders,
  workFolder: string,
): Promise<string> {
  const content = contentOf(systemFolders);
  const key = digest([dockerfile, JSON.stringify(content)]);
  const image: ImageName = { name: `polya-host:${key}`, digest: key };
  if ((await imageState(engine, image)).kind === 'ready') return image.name;
  const folder = await mkdtemp(join(workFolder, 'image-'));
  try {
    await layOut(folder, content);
    await buildImage(engine, { ...image, folder, entries: ['Dockerfile', 'root'] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return image.name;
}

/** What every container of this kind sees of the host. */
export function hostMounts(systemFolders: SystemFolders): readonly Mount[] {
  const folders = systemFolders.filter(({ linkTarget }) => linkTarget === null).map(({ path }) => path);
  return [...shared.filter((path) => existsSync(path)), ...folders].map((path) => ({
    source: path,
    target: path,
  }));
}

type Content = { readonly links: Readonly<Record<string, string>>; readonly passwd: string };

function contentOf(systemFolders: SystemFolders): Content {
  const system = systemFolders.flatMap(({ path, linkTarget }) =>
    linkTarget === null ? [] : [[path.slice(1), linkTarget] as const],
  );
  const uids = Array.from({ length: containerUids.count }, (_, index) => containerUids.first + index);
  const passwd = uids.map((uid) => `polya${uid}:x:${uid}:${uid}::/tmp:/bin/sh\n`).join('');
  return { links: { ...Object.fromEntries(system), ...links }, passwd };
}

async function layOut(folder: string, content: Content): Promise<void> {
  const root = join(folder, 'root');
  await mkdir(join(root, 'etc'), { recursive: true });
  for (const name of ['proc', 'sys', 'dev', 'usr', 'run']) await mkdir(join(root, name));
  for (const [name, target] of Object.entries(content.links)) await symlink(target, join(root, name));
  await writeFile(join(root, 'etc', 'passwd'), content.passwd);
  await writeFile(join(folder, 'Dockerfile'), dockerfile);
}
