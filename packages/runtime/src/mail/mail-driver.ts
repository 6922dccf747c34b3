/** A mail ready to send. */
export interface OutgoingMail {
  /** The same at every attempt, so that a provider can drop a duplicate. */
  readonly idempotencyKey: string;
  readonly kind: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * The outcome of one attempt. `retry`: not accepted, may succeed later. `refused`: will never be accepted.
 * `reason` is a short code of ours or of the protocol, never content of the mail.
 */
export type Delivery =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'retry' | 'refused'; readonly reason: string };

/** A way to send mail. */
export interface MailDriver {
  readonly name: 'resend' | 'smtp' | 'outbox';
  /** Whether a sent mail stays readable in the database, for the development outbox. */
  readonly keepsContent: boolean;
  /** Resolves within a limited time. Rejects only for faults of our own. */
  deliver(mail: OutgoingMail): Promise<Delivery>;
}
