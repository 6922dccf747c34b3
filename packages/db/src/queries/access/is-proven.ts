/**
 * Whether a member's address authorises: it is confirmed, and its owner has shown that the member is theirs. They came in
 * by mail, a reset or a provider, or confirmed it together with the password or a session. A click on a mailed link only
 * shows that somebody reads the mailbox.
 */
export function isProven(member: {
  readonly email: string | null;
  readonly emailConfirmedAtMs: number | null;
  readonly ownerProvenAtMs: number | null;
}): boolean {
  return member.email !== null && member.emailConfirmedAtMs !== null && member.ownerProvenAtMs !== null;
}
