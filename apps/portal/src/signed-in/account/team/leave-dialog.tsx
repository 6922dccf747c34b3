import { useSending } from '@gatehouse/screens/failure/use-sending';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { usePlace } from '../place.js';
import { t } from '../words.js';

/** Leaves the account. */
export function LeaveDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { api, accountName } = usePlace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const sending = useSending('typed');
  return (
    <Confirm
      title={t('leave.title', { account: accountName })}
      effect={t('leave.effect')}
      action={t('leave.submit')}
      typed={{ label: t('leave.typed'), text: accountName }}
      sending={sending}
      onConfirm={async (_fields, signal) => {
        await api.membership.leave.mutate(undefined, { signal });
        await navigate({ to: '/' });
        await queries.invalidateQueries();
      }}
      onClose={onClose}
    />
  );
}
