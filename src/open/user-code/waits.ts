/** What code of the user's was asked for and has not given yet, in words for those who wait. */

const waits = new Set<{ readonly what: string }>();
let tell: (what: string) => void = () => undefined;

/** How long it may take without a word. */
const quietMs = 5_000;

export function awaited(): readonly string[] {
  return [...waits].map(({ what }) => what);
}

/** Is told what takes long, once each. */
export function onLongWait(told: (what: string) => void): void {
  tell = told;
}

export async function waitingFor<T>(what: string, work: Promise<T>): Promise<T> {
  const wait = { what };
  waits.add(wait);
  const timer = setTimeout(() => tell(what), quietMs).unref();
  try {
    return await work;
  } finally {
    waits.delete(wait);
    clearTimeout(timer);
  }
}
