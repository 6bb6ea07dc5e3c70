/**
 * The statement as agents read it: the workspace's Markdown, and the pictures that it shows behind it. Of pictures that
 * no model takes (SVG, or too large) the Markdown's own words are all there is.
 */
import { UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import type { ImagePart } from '../../../core/model.ts';
import type { ProblemFace } from '../../../core/problem.ts';
import { layout } from '../layout.ts';
import type { AhcReference } from './reference.ts';

export type StatementFiles = {
  /** Null where there is no such file. */
  read(path: string): Promise<string | null>;
};

export async function readStatement(
  { folder, files }: { readonly folder: Folder; readonly files: StatementFiles },
  { problemFile, images }: AhcReference,
): Promise<ProblemFace['statement']> {
  const text = problemFile === null ? await folder.read(layout.statement) : await files.read(problemFile);
  if (text === null || text.trim() === '') throw noStatement(folder, problemFile);
  const pictures = images ? await picturesOf(folder, text) : [];
  return [{ type: 'text', text }, ...pictures];
}

const mostPictures = 20;
const mostPictureBytes = 5 * 1024 * 1024;

async function picturesOf(folder: Folder, text: string): Promise<readonly ImagePart[]> {
  const shown = text.matchAll(/!\[[^\]]{0,2000}\]\((?:problem\/)?(images\/[^)\s]+)\)/g);
  const names = [...new Set([...shown].map(([, name = '']) => name))].slice(0, mostPictures);
  const parts = await Promise.all(names.map((name) => pictureAt(folder, `${layout.problem}/${name}`)));
  return parts.filter((part) => part !== null);
}

async function pictureAt(folder: Folder, path: string): Promise<ImagePart | null> {
  const bytes = await folder.readBytes(path);
  const mediaType = bytes && mediaTypeOf(bytes);
  if (!bytes || !mediaType || bytes.length > mostPictureBytes) return null;
  return { type: 'image', mediaType, data: base64(bytes) };
}

const signatures: readonly { readonly mediaType: string; readonly at: number; readonly text: string }[] = [
  { mediaType: 'image/png', at: 0, text: '\x89PNG' },
  { mediaType: 'image/jpeg', at: 0, text: '\xff\xd8\xff' },
  { mediaType: 'image/gif', at: 0, text: 'GIF8' },
  { mediaType: 'image/webp', at: 8, text: 'WEBP' },
];

function mediaTypeOf(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return signatures.find(({ at, text }) => head.startsWith(text, at))?.mediaType ?? null;
}

function base64(bytes: Uint8Array): string {
  const piece = 32_768;
  let binary = '';
  for (let at = 0; at < bytes.length; at += piece)
    binary += String.fromCharCode(...bytes.subarray(at, at + piece));
  return btoa(binary);
}

function noStatement({ path }: Folder, problemFile: string | null): UserError {
  const file = problemFile ?? `${path}/${layout.statement}`;
  return new UserError({
    what: `There is no statement in ${file}.`,
    why: 'It is what a model reads of the problem.',
    fix: 'Run `polya ahc init` again, write it there yourself, or name another file with --problem-file.',
  });
}
