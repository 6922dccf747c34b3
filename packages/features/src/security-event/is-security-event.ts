/** Prefixes of audit actions that concern a member's security. */
const KINDS = [
  'address.',
  'connection.',
  'factor.',
  'impersonation.',
  'membership.',
  'password.',
  'recovery.',
  'session.',
];

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

/** One line for each call that staff make for a member. The member sees when that began and ended. */
const CALL = 'impersonation.called';

/** Whether an audit action is a security event that its member sees. */
export function isSecurityEvent(action: string): boolean {
  if (action === CALL) return false;
  return ACTS.has(action) || KINDS.some((kind) => action.startsWith(kind));
}
