import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { useMe } from '../../session/me.js';
import { Line, MailboxProof, proofIn } from './security-parts.js';
import type { Asking } from './security-status.js';
import { type Done, type Factors, hasStronger, requiredText, useRefresh } from './security-status.js';
import { t } from './words.js';

interface Part {
  readonly factors: Factors;
  readonly onDone: (done: Done) => void;
}

/** Whether sign-ins take a second step, and the switch that changes it. */
export function TwoStepsCard({
  factors,
  asking: { isAsking, isInHeader, ask },
  onDone,
}: Part & { readonly asking: Asking }): ReactElement {
  const { member, isPersonnel } = useMe();
  const { secondFactor, requiredBy } = factors;
  const isStronger = hasStronger(factors);
  const mayMail = member.emailVerified && !isPersonnel;
  const close = (): void => ask(false);
  const required = requiredBy === null ? null : <p>{requiredText(requiredBy)}</p>;
  if (secondFactor)
    return (
      <Card title={t('steps.title')}>
        <Line
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
      </Card>
    );
  const mayTurnOn = (isStronger || mayMail) && !isInHeader;
  return (
    <Card title={t('steps.title')}>
      <Line
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
    </Card>
  );
}

function OnDialog({ factors, onDone, onClose }: Part & { readonly onClose: () => void }): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState('emailCode');
  const byMail = !hasStronger(factors);
  return (
    <Confirm
      title={t('on.title')}
      effect={t(byMail ? 'on.leadMail' : 'on.lead')}
      action={t('on.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const wanted = { secondFactor: true, ...(byMail ? { email: true } : {}), ...proofIn(fields) };
        const { data } = await withReauth(() => gatehouse.api.factor.switch.mutate(wanted, { signal }));
        await refresh();
        onDone({ notice: t('on.done'), backupCodes: data.backupCodes });
        onClose();
      }}
      onClose={onClose}
    >
      {factors.needsProof ? <MailboxProof /> : null}
    </Confirm>
  );
}

function OffDialog({
  onDone,
  onClose,
}: Pick<Part, 'onDone'> & { readonly onClose: () => void }): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('off.title')}
      effect={t('off.effect')}
      action={t('off.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const wanted = { secondFactor: false };
        await withReauth(() => gatehouse.api.factor.switch.mutate(wanted, { signal }));
        await refresh();
        onDone({ notice: t('off.done') });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
