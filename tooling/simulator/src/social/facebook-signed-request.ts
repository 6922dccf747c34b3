import { createHmac } from 'node:crypto';

/** Facebook's post when a person removes an application: a payload and its HMAC-SHA256, both in base64url. */
export function facebookSignedRequest(secret: string, payload: object): string {
  const body = Buffer.from(JSON.stringify({ algorithm: 'HMAC-SHA256', ...payload })).toString('base64url');
  return `${createHmac('sha256', secret).update(body).digest('base64url')}.${body}`;
}
