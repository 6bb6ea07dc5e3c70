/** Which variables of an environment hold secrets: to take them out of texts, and to keep them from other programs. */

/** Cookies with which Polya logs in to sites. */
export const siteSessions: readonly string[] = ['AOC_SESSION', 'ATCODER_SESSION'];

/** Where one of them stands in its name, a variable holds a secret; a short one at the end alone. */
export const secretWords = {
  anywhere: 'KEY TOKEN SECRET SESSION COOKIE PASSWORD PASSWD PASSPHRASE CREDENTIAL AUTHORIZATION'.split(' '),
  atTheEnd: ['_PASS', '_PWD', '_PAT', '_AUTH'],
};
const secretName = new RegExp(
  `${secretWords.anywhere.join('|')}|(?:${secretWords.atTheEnd.join('|')})$`,
  'i',
);
/** Variables of a desktop, without which no window opens. */
const desktopName =
  /^(?:DBUS_SESSION_|XDG_SESSION_|SESSION_MANAGER$|DESKTOP_SESSION$|GDMSESSION$|\w*KEY(?:BOARD|MAP|RING))/i;

export function isSecretName(name: string): boolean {
  return secretName.test(name) && !desktopName.test(name);
}

/** Shorter ones are words such as `none`. */
const shortestSecret = 8;

/** A path is no secret, whatever its variable is called: runs are resumed by the paths in their journals. */
const path = /^(?:~|\.{1,2})?(?:\/[\w .@-]+){2,}\/?$/;

/** `postgres://me:PASSWORD@host`, `http://me:PASSWORD@proxy`: what its user may write raw goes up to the last `@`. */
const login = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*:(?<password>\S+)@/i;

/** Of an address that holds a password: the whole of it, and the password unless it is a word. */
function findAddressSecrets(address: string): readonly string[] {
  const password = login.exec(address)?.groups?.password;
  if (password === undefined) return [];
  return [address, ...[password, plain(password)].filter((each) => each.length >= shortestSecret)];
}

function plain(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** The values of an environment that its names call secret, and the passwords in its addresses. */
export function findSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const secret = value?.trim() ?? '';
    const inAddress = findAddressSecrets(secret);
    if (inAddress.length > 0) return [...new Set(inAddress)];
    return isSecretName(name) && secret.length >= shortestSecret && !path.test(secret) ? [secret] : [];
  });
}
