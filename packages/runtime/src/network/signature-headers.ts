import { createHmac } from 'node:crypto';

/** The prefix of a secret whose rest is its key in base64. */
export const SECRET_PREFIX = 'whsec_';

/** The headers that sign a body (Standard Webhooks 1.0): one signature of each secret, newest first. */
export function signatureHeaders(
  secrets: readonly string[],
  { id, body, nowMs }: { id: string; body: string; nowMs: number },
): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
