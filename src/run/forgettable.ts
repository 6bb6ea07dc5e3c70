/** An agent may leave an effect or a branch behind: that it was cancelled then is nobody's business. */
export function forgettable<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
