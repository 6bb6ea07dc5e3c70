/**
 * What the family must be handed: the sites it may ask, and a hash. Secrets stay behind `connect`: they are asked for
 * at each use and never enter a face, a journal or an error.
 */
import type { LanguageId } from '../../core/sandbox.ts';

export type AocReference = {
  readonly site: string;
  readonly year: number;
  readonly day: number;
  readonly lang: LanguageId;
  /** Whose puzzle it is, where a site has several accounts. */
  readonly user?: string;
  /** Another seed, another account with another input, where a site makes inputs. */
  readonly seed?: number;
};

/** A year and the days it has. */
type AocEvent = { readonly year: number; readonly days: readonly number[] };

export type AocConnection = {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The value of the `session` cookie. */
  readonly session: string;
  /**
   * A name for the account behind the session, of letters, digits, `-` and `_`. What is kept on disk is kept by it, so
   * that a new session or a site that was reset does not get another one's input. A short hash of the session will do.
   */
  readonly account?: string;
};

export type AocSite = {
  /** `official` is the calendar of the real event, by the clock; other sites name what they have. */
  readonly events: 'official' | readonly AocEvent[];
  /** Solving an event while it runs is refused, unless its user says otherwise. */
  readonly allowsRunningEvent?: boolean;
  /**
   * Where the site is and as whom to ask, cheap when called again. Throws `UserError` without a cookie and
   * `UnavailableError` where there is no site.
   */
  connect(reference: AocReference): Promise<AocConnection>;
};

export type AocSettings = {
  readonly sites: Readonly<Record<string, AocSite>>;
  /** A hash for content hashes: this room has none of its own. */
  hashText(text: string): string | Promise<string>;
  /** A lock of the site that ends within this time is waited out; a longer one is told to the model. */
  readonly longestWaitMs?: number;
  /** How many characters of stdout, and again of stderr, a model reads. */
  readonly outputCharacters?: number;
};
