import type { MailContent } from '@gatehouse/runtime/mail/mail-content';

/** One kind of mail. */
export interface MailKind<Data> {
  /** How many of this kind one address gets within an hour; further ones are not written. */
  readonly mostPerHour: number;
  /** How long delivery is tried, in milliseconds; after that the mail is given up. */
  readonly lifeMs: number;
  compose(data: Data): MailContent;
}
