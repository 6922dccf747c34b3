import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { addPasskey, type MadePasskey, makePasskey } from '@gatehouse/client-sdk/passkeys';
import { isUnsure, useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import type { ReactElement, ReactNode } from 'react';
import { gatehouse } from '../client.js';
import { AuthLayout } from '../sign-in/auth-layout.js';
import { type StartedApp, startApp } from './app-step.js';
import { type Adding, addWith, useAddOnce } from './factors.js';
import { t } from './words.js';

/** Why a factor is added. */
function leadOf(level: number): string {
  if (level <= 1) return t('enrol.lead');
  return t(level >= 3 ? 'enrol.leadPasskey' : 'enrol.leadAny');
}

/** A passkey, or an authenticator app. */
export function ChooseStep({
  level,
  made,
  onMade,
  onStart,
  onRecover,
  takesFocus,
  leave,
  ...adding
}: Adding & {
  /** The level that the person's work requires, now or later. */
  readonly level: number;
  /** A passkey that the service may not have accepted yet: its proof was wrong, or no answer came. */
  readonly made: MadePasskey | undefined;
  readonly onMade: (made: MadePasskey | undefined) => void;
  readonly onStart: (started: StartedApp) => void;
  /** Absent for a person without a recovery. */
  readonly onRecover?: () => void;
  readonly takesFocus: boolean;
  readonly leave: ReactNode;
}): ReactElement {
  const mutation = useMutationState();
  const { factors, proof, onAdded } = adding;
  const addOnce = useAddOnce(factors);
  const hasPasskeys = 'PublicKeyCredential' in globalThis;
  return (
    <AuthLayout title={t('enrol.title')} lead={leadOf(level)} takesFocus={takesFocus}>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      {hasPasskeys ? (
        <div className="flex flex-col gap-1.5">
          <Button
            kind="primary"
            isWide
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send((signal) =>
                addWith(adding, async () => {
                  const passkey = made ?? (await withReauth(() => makePasskey(gatehouse, { signal })));
                  onMade(passkey);
                  const wanted = {
                    name: deviceName(navigator.userAgent),
                    ...(passkey === undefined ? {} : { made: passkey }),
                    ...(proof === undefined ? {} : { proof }),
                  };
                  const backupCodes = await addOnce(
                    async () => (await withReauth(() => addPasskey(gatehouse, wanted)))?.backupCodes,
                    (now, before) => now.passkeys > before.passkeys,
                    signal,
                  ).catch((error: unknown) => {
                    if (!isUnsure(error) && !isGatehouseError(error, 'proof_required')) onMade(undefined);
                    throw error;
                  });
                  onAdded(backupCodes);
                }),
              )
            }
          >
            {t('enrol.addPasskey')}
          </Button>
          <p className="text-note text-quiet">{t('enrol.passkeyHint')}</p>
        </div>
      ) : (
        <Banner tone="pending">{t('enrol.noPasskeys')}</Banner>
      )}
      <div className="flex flex-col gap-1.5">
        <Button
          kind={hasPasskeys ? 'plain' : 'primary'}
          isWide
          isBusy={mutation.isBusy}
          onClick={() => mutation.send(async (signal) => onStart(await startApp(signal)))}
        >
          {t(factors.totp === null ? 'enrol.addApp' : 'enrol.moveApp')}
        </Button>
        <p className="text-note text-quiet">{t('enrol.appHint')}</p>
      </div>
      {onRecover === undefined ? null : (
        <Button isWide onClick={onRecover}>
          {t('enrol.useRecovery')}
        </Button>
      )}
      {leave}
    </AuthLayout>
  );
}
