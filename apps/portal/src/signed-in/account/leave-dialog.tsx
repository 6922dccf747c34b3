import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../../client.js';
import { keep } from '../../tab-storage.js';
import { type OwnPlace, placesOf } from '../session/me.js';
import { t } from './words.js';

/** Leaves an account. */
export function LeaveDialog({
  place: { accountId, accountName },
  onClose,
}: {
  readonly place: Pick<OwnPlace, 'accountId' | 'accountName'>;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutationState('typed');
  const once = useOnce();
  return (
    <Confirm
      title={t('leave.title', { account: accountName })}
      effect={t('leave.effect')}
      action={t('leave.submit')}
      typed={{ label: t('leave.typed'), text: accountName }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await gatehouse.withAccount(accountId).api.membership.leave.mutate(undefined, { signal });
          },
          async () => {
            const me = await gatehouse.api.session.me.query(undefined, { signal });
            return placesOf(me).every((place) => place.accountId !== accountId);
          },
        );
        keep('notice', t('leave.done', { account: accountName }));
        await navigate({ to: '/' });
        await queries.invalidateQueries();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
