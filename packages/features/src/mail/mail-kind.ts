import type { Locale } from '@gatehouse/db';
import type { MailContent } from '@gatehouse/runtime/mail/mail-content';

/** One kind of mail. */
export interface MailKind<Data> {
  /** How many of this kind one address gets within an hour; further ones are not written. */
  readonly mostPerHour: number;
  /** How long delivery is tried, in milliseconds; after that the mail is given up. */
  readonly lifeMs: number;
  /** What it says, in every language we write. */
  readonly compose: Readonly<Record<Locale, (data: Data) => MailContent>>;
}
