import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../client.js';
import { useOwnAccounts } from '../account/account-place.js';
import { isReadOnly, useMe } from '../session/me.js';
import { t } from '../words.js';

type OwnAccount = MainOutputs['account']['listMine']['data'][number];

/** Accounts that were closed, and that their primary owner can still restore. */
export function ClosedAccounts(): ReactElement | null {
  const { data } = useOwnAccounts();
  const closed = (data?.data ?? []).filter(({ state }) => state === 'closed');
  if (closed.length === 0) return null;
  return (
    <Card title={t('closed.title')}>
      <ul>
        {closed.map((account) => (
          <Row key={account.id} account={account} />
        ))}
      </ul>
    </Card>
  );
}

function Row({
  account: { id, name, isPrimaryOwner, erasedAt },
}: {
  readonly account: OwnAccount;
}): ReactElement {
  const me = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <li className="flex flex-col gap-3 border-b border-line px-3 py-2.5 last:border-0">
      <div className="flex flex-wrap items-start gap-3">
        <span className="pt-0.5">
          <StatusIcon tone="error" shape="ban" />
        </span>
        <div className="min-w-0 flex-1">
          <bdi className="font-semibold">{name}</bdi>
          <p className="text-quiet">
            {erasedAt === null ? t('closed.words') : t('closed.until', { day: shownDay(erasedAt) })}
          </p>
        </div>
        {isPrimaryOwner && !isReadOnly(me) ? (
          <Button
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
                await withReauth(() => gatehouse.api.account.restore.mutate({ accountId: id }, { signal }));
                await queries.invalidateQueries();
              })
            }
          >
            {t('closed.restore')}
            <span className="sr-only"> {name}</span>
          </Button>
        ) : null}
      </div>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </li>
  );
}
