import { isProven, type MemberRow } from '@gatehouse/db';

/** The data that a caller may send: scalars by name. */
export type CallerData = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The data a partner gets about a member. The top level has only verified fields; data sent by the caller is
 * in `caller`. An address whose owner is not proven may belong to anybody and is left out, also where it is the username.
 */
export function signedUserData(profile: MemberRow, caller: CallerData): Readonly<Record<string, unknown>> {
  const emailVerified = isProven(profile);
  return {
    id: profile.id,
    email: emailVerified ? profile.email : null,
    emailVerified,
    username: emailVerified || !profile.username?.includes('@') ? profile.username : null,
    firstName: profile.firstName,
    lastName: profile.lastName,
    caller,
  };
}
