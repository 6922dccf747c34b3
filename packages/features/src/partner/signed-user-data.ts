import type { MemberRow } from '@gatehouse/db';

/** What a caller may send along: scalars by name. */
export type CallerData = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The data a partner gets about a member. The top level holds only verified fields; data sent by the caller is
 * in `caller`. An unconfirmed address may be anybody's and is left out.
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
