import type { Locale } from '@gatehouse/db';
import type { MailContent } from '@gatehouse/runtime/mail/mail-content';

/** One kind of mail. */
export interface MailKind<Data> {
  /** How many mails of this kind an address gets per hour; more are not written. */
  readonly mostPerHour: number;
  /** How long delivery is tried, in milliseconds. */
  readonly lifeMs: number;
  /** The content in every language. */
  readonly compose: Readonly<Record<Locale, (data: Data) => MailContent>>;
}
