import type { Services } from '../../core/app/services.js';

const context = (memberId: number) => `totp:${memberId}`;

/** Encrypts the secret of a member's authenticator app. */
export function sealTotpSecret(
  { cipher }: Pick<Services, 'cipher'>,
  memberId: number,
  secret: Buffer,
): string {
  return cipher.seal(secret.toString('base64'), context(memberId));
}

/** Decrypts the secret of a member's authenticator app. */
export function openTotpSecret(
  { cipher }: Pick<Services, 'cipher'>,
  memberId: number,
  sealed: string,
): Buffer {
  return Buffer.from(cipher.open(sealed, context(memberId)), 'base64');
}
