/** The one program that is meant, of those that one build made. */
import { UserError } from '../core/errors.ts';
import { decodeFolder } from '../core/folder-archive.ts';

/** A build that makes one program only is that program; else it is an archive of them, by name. */
export function chosenBinary(built: Uint8Array, isBundle: boolean, wanted: string | undefined): Uint8Array {
  if (!isBundle) {
    if (wanted === undefined) return built;
    throw new UserError({
      code: 'no-choice-program-one-file',
      what: `There is no choice of ${JSON.stringify(wanted)}: this program is one file.`,
      fix: 'Leave `binary` out, or hand in a project with a Cargo.toml.',
    });
  }
  const binaries = decodeFolder(built).flatMap((entry) => (entry.type === 'file' ? [entry] : []));
  const [first, ...others] = binaries;
  const chosen =
    wanted === undefined && others.length === 0 ? first : binaries.find(({ path }) => path === wanted);
  if (chosen !== undefined) return chosen.bytes;
  // A build script names its files as it likes.
  const names = binaries.map(({ path }) => (/^[\w.-]+$/.test(path) ? path : JSON.stringify(path))).join(', ');
  throw new UserError({
    code: 'project-builds-programs-none-was',
    what:
      wanted === undefined
        ? `This project builds ${binaries.length} programs, and none was chosen.`
        : `This project builds no program ${JSON.stringify(wanted)}.`,
    fix:
      names === '' ? 'Give it a `src/main.rs` or a file in `src/bin`.' : `Set \`binary\` to one of ${names}.`,
  });
}
