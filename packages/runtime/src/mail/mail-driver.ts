import { VERSION } from '@gatehouse/auth-core';

/**
 * The content of a mail, without its layout. The only text from other people is names, shortened and without
 * links (`mailName`): a person who enters somebody else's address must not be able to write our mail.
 */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one action, as a button in HTML and a URL in text. */
  readonly action?: { readonly label: string; readonly link: string };
  /** A code to type in, shown large. */
  readonly code?: string;
  readonly closing: readonly string[];
}

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

/** For mail servers and mail programs: RFC 3834 keeps automatic responders silent. */
export const MAIL_HEADERS: Readonly<Record<string, string>> = {
  'Auto-Submitted': 'auto-generated',
  'X-Mailer': `Gatehouse ${VERSION}`,
};

/**
 * The outcome of one attempt. `retry`: not accepted, may succeed later. `refused`: will never be accepted. `reason` is a short
 * code from us or the protocol, never content of the mail.
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

interface MailPlace {
  readonly SMTP_URL?: string | undefined;
}

/** The meaning of each code of the mail library (the second word of a reason) for an operator. */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNECTION: 'cannot be reached: start it, or correct SMTP_URL',
  ESOCKET: 'cannot be reached, or not by TLS: start it, or correct SMTP_URL',
  EDNS: 'has a name that nobody knows: correct SMTP_URL',
  ETIMEDOUT: 'does not answer in time: look at it, and at the network in between',
  timeout: 'does not answer in time: look at it, and at the network in between',
  ETLS: 'offers no TLS that can be trusted: correct its certificate, or SMTP_URL',
  EAUTH: 'refuses the user or the password: correct them in SMTP_URL',
  ENOAUTH: 'wants a user and a password: add them to SMTP_URL',
  EENVELOPE: 'refuses the sender or the recipient: correct MAIL_FROM, or the address',
  EMESSAGE: 'refuses the message: see its log',
};

/**
 * Explains a failed delivery, including its reason, such as `smtp ECONNECTION`. It names the server, never its
 * user or password.
 */
export function explainDelivery(reason: string, { SMTP_URL }: MailPlace): string {
  const [driver, code = ''] = reason.split(' ');
  if (driver === 'smtp' && SMTP_URL !== undefined) {
    const { hostname, port, protocol } = new URL(SMTP_URL);
    const place = `${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`;
    return `the mail server at ${place} ${BY_CODE[code] ?? 'did not take it: see its log'} (${reason}).`;
  }
  if (driver === 'resend')
    return `Resend did not take it: look at RESEND_API_KEY, MAIL_FROM and its dashboard (${reason}).`;
  return `it was not delivered (${reason}).`;
}
