import type { Resend } from 'resend';
import { type Delivery, MAIL_HEADERS, type MailDriver } from './mail-driver.js';

export interface ResendDriverOptions {
  readonly apiKey: string;
  readonly from: string;
  /** The URL of Resend's API; its own by default. */
  readonly baseUrl?: string | undefined;
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Answers about the mail itself, which a retry will not change. Other statuses concern our account. */
const REFUSALS: ReadonlySet<string> = new Set([
  'validation_error',
  'invalid_to_address',
  'missing_required_field',
  'invalid_parameter',
]);

/** Delivers through Resend's SDK. Resend keeps idempotency keys for 24 hours. */
export function createResendDriver({ apiKey, from, baseUrl, timeoutMs }: ResendDriverOptions): MailDriver {
  let client: Promise<Resend> | undefined;
  return {
    name: 'resend',
    keepsContent: false,
    async deliver({ idempotencyKey, to, subject, text, html }) {
      client ??= openClient(apiKey, baseUrl);
      const { data, error } = await (await client).emails.send(
        { from, to, subject, text, html, headers: { ...MAIL_HEADERS } },
        { idempotencyKey, signal: AbortSignal.timeout(timeoutMs) },
      );
      if (error === null) return data?.id ? { outcome: 'sent' } : { outcome: 'retry', reason: 'no_id' };
      return judge(error.name, error.statusCode);
    },
  };
}

function judge(name: string, status: number | null): Delivery {
  // Resend accepted this key before with another sender or content, so the mail was delivered.
  if (name === 'invalid_idempotent_request') return { outcome: 'sent' };
  const reason = `resend ${status ?? 'unreachable'} ${name}`.slice(0, 200);
  return { outcome: REFUSALS.has(name) && (status === 400 || status === 422) ? 'refused' : 'retry', reason };
}

/** Loads the SDK with the first mail, because most services never need it. */
async function openClient(apiKey: string, baseUrl: string | undefined): Promise<Resend> {
  const { Resend } = await import('resend');
  return new Resend(apiKey, baseUrl === undefined ? {} : { baseUrl });
}
