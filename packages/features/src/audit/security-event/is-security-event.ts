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
  'partner.link_ended',
  'partner.link_kept',
]);

/** Of what staff do for a member, the member sees when it began and ended, and not each call. */
const WITHIN_IMPERSONATIONS: ReadonlySet<string> = new Set(['impersonation.called', 'impersonation.opened']);

/** Whether an audit action is a security event that its member sees. */
export function isSecurityEvent(action: string): boolean {
  if (WITHIN_IMPERSONATIONS.has(action)) return false;
  return ACTS.has(action) || KINDS.some((kind) => action.startsWith(kind));
}
