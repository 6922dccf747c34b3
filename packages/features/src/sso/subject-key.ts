import { sha256Hex } from '@gatehouse/auth-core';

/** By which a person of an identity provider is found. Another issuer's subjects are other people. */
export function ssoSubjectKey(issuer: string, subject: string): string {
  return sha256Hex(JSON.stringify([issuer, subject]));
}
