import { useSending } from '@gatehouse/ui/failure/use-sending';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { proven } from '@gatehouse/ui/session/proven';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { type Factors, hasStronger } from './factors.js';
import { Line } from './line.js';
import type { Asking } from './remedy.js';
import { FEW_CODES } from './standing.js';
import { type Done, useRefresh } from './use-done.js';
import { t } from './words.js';

/** How many backup codes are left, and ten new ones. */
export function BackupCodesSheet({
  factors,
  asking: { isAsking, isBesideVerdict, ask },
  onDone,
}: {
  readonly factors: Factors;
  readonly asking: Asking;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const refresh = useRefresh();
  const sending = useSending();
  const count = factors.backupCodesLeft;
  const mayMake = factors.secondFactor || hasStronger(factors);
  return (
    <Sheet title={t('codes.title')}>
      <Line
        state={count > FEW_CODES ? 'open' : 'ajar'}
        title={t('codes.left', { count })}
        {...(mayMake && !isBesideVerdict
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
          sending={sending}
          onConfirm={async (_fields, signal) => {
            const { data } = await proven(() => gatehouse.api.factor.newBackupCodes.mutate({}, { signal }));
            await refresh();
            ask(false);
            onDone({ notice: t('codes.done'), backupCodes: data.backupCodes });
          }}
          onClose={() => ask(false)}
        />
      ) : null}
    </Sheet>
  );
}
