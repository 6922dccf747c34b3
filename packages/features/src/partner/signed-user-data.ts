import type { MemberRow } from '@gatehouse/db';

/** What a caller may send along: scalars by name. */
export type CallerData = Readonly<Record<string, string | number | boolean | null>>;

/**
 * What a partner is told of a member. Only what we vouch for stands at the top, whatever its name; what the caller sent is
 * `caller`. An address that was never confirmed might be anybody's and is not told.
 */
export function signedUserData(profile: MemberRow, caller: CallerData): Readonly<Record<string, unknown>> {
  const isConfirmed = profile.emailConfirmedAtMs !== null;
  return {
    id: profile.id,
    email: isConfirmed ? profile.email : null,
    emailVerified: isConfirmed && profile.email !== null,
    username: profile.username,
    firstName: profile.firstName,
    lastName: profile.lastName,
    caller,
  };
}
