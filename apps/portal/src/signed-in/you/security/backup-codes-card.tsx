import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { type Factors, hasStronger } from './factors.js';
import { Line } from './line.js';
import type { Asking } from './remedy.js';
import { FEW_CODES } from './standing.js';
import { type Done, useRefresh } from './use-done.js';
import { t } from './words.js';

/** How many backup codes are left, and ten new ones. */
export function BackupCodesCard({
  factors,
  asking: { isAsking, isInHeader, ask },
  onDone,
}: {
  readonly factors: Factors;
  readonly asking: Asking;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState();
  const count = factors.backupCodesLeft;
  const mayMake = factors.secondFactor || hasStronger(factors);
  return (
    <Card title={t('codes.title')}>
      <Line
        tone={count > FEW_CODES ? 'ok' : 'pending'}
        title={t('codes.left', { count })}
        {...(mayMake && !isInHeader
          ? { actions: <Button onClick={() => ask(true)}>{t('codes.make')}</Button> }
          : {})}
      >
        <p className="text-quiet">{t(mayMake ? 'codes.lead' : 'codes.later')}</p>
      </Line>
      {isAsking ? (
        <Confirm
          title={t('codes.question')}
          effect={t('codes.effect')}
          action={t('codes.submit')}
          mutation={mutation}
          onConfirm={async (_fields, signal) => {
            const { data } = await withReauth(() =>
              gatehouse.api.factor.newBackupCodes.mutate({}, { signal }),
            );
            await refresh();
            ask(false);
            onDone({ notice: t('codes.done'), backupCodes: data.backupCodes });
          }}
          onClose={() => ask(false)}
        />
      ) : null}
    </Card>
  );
}
