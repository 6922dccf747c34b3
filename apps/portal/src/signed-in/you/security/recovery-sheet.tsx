import { useSending } from '@gatehouse/ui/failure/use-sending';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import type { Factors } from './factors.js';
import { Line } from './line.js';
import type { Asking } from './remedy.js';
import { type Done, useRefresh } from './use-done.js';
import { t } from './words.js';

/** A recovery that staff opened, which its member can cancel. */
export function RecoverySheet({
  recovery,
  asking: { isAsking, isBesideVerdict, ask },
  onDone,
}: {
  readonly recovery: NonNullable<Factors['recovery']>;
  readonly asking: Asking;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const refresh = useRefresh();
  const sending = useSending();
  return (
    <Sheet title={t('recovery.title')}>
      <Line
        state="shut"
        title={t('recovery.from', { time: shownTime(recovery.effectiveAt) })}
        actions={
          isBesideVerdict ? undefined : (
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
          sending={sending}
          onConfirm={async (_fields, signal) => {
            await gatehouse.api.recovery.cancelMine.mutate({}, { signal });
            await refresh();
            onDone({ notice: t('recovery.done') });
            ask(false);
          }}
          onClose={() => ask(false)}
        />
      ) : null}
    </Sheet>
  );
}
