import type { DataCipher } from '@gatehouse/auth-core';

/** A mail as text and HTML. */
export interface MailBody {
  readonly text: string;
  readonly html: string;
}

/** A mail's body as stored, bound to the mail's idempotency key. */
export function sealMailBody(cipher: DataCipher, idempotencyKey: string, body: MailBody): MailBody {
  return {
    text: cipher.seal(body.text, contextOf(idempotencyKey, 'text')),
    html: cipher.seal(body.html, contextOf(idempotencyKey, 'html')),
  };
}

/** @throws {SealedDataRefused} if it was stored for another mail or under an unknown key */
export function openMailBody(cipher: DataCipher, idempotencyKey: string, sealed: MailBody): MailBody {
  return {
    text: cipher.open(sealed.text, contextOf(idempotencyKey, 'text')),
    html: cipher.open(sealed.html, contextOf(idempotencyKey, 'html')),
  };
}

function contextOf(idempotencyKey: string, part: keyof MailBody): string {
  return `mail:${idempotencyKey}:${part}`;
}
