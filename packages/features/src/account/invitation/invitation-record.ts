import type { InvitationRow } from '@gatehouse/db';
import { changedFields } from '../../audit/changed-fields.js';
import type { ChangeRecord } from '../../audit/make-change.js';

/** An invitation in the audit log. It has no address; the invitation's row has it as long as it may. */
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
