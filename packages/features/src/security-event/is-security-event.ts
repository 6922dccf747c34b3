/** What the acts begin with that concern somebody's security, each in the words of the audit log. */
const KINDS = ['address.', 'connection.', 'impersonation.', 'membership.', 'password.', 'session.'];

const ACTS: ReadonlySet<string> = new Set([
  'auth-token.issued',
  'member.banned',
  'member.deleted',
  'member.restored',
  'member.sign-ins-ended',
  'member.unbanned',
  'member.unlocked',
  'partner.consent',
]);

/** Whether what the audit log calls so is an event that the member concerned sees. */
export function isSecurityEvent(action: string): boolean {
  return ACTS.has(action) || KINDS.some((kind) => action.startsWith(kind));
}
