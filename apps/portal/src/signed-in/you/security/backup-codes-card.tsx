import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { BackupCodes } from '@gatehouse/ui/parts/backup-codes';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { useSettings } from '../../../signed-out/settings.js';
import { Line } from './security-parts.js';
import type { Asking } from './security-status.js';
import { type Done, type Factors, FEW_CODES, hasStronger, useRefresh } from './security-status.js';
import { t } from './words.js';

/** Shows how many backup codes are left, and creates ten new ones. */
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
        {...(count > FEW_CODES || !mayMake ? {} : { tone: 'pending' as const })}
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

/** Shows backup codes, this once. It closes only when the member confirms that they are saved. */
export function BackupCodesDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}): ReactElement {
  const { brand } = useSettings();
  return (
    <Dialog title={t('once.title')}>
      <p className="text-lead text-quiet">{t('once.lead')}</p>
      <BackupCodes codes={codes} fileName={`${brand.name} ${t('once.file')}.txt`} />
      <Button kind="primary" isWide onClick={onClose}>
        {t('once.kept')}
      </Button>
    </Dialog>
  );
}
