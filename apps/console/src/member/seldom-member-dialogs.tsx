import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { type CollectedExport, saveFile, withPage } from '@gatehouse/ui/export/export-file';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useRef } from 'react';
import { gatehouse } from '../client.js';
import { ReasonField } from '../deletion/reason-field.js';
import { t } from '../deletion/words.js';
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
          action: t('preventReturn.open'),
          done: t('preventReturn.done', { name }),
        }
      : {
          title: t('deleteMember.title', { name }),
          effect: t('deleteMember.effect', { count: counts.sessions }),
          action: t('deleteMember.open'),
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

/** Saves all data of a member as a file. A broken download continues where it stopped. */
export function ExportDialog({
  page: { member },
  onDone,
  onClose,
}: {
  readonly page: MemberPage;
  readonly onDone: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const mutation = useMutationState('reason');
  const collected = useRef<CollectedExport>(undefined);
  const { id: memberId } = member;
  const name = shownName(member);

  async function collect(reason: string, signal: AbortSignal): Promise<void> {
    let cursor = collected.current?.nextCursor;
    do {
      const from = { memberId, reason, ...(cursor === undefined ? {} : { cursor }) };
      const page = await withReauth(() => gatehouse.api.member.export.query(from, { signal }));
      collected.current = withPage(collected.current, page);
      cursor = collected.current.nextCursor;
    } while (cursor !== null);
  }

  return (
    <Confirm
      title={t('export.title', { name })}
      effect={t('export.effect')}
      action={t('export.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ reason = '' }, signal) => {
        await collect(reason.trim(), signal);
        const file = `member-${memberId}-${new Date().toISOString().slice(0, 10)}.json`;
        saveFile(file, JSON.stringify(collected.current?.data, null, 2), 'application/json');
        onDone(t('export.done', { file }));
      }}
      onClose={onClose}
    >
      <ReasonField />
    </Confirm>
  );
}
