import type { MailDriver } from './mail-driver.js';
import { createOutboxDriver } from './outbox-driver.js';
import { createResendDriver } from './resend-driver.js';
import { createSmtpDriver } from './smtp-driver.js';

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
