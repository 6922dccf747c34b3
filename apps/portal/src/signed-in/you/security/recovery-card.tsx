import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { Line } from './security-parts.js';
import type { Asking, Factors } from './security-status.js';
import { type Done, useRefresh } from './security-status.js';
import { t } from './words.js';

/** A recovery that staff opened, which its member can cancel. */
export function RecoveryCard({
  recovery,
  asking: { isAsking, isInHeader, ask },
  onDone,
}: {
  readonly recovery: NonNullable<Factors['recovery']>;
  readonly asking: Asking;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState();
  return (
    <Card title={t('recovery.title')}>
      <Line
        tone="error"
        title={t('recovery.from', { time: shownTime(recovery.effectiveAt) })}
        actions={
          isInHeader ? undefined : (
            <Button kind="grave" onClick={() => ask(true)}>
              {t('recovery.cancel')}
            </Button>
          )
        }
      >
        <p className="text-quiet">{t('recovery.lead')}</p>
      </Line>
      {isAsking ? (
        <Confirm
          title={t('recovery.question')}
          effect={t('recovery.effect')}
          action={t('recovery.submit')}
          mutation={mutation}
          onConfirm={async (_fields, signal) => {
            await gatehouse.api.recovery.cancelMine.mutate({}, { signal });
            await refresh();
            onDone({ notice: t('recovery.done') });
            ask(false);
          }}
          onClose={() => ask(false)}
        />
      ) : null}
    </Card>
  );
}
