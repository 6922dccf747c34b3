import type { ConsentRow } from '@gatehouse/db/queries/consents';
import type { ChangeRecord } from './change.js';

/** What is recorded of a consent that ends because a person, not always its member, revokes it. */
export function consentWithdrawal(consent: ConsentRow, actorId: number | null): ChangeRecord {
  const { memberId, applicationId, accountId: inAccountId, resourceId, scopes } = consent;
  return {
    action: 'consent.withdrawn',
    ...(inAccountId === null ? {} : { accountId: inAccountId }),
    ...(memberId === actorId ? {} : { onBehalfOfId: memberId }),
    subjectKind: 'application',
    subjectId: applicationId,
    before: { scopes, inAccountId, ...(resourceId === null ? {} : { resourceId }) },
    after: null,
  };
}
