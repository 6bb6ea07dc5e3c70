/** A bucket that fills as time passes: so many a minute, and no more at once than a part of that. Pure. */
export class Bucket {
  readonly #perMs: number;
  readonly #most: number;
  #amount: number;
  #atMs: number;

  constructor({ perMinute, most, nowMs }: { perMinute: number; most: number; nowMs: number }) {
    this.#perMs = perMinute / 60_000;
    this.#most = most;
    this.#amount = most;
    this.#atMs = nowMs;
  }

  /** How long until so much can be taken; more than it ever holds can be had when it is full. */
  waitMs(wanted: number, nowMs: number): number {
    this.#fill(nowMs);
    const lacking = Math.min(wanted, this.#most) - this.#amount;
    return lacking <= 0 ? 0 : Math.ceil(lacking / this.#perMs);
  }

  /** It may go below nothing: what was taken beyond it has to come in first. */
  take(amount: number, nowMs: number): void {
    this.#fill(nowMs);
    this.#amount = Math.min(this.#most, this.#amount - amount);
  }

  #fill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#amount = Math.min(this.#most, this.#amount + passedMs * this.#perMs);
    this.#atMs = nowMs;
  }
}
