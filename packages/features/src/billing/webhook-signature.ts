import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BillingProvider } from './billing-provider.js';

/** A provider's signature format. Both use HMAC-SHA256 in hex. */
interface SignatureScheme {
  /** The request header, in lower case. */
  readonly header: string;
  readonly separator: string;
  readonly timeKey: string;
  readonly signatureKey: string;
  /** The separator between time and body in the signed text. */
  readonly joint: string;
}

/**
 * - Stripe: `t=<s>,v1=<hex>`, signed `<s>.<body>` (https://docs.stripe.com/webhooks#verify-manually)
 * - Paddle: `ts=<s>;h1=<hex>`, signed `<s>:<body>` (https://developer.paddle.com/webhooks/signature-verification)
 */
export const WEBHOOK_SIGNATURE_SCHEMES: Readonly<Record<BillingProvider, SignatureScheme>> = {
  stripe: { header: 'stripe-signature', separator: ',', timeKey: 't', signatureKey: 'v1', joint: '.' },
  paddle: { header: 'paddle-signature', separator: ';', timeKey: 'ts', signatureKey: 'h1', joint: ':' },
};

/** The tolerated clock difference of the signer in seconds, both ways. */
const WEBHOOK_TOLERANCE_SECONDS = 300;

/** The most signatures compared in one header; no rotation needs more. */
const MOST_SIGNATURES = 10;

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
  /** The body, byte for byte as it came. */
  readonly body: Buffer;
  /** The endpoint's own secrets; several during a rotation. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
}

/**
 * The problem of a delivery's signature; undefined when it is valid. The time is checked last, so that `too_old`
 * and `too_new` only describe genuine deliveries.
 */
export function webhookSignatureProblem(
  provider: BillingProvider,
  { header, body, secrets, nowMs }: SignedDelivery,
): SignatureProblem | undefined {
  if (secrets.length === 0) return 'no_secret';
  if (header === undefined || header === '') return 'no_signature';
  const scheme = WEBHOOK_SIGNATURE_SCHEMES[provider];
  const parsed = parseHeader(scheme, header);
  if (parsed === undefined) return 'malformed';
  const isGenuine = secrets
    .map((secret) => digest(scheme, secret, parsed.time, body))
    .flatMap((expected) => parsed.signatures.map((given) => isSame(given, expected)))
    .includes(true);
  if (!isGenuine) return 'mismatch';
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
  if (signatures.length === 0 || signatures.length > MOST_SIGNATURES) return undefined;
  return { time: time.value, signatures };
}

function digest(scheme: SignatureScheme, secret: string, time: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(time).update(scheme.joint).update(body).digest();
}

function isSame(given: string, expected: Buffer): boolean {
  return /^[0-9a-f]{64}$/.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), expected);
}
