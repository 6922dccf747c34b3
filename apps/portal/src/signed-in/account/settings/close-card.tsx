import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { useOnce } from '@gatehouse/ui/failure/use-once';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { usePlace } from '../place.js';
import { t } from '../words.js';

const RUNNING = ['active', 'past_due', 'paused'];

/** Closes the account, which its primary owner can restore for some weeks. */
export function CloseCard(): ReactElement {
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={t('close.title')}>
      <div className="flex flex-wrap items-center justify-between gap-3 p-3">
        <p className="min-w-0 flex-1 basis-60">{t('close.lead')}</p>
        <Button kind="grave" onClick={() => setAsking(true)}>
          {t('close.open')}
        </Button>
      </div>
      {isAsking ? <CloseDialog onClose={() => setAsking(false)} /> : null}
    </Card>
  );
}

function CloseDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { api, accountId, accountName, subscription } = usePlace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutationState('typed');
  const once = useOnce();
  const isPaid = RUNNING.includes(subscription.state);
  return (
    <Confirm
      title={t('close.question', { account: accountName })}
      effect={t(isPaid ? 'close.effectPaid' : 'close.effect')}
      action={t('close.submit')}
      typed={{ label: t('leave.typed'), text: accountName }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const closing = { name: accountName, cancelSubscription: isPaid };
        await once(
          async () => {
            await withReauth(() => api.account.close.mutate(closing, { signal }));
          },
          async () => {
            const { data } = await gatehouse.api.account.listMine.query({ limit: 200 }, { signal });
            return data.some(({ id, state }) => id === accountId && state === 'closed');
          },
        );
        await navigate({ to: '/' });
        await queries.invalidateQueries();
      }}
      onClose={onClose}
    />
  );
}
