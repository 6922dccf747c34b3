import { useSending } from '@gatehouse/ui/failure/use-sending';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { proven } from '@gatehouse/ui/session/proven';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { useMe } from '../../session/me.js';
import { type Factors, hasStronger } from './factors.js';
import { FormDialog } from './form-dialog.js';
import { Line } from './line.js';
import { MailboxProof, proofIn } from './mailbox-proof.js';
import type { Asking } from './remedy.js';
import { sayRequired } from './standing.js';
import { type Done, useRefresh } from './use-done.js';
import { t } from './words.js';

interface Part {
  readonly factors: Factors;
  readonly onDone: (done: Done) => void;
}

/** Whether sign-ins take a second step, and the switch of it. */
export function TwoStepsSheet({
  factors,
  asking: { isAsking, isBesideVerdict, ask },
  onDone,
}: Part & { readonly asking: Asking }): ReactElement {
  const { member, isPersonnel } = useMe();
  const { secondFactor, requiredBy } = factors;
  const isStronger = hasStronger(factors);
  const mayMail = member.emailVerified && !isPersonnel;
  const close = (): void => ask(false);
  const required = requiredBy === null ? null : <p>{sayRequired(requiredBy)}</p>;
  if (secondFactor)
    return (
      <Sheet title={t('steps.title')}>
        <Line
          state={isStronger ? 'open' : 'ajar'}
          title={t('steps.on')}
          actions={
            <Button kind="grave" onClick={() => ask(true)}>
              {t('steps.switchOff')}
            </Button>
          }
        >
          <p className="text-quiet">{t(isStronger ? 'steps.onBy' : 'steps.onByMail')}</p>
          {required}
        </Line>
        {isAsking ? <OffDialog onDone={onDone} onClose={close} /> : null}
      </Sheet>
    );
  const mayTurnOn = (isStronger || mayMail) && !isBesideVerdict;
  return (
    <Sheet title={t('steps.title')}>
      <Line
        state="ajar"
        title={t('steps.off')}
        {...(mayTurnOn
          ? {
              actions: (
                <Button onClick={() => ask(true)}>
                  {t(isStronger ? 'steps.switchOn' : 'steps.switchOnMail')}
                </Button>
              ),
            }
          : {})}
      >
        <p className="text-quiet">{t(isStronger ? 'steps.offHas' : 'steps.offHasNot')}</p>
        {required}
      </Line>
      {isAsking ? <OnDialog factors={factors} onDone={onDone} onClose={close} /> : null}
    </Sheet>
  );
}

function OnDialog({ factors, onDone, onClose }: Part & { readonly onClose: () => void }): ReactElement {
  const refresh = useRefresh();
  const sending = useSending('emailCode');
  const byMail = !hasStronger(factors);
  return (
    <FormDialog
      title={t('on.title')}
      lead={t(byMail ? 'on.leadMail' : 'on.lead')}
      action={t('on.submit')}
      sending={sending}
      onSend={async (fields, signal) => {
        const wanted = { secondFactor: true, ...(byMail ? { email: true } : {}), ...proofIn(fields) };
        const { data } = await proven(() => gatehouse.api.factor.switch.mutate(wanted, { signal }));
        await refresh();
        onDone({ notice: t('on.done'), backupCodes: data.backupCodes });
        onClose();
      }}
      onClose={onClose}
    >
      {factors.needsProof ? <MailboxProof /> : null}
    </FormDialog>
  );
}

function OffDialog({
  onDone,
  onClose,
}: Pick<Part, 'onDone'> & { readonly onClose: () => void }): ReactElement {
  const refresh = useRefresh();
  const sending = useSending();
  return (
    <Confirm
      title={t('off.title')}
      effect={t('off.effect')}
      action={t('off.submit')}
      sending={sending}
      onConfirm={async (_fields, signal) => {
        const wanted = { secondFactor: false };
        await proven(() => gatehouse.api.factor.switch.mutate(wanted, { signal }));
        await refresh();
        onDone({ notice: t('off.done') });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
