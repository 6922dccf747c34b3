import type { MemberRow } from '@gatehouse/db';

/** Names under which a partner might look for who somebody is; only we fill them. */
const IDENTITY = new Set([
  'id',
  'userid',
  'memberid',
  'sub',
  'subject',
  'sid',
  'email',
  'mail',
  'emailaddress',
  'emailverified',
  'username',
  'login',
  'firstname',
  'lastname',
  'name',
  'role',
  'roletype',
  'ispersonnel',
]);

/**
 * What a partner is told of a member: the member's own profile, and beside it what the caller adds, less what would
 * pass for the profile. An address that was never confirmed might be anybody's and is not told.
 */
export function signedUserData(
  profile: MemberRow,
  extra: Readonly<Record<string, string | number | boolean | null>>,
): Record<string, string | number | boolean | null> {
  const isConfirmed = profile.emailConfirmedAtMs !== null;
  const added = Object.entries(extra).filter(([name]) => !IDENTITY.has(plainName(name)));
  return {
    ...Object.fromEntries(added),
    id: profile.id,
    email: isConfirmed ? profile.email : null,
    emailVerified: isConfirmed && profile.email !== null,
    username: profile.username,
    firstName: profile.firstName,
    lastName: profile.lastName,
  };
}

function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
