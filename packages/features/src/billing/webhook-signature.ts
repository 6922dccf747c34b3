import { isUtf8 } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BillingProvider } from '../core/billing/billing-event.js';

/** A provider's signature format. Both sign the time and the body by HMAC-SHA256 in hex. */
interface SignatureScheme {
  /** The request header, in lower case. */
  readonly header: string;
  readonly separator: string;
  readonly timeKey: string;
  readonly signatureKey: string;
  /** Whether one of the header's signatures was made with this secret, at whatever time. */
  readonly isSignedWith: (secret: string, signed: SignedParts) => Promise<boolean>;
}

interface SignedParts {
  readonly header: string;
  readonly time: string;
  readonly signatures: readonly string[];
  readonly body: Buffer;
}

/**
 * - Stripe: `t=<s>,v1=<hex>`, signed `<s>.<body>` (https://docs.stripe.com/webhooks#verify-manually)
 * - Paddle: `ts=<s>;h1=<hex>`, signed `<s>:<body>` (https://developer.paddle.com/webhooks/signature-verification)
 */
export const WEBHOOK_SIGNATURE_SCHEMES: Readonly<Record<BillingProvider, SignatureScheme>> = {
  stripe: {
    header: 'stripe-signature',
    separator: ',',
    timeKey: 't',
    signatureKey: 'v1',
    isSignedWith: isSignedByStripe,
  },
  paddle: {
    header: 'paddle-signature',
    separator: ';',
    timeKey: 'ts',
    signatureKey: 'h1',
    isSignedWith: isSignedByPaddle,
  },
};

/** The tolerated clock difference of the signer in seconds, both ways. */
const WEBHOOK_TOLERANCE_SECONDS = 300;

/** A tolerance of 0 tells Stripe's SDK not to check the time. */
const ANY_TIME = 0;

/** The most signatures compared in one header; no rotation needs more. */
const MAX_SIGNATURES = 10;

export type SignatureProblem =
  | 'no_secret'
  | 'no_signature'
  | 'malformed'
  | 'mismatch'
  | 'too_old'
  | 'too_new';

export interface SignedDelivery {
  /** The provider's signature header, undefined without one. */
  readonly header: string | undefined;
  /** The body, byte for byte as received. */
  readonly body: Buffer;
  /** The endpoint's own secrets; several during a rotation. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
}

/**
 * The problem of a delivery's signature; undefined when it is valid. The time is checked last, so that `too_old`
 * and `too_new` only describe genuine deliveries.
 */
export async function webhookSignatureProblem(
  provider: BillingProvider,
  { header, body, secrets, nowMs }: SignedDelivery,
): Promise<SignatureProblem | undefined> {
  if (secrets.length === 0) return 'no_secret';
  if (header === undefined || header === '') return 'no_signature';
  const scheme = WEBHOOK_SIGNATURE_SCHEMES[provider];
  const parsed = parseHeader(scheme, header);
  if (parsed === undefined) return 'malformed';
  const signed = { ...parsed, header, body };
  const matches = await Promise.all(secrets.map((secret) => scheme.isSignedWith(secret, signed)));
  if (!matches.includes(true)) return 'mismatch';
  const ageSeconds = Math.floor(nowMs / 1000) - Number(parsed.time);
  if (ageSeconds > WEBHOOK_TOLERANCE_SECONDS) return 'too_old';
  return ageSeconds < -WEBHOOK_TOLERANCE_SECONDS ? 'too_new' : undefined;
}

function parseHeader(
  scheme: SignatureScheme,
  header: string,
): { time: string; signatures: string[] } | undefined {
  const entries = header.split(scheme.separator).map((part) => {
    const mark = part.indexOf('=');
    return { key: part.slice(0, mark).trim(), value: part.slice(mark + 1).trim() };
  });
  const times = entries.filter(({ key }) => key === scheme.timeKey);
  const signatures = entries.filter(({ key }) => key === scheme.signatureKey).map(({ value }) => value);
  const [time] = times;
  if (time === undefined || times.length > 1 || !/^\d{1,12}$/.test(time.value)) return undefined;
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES) return undefined;
  return { time: time.value, signatures };
}

/** Stripe's SDK compares. It does not limit how far ahead a time may be, so the time is checked here. */
async function isSignedByStripe(secret: string, { header, body }: SignedParts): Promise<boolean> {
  // The SDK signs text, in which all bytes that are not UTF-8 look the same.
  if (!isUtf8(body)) return false;
  const { default: Stripe } = await import('stripe');
  try {
    return Stripe.webhooks.signature?.verifyHeader(body.toString(), header, secret, ANY_TIME) ?? false;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

/** Paddle's SDK accepts only deliveries of the last five seconds, which a retry or a clock may miss. */
function isSignedByPaddle(secret: string, { time, signatures, body }: SignedParts): Promise<boolean> {
  const expected = createHmac('sha256', secret).update(time).update(':').update(body).digest();
  return Promise.resolve(signatures.map((given) => isSame(given, expected)).includes(true));
}

function isSame(given: string, expected: Buffer): boolean {
  return /^[0-9a-f]{64}$/.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), expected);
}
