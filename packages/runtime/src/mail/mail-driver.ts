/** A mail ready to leave. */
export interface OutgoingMail {
  /** The same at every try, so that a provider can remove a second delivery of one mail. */
  readonly idempotencyKey: string;
  readonly kind: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * What became of one try. `retry`: nobody took it, later may be better. `refused`: it will never be taken. `reason` is
 * a short code of ours or of the protocol, never the mail's content.
 */
export type Delivery =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'retry' | 'refused'; readonly reason: string };

/** A way for mail to leave. */
export interface MailDriver {
  readonly name: 'resend' | 'smtp' | 'outbox';
  /** Whether a sent mail stays readable in the database, for the development outbox. */
  readonly keepsContent: boolean;
  /** Answers within a bounded time; rejects only for faults of our own. */
  deliver(mail: OutgoingMail): Promise<Delivery>;
}
