import type { InvitationRow } from '@gatehouse/db';
import { changedFields } from '../audit/changed-fields.js';
import type { ChangeRecord } from '../audit/make-change.js';

/** What the audit log keeps of a change of an invitation: not whom it is for, whose row says that as long as they want. */
export function invitationRecord(
  action: string,
  before: InvitationRow | undefined,
  after: InvitationRow,
): ChangeRecord | undefined {
  const changed = changedFields(before ? fieldsOf(before) : {}, fieldsOf(after));
  return (
    changed && {
      action,
      accountId: after.accountId,
      subjectKind: 'invitation',
      subjectId: after.id,
      ...changed,
      ...(before ? {} : { before: null }),
    }
  );
}

function fieldsOf({ roleType, customRoleId, inviterId, status, expiresAtMs }: InvitationRow) {
  return { roleType, customRoleId, inviterId, status, expiresAt: new Date(expiresAtMs).toISOString() };
}
