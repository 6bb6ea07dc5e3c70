/**
 * Looks into a jar that a compiler made of a hostile source: what of it can be started. Pure; nothing is unpacked but
 * the manifest, and that only where it is small.
 */
import { unzipSync } from 'fflate';

const manifest = 'META-INF/MANIFEST.MF';
const mostManifestBytes = 65_536;

/** What cannot be read is not judged: Java itself will say what is wrong with it. */
export function hasMainClass(jar: Uint8Array): boolean {
  try {
    const isWanted = ({ name, originalSize }: { name: string; originalSize: number }) =>
      name === manifest && originalSize <= mostManifestBytes;
    const text = unzipSync(jar, { filter: isWanted })[manifest];
    return text === undefined || /^Main-Class:/m.test(new TextDecoder().decode(text));
  } catch {
    return true;
  }
}
