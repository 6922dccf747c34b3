import { domainToASCII } from 'node:url';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { type Delivery, MAIL_HEADERS, type MailDriver, type OutgoingMail } from './mail-driver.js';

/** A comment may follow the address (RFC 5322, section 3.2.2). */
const COMMENT = /\s*\([^()]*\)\s*$/;

const ADDRESS_OF_SENDER = /<([^<>]*)>\s*$/;

/** A mail in nodemailer's form. Its Message-ID is the same at every attempt, in the sender's domain (RFC 5322, section 3.6.4). */
export function composeMessage(from: string, mail: OutgoingMail): SendMailOptions {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.idempotencyKey}@${domainOf(from)}>`,
    headers: { ...MAIL_HEADERS },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function domainOf(from: string): string {
  const sender = from.replace(COMMENT, '');
  const address = ADDRESS_OF_SENDER.exec(sender)?.[1] ?? sender;
  const domain = address.slice(address.lastIndexOf('@') + 1).trim();
  // An address may have the number of a host in brackets (RFC 5321, section 4.1.3), which is not a domain.
  return domainToASCII(domain) || (/^\[[\w.:]+\]$/.test(domain) ? domain : 'localhost');
}

interface SmtpDriverOptions {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  readonly url: string;
  readonly from: string;
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Delivers over SMTP, one connection per mail. SMTP is not idempotent: if the connection is lost before the
 * server confirms, the server gets the mail again with the same Message-ID.
 */
export function createSmtpDriver({ url, from, timeoutMs }: SmtpDriverOptions): MailDriver {
  return {
    name: 'smtp',
    keepsContent: false,
    async deliver(mail) {
      const transport = await openSmtpTransport(url, timeoutMs);
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<Delivery>((resolve) => {
        timer = setTimeout(() => {
          resolve({ outcome: 'retry', reason: 'smtp timeout' });
        }, timeoutMs);
      });
      const sending = transport
        .sendMail(composeMessage(from, mail))
        .then((): Delivery => ({ outcome: 'sent' }), judge);
      return Promise.race([sending, tooLate]).finally(() => {
        clearTimeout(timer);
      });
    },
  };
}

/**
 * A client of the server of an `smtp://` URL; each of its steps may take at most that long. Its package is loaded with the first
 * client: 39 modules, which few nodes need soon.
 */
async function openSmtpTransport(url: string, timeoutMs: number): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  });
}

/** RFC 5321, section 4.2.1: a 5yz reply is permanent. Only replies about the address or the message are final. */
function judge(error: unknown): Delivery {
  const { responseCode, command } = smtpError(error);
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  const isFinal = responseCode !== undefined && responseCode >= 500 && isAboutMail;
  return {
    outcome: isFinal ? 'refused' : 'retry',
    reason: smtpReason(error),
  };
}

/** The codes of a failure, as `smtp EENVELOPE 550 RCPT TO`. */
function smtpReason(error: unknown): string {
  const { code = 'error', responseCode, command } = smtpError(error);
  return ['smtp', code, responseCode, command].filter((part) => part !== undefined).join(' ');
}

function smtpError(error: unknown): { code?: string; responseCode?: number; command?: string } {
  const read = (name: string): unknown =>
    error instanceof Error ? Object.getOwnPropertyDescriptor(error, name)?.value : undefined;
  const [code, responseCode, command] = [read('code'), read('responseCode'), read('command')];
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
    ...(typeof command === 'string' ? { command: command.slice(0, 20) } : {}),
  };
}

/**
 * Connects to the server of an `smtp://` URL, signs in if the URL has a user, and disconnects without
 * sending.
 * @returns the reason of a failure, in the codes of a delivery, or nothing on success
 */
export async function greetSmtp(url: string, timeoutMs: number): Promise<string | undefined> {
  const transport = await openSmtpTransport(url, timeoutMs);
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return smtpReason(error);
  } finally {
    transport.close();
  }
}
