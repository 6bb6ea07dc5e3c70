/** Why the system refused a file or folder, in plain words; what it does not know stays in the system's own. Pure. */

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'There is nothing of that name.',
  ENOTDIR: 'It, or a part of its path, is a file, not a folder.',
  EISDIR: 'It is a folder.',
  EEXIST: 'Something else has that name.',
  EACCES: 'It is not open to you.',
  EPERM: 'It is not open to you.',
  EROFS: 'It is on a disk that can only be read.',
  EFBIG: 'It has more than 256 MiB, or no end.',
  ELOOP: 'It is a link that leads in a circle.',
  ENAMETOOLONG: 'Its name is too long.',
  ENXIO: 'It is a socket or a device, not a file.',
  ENOTFILE: 'It is a pipe, a socket or a device, not a file.',
  ENOSPC: 'The disk is full.',
  ERR_INVALID_ARG_VALUE: 'Its name holds a sign that no name of a file can hold.',
};

/** One sentence or more, each with its full stop. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return Object.hasOwn(reasons, code) ? (reasons[code] ?? '') : `${error.message}.`;
}
