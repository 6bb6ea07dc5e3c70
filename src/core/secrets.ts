/** Which variables of an environment hold secrets: to take them out of texts, and to keep them from other programs. */

/** Cookies with which Polya logs in to sites. */
export const siteSessions: readonly string[] = ['AOC_SESSION', 'ATCODER_SESSION'];

const secretName =
  /KEY|TOKEN|SECRET|SESSION|COOKIE|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTHORIZATION|_(?:PASS|PWD|PAT|AUTH)$/i;
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

/** The values of an environment that its names call secret. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const secret = value?.trim() ?? '';
    return isSecretName(name) && secret.length >= shortestSecret && !path.test(secret) ? [secret] : [];
  });
}
