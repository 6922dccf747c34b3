import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote } from '@gatehouse/ui/form/form';
import { CodeField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { AuthenticatorKey } from '@gatehouse/ui/security/authenticator-key';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { Line, MailboxProof, proofIn } from './security-parts.js';
import { type Done, type Factors, useRefresh, whyKept } from './security-status.js';
import { t } from './words.js';

/** Shows the secret of an authenticator app, and takes its first code. */
function AppDialog({
  started,
  factors,
  onDone,
  onClose,
}: {
  readonly started: MainOutputs['totp']['start']['data'];
  readonly factors: Factors;
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState('code', 'emailCode');
  const once = useOnce();
  // A page that comes back to the front reads the factors again.
  const [before] = useState(factors);
  return (
    <Confirm
      title={t('app.dialog')}
      effect={t('app.dialogLead')}
      action={t('app.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const sent = { code: (fields['code'] ?? '').trim(), ...proofIn(fields) };
        try {
          // Backup codes are shown once; nobody has seen those of a lost answer.
          let done: Done = { notice: t(before.backupCodesLeft === 0 ? 'app.doneUnseen' : 'app.done') };
          await once(
            async () => {
              const { data } = await gatehouse.api.totp.confirm.mutate(sent, { signal });
              done = { notice: t('app.done'), backupCodes: data.backupCodes };
            },
            async () => {
              const { data } = await gatehouse.api.factor.list.query(undefined, { signal });
              return data.totp !== null && data.totp.confirmedAt !== before.totp?.confirmedAt;
            },
          );
          await refresh();
          onDone(done);
          onClose();
        } catch (error) {
          // The secret is valid for ten minutes.
          if (!isGatehouseError(error, 'not_found')) throw error;
          mutation.fail({ message: t('app.late'), issues: [], mayRetry: false });
        }
      }}
      onClose={onClose}
    >
      <AuthenticatorKey started={started} />
      <CodeField name="code" label={t('app.code')} digits={6} />
      {factors.needsProof ? <MailboxProof /> : null}
    </Confirm>
  );
}

/** The authenticator app: add it, move it to another phone, remove it. */
export function AppCard({
  factors,
  isOnlyAdding,
  onDone,
}: {
  readonly factors: Factors;
  /** Whether the session may add a factor and nothing else. */
  readonly isOnlyAdding: boolean;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const mutation = useMutationState();
  const [started, setStarted] = useState<MainOutputs['totp']['start']['data']>();
  const [isRemoving, setRemoving] = useState(false);
  const { totp } = factors;
  const kept = totp === null ? undefined : whyKept(factors, 'totp');
  const isAdded = totp !== null && !isOnlyAdding;
  return (
    <Card title={t('app.title')}>
      <Line
        title={isAdded ? t('app.since', { day: shownDay(totp.confirmedAt) }) : t('app.none')}
        actions={
          <>
            <Button
              isBusy={mutation.isBusy}
              onClick={() =>
                mutation.send(async (signal) => {
                  const { data } = await withReauth(() => gatehouse.api.totp.start.mutate({}, { signal }));
                  setStarted(data);
                })
              }
            >
              {t(isAdded ? 'app.move' : 'app.add')}
            </Button>
            {isAdded && kept === undefined ? (
              <Button kind="grave" onClick={() => setRemoving(true)}>
                {t('app.remove')}
              </Button>
            ) : null}
          </>
        }
      >
        <p className="text-quiet">{t('app.lead')}</p>
        {isAdded && kept !== undefined ? (
          <p>{t(kept === 'policy' ? 'kept.policy' : 'kept.lastStep')}</p>
        ) : null}
      </Line>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      {started === undefined ? null : (
        <AppDialog
          started={started}
          factors={factors}
          onDone={onDone}
          onClose={() => setStarted(undefined)}
        />
      )}
      {isRemoving ? <RemoveDialog onDone={onDone} onClose={() => setRemoving(false)} /> : null}
    </Card>
  );
}

function RemoveDialog({
  onDone,
  onClose,
}: {
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('app.removeTitle')}
      effect={t('app.removeEffect')}
      action={t('app.removeSubmit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => gatehouse.api.totp.remove.mutate({}, { signal }));
        await refresh();
        onDone({ notice: t('app.removed') });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
