import { randomId, usernameKey } from '@gatehouse/auth-core';

const LONGEST_STEM = 40;

/**
 * A username for somebody who chose none: the part of their address before the `@`, or their name, reduced to
 * plain letters and digits. From the second attempt on, 40 random bits are appended, so that a few attempts
 * always suffice.
 */
export function generateUsername(
  person: { readonly email: string | null; readonly firstName: string },
  attempt: number,
): string {
  const stem = [person.email?.split('@')[0] ?? '', person.firstName, 'member'].map(plain).find(Boolean) ?? '';
  return attempt === 0 ? stem : `${stem}-${randomId(5)}`;
}

function plain(text: string): string {
  return usernameKey(text)
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .slice(0, LONGEST_STEM)
    .replaceAll(/^[._-]+|[._-]+$/g, '');
}
