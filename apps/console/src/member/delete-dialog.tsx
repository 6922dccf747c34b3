import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { useOnce } from '@gatehouse/ui/failure/use-once';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../deletion/words.js';
import { shownName } from '../session/shown-name.js';
import { type MemberPage, memberKey } from './member-page.js';

/** Deletes a member, or prevents the return of one who deleted themselves, once their address is typed. */
export function DeleteDialog({
  page: { member, memberships, counts, status, erasedAt },
  onDone,
  onClose,
}: {
  readonly page: MemberPage;
  readonly onDone: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('typed', 'accounts');
  const once = useOnce();
  const { id: memberId } = member;
  const name = shownName(member);
  const owned = memberships.filter(
    ({ isPrimaryOwner, accountState }) => isPrimaryOwner && accountState === 'live',
  );
  const words =
    status === 'deleting' && erasedAt !== null
      ? {
          title: t('preventReturn.title', { name }),
          effect: t('preventReturn.effect', { day: shownTime(erasedAt) }),
          action: t('preventReturn.submit'),
          done: t('preventReturn.done', { name }),
        }
      : {
          title: t('deleteMember.title', { name }),
          effect: t('deleteMember.effect', { count: counts.sessions }),
          action: t('deleteMember.submit'),
          done: t('deleteMember.done', { name }),
        };
  return (
    <Confirm
      title={words.title}
      effect={words.effect}
      action={words.action}
      typed={{ label: t('deleteMember.typed'), text: member.email ?? member.username }}
      mutation={mutation}
      onConfirm={async ({ accounts = '' }, signal) => {
        const wanted = { memberId, closeAccounts: accounts === 'all' };
        await once(
          async () => void (await withReauth(() => gatehouse.api.member.remove.mutate(wanted, { signal }))),
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: memberKey(memberId) });
        for (const queryKey of [['members'], ['accounts'], ['account']])
          void queries.invalidateQueries({ queryKey });
        onDone(words.done);
      }}
      onClose={onClose}
    >
      {owned.length === 0 ? null : (
        <>
          <div>
            <p>{t('deleteMember.owns')}</p>
            <ul className="ms-5 list-disc">
              {owned.map(({ accountId, accountName }) => (
                <li key={accountId}>
                  <bdi className="font-semibold">{accountName}</bdi>
                </li>
              ))}
            </ul>
          </div>
          <SelectField
            name="accounts"
            label={t('deleteMember.accounts')}
            choices={[
              { value: 'alone', label: t('deleteMember.alone') },
              { value: 'all', label: t('deleteMember.all') },
            ]}
          />
        </>
      )}
    </Confirm>
  );
}
