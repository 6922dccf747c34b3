import type { Locale } from '@gatehouse/db';
import type { MailContent } from '@gatehouse/runtime/mail/mail-content';

/**
 * How the mails of a kind to one address are bounded. What strangers can start shares a bound with the other kinds
 * of its sort: `signIn` is asked for to get in, `contact` reaches people who may not know us. The others have an
 * hourly bound of their own: an `own` mail above it is held, a `notice` is merged with others into one mail. `codes` are
 * `own` for a member whose owner is proven, and `signIn` for others, who may be strangers.
 */
type Counted =
  | { readonly countedAs: 'signIn' | 'contact' }
  | { readonly countedAs: 'own' | 'codes' | 'notice'; readonly mostPerHour: number };

/** One kind of mail. */
export type MailKind<Data> = Counted & {
  /** How long delivery is tried, in milliseconds. */
  readonly lifeMs: number;
  /** The content in every language. */
  readonly compose: Readonly<Record<Locale, (data: Data) => MailContent>>;
};
