import { mkdir, rename, writeFile } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import type { MailDriver } from './mail-driver.js';
import { createResendDriver } from './resend-driver.js';
import { composeMessage, createSmtpDriver } from './smtp-driver.js';

/**
 * Sends nothing. It writes each mail as an `.eml` file that only its owner can read, and keeps it readable in
 * the database. A second delivery of a mail replaces its file.
 */
export function createOutboxDriver(options: { directory: string; from: string }): MailDriver {
  return {
    name: 'outbox',
    keepsContent: true,
    async deliver(mail) {
      // Loaded with the first mail: few nodes send one soon, and it is 39 modules.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await transport.sendMail(composeMessage(options.from, mail));
      await mkdir(options.directory, { recursive: true, mode: 0o700 });
      const path = join(options.directory, `${mail.kind}-${mail.idempotencyKey}.eml`);
      await writeFile(`${path}.part`, message, { mode: 0o600 });
      await rename(`${path}.part`, path);
      return { outcome: 'sent' };
    },
  };
}

interface MailConfig {
  readonly APP_URL: string;
  readonly MAIL_FROM?: string | undefined;
  readonly MAIL_OUTBOX_DIRECTORY: string;
  readonly RESEND_API_KEY?: string | undefined;
  readonly RESEND_BASE_URL?: string | undefined;
  readonly SMTP_URL?: string | undefined;
}

/** The time limit of one delivery attempt, in milliseconds; well below the lease of a claimed mail. */
const TIMEOUT_MS = 15_000;

/** The sender of every mail. */
export function mailSender({ APP_URL, MAIL_FROM }: Pick<MailConfig, 'APP_URL' | 'MAIL_FROM'>): string {
  return MAIL_FROM ?? `Gatehouse <no-reply@${new URL(APP_URL).hostname}>`;
}

/** The mail driver of this deployment: Resend, else SMTP, else the outbox. */
export function createMailDriver(config: MailConfig): MailDriver {
  const from = mailSender(config);
  if (config.RESEND_API_KEY !== undefined) {
    return createResendDriver({
      apiKey: config.RESEND_API_KEY,
      baseUrl: config.RESEND_BASE_URL,
      from,
      timeoutMs: TIMEOUT_MS,
    });
  }
  if (config.SMTP_URL !== undefined) {
    return createSmtpDriver({ url: config.SMTP_URL, from, timeoutMs: TIMEOUT_MS });
  }
  return createOutboxDriver({ directory: config.MAIL_OUTBOX_DIRECTORY, from });
}

const loopback = new BlockList();

loopback.addSubnet('127.0.0.0', 8);

loopback.addAddress('::1', 'ipv6');

loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether a request comes from a person at this machine, in development: from a loopback address, without a
 * proxy or tunnel, and to a local host name, so that DNS rebinding cannot reach it.
 */
export function isLocalDeveloper(
  config: { readonly NODE_ENV: string },
  { address, header }: { readonly address: string; readonly header: (name: string) => string | undefined },
): boolean {
  const isForwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].some(
    (name) => header(name) !== undefined,
  );
  return (
    config.NODE_ENV === 'development' &&
    isIP(address) !== 0 &&
    loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') &&
    !isForwarded &&
    LOCAL_HOST.test(header('host') ?? '')
  );
}
