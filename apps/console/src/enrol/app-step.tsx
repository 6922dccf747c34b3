import { type AdminOutputs, isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { CodeField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { AuthenticatorKey } from '@gatehouse/ui/security/authenticator-key';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { AuthLayout } from '../sign-in/auth-layout.js';
import { type Adding, addWith, useAddOnce } from './factors.js';
import { t } from './words.js';

/** The key of an app, until the first code confirms it. */
export type StartedApp = AdminOutputs['totp']['start']['data'];

export async function startApp(signal: AbortSignal): Promise<StartedApp> {
  return (await withReauth(() => gatehouse.api.totp.start.mutate({}, { signal }))).data;
}

/** Shows the key of an authenticator app, and takes its first code. */
export function AppStep({
  started,
  onStart,
  onBack,
  ...adding
}: Adding & {
  readonly started: StartedApp;
  readonly onStart: (started: StartedApp) => void;
  readonly onBack: () => void;
}): ReactElement {
  const mutation = useMutationState('code');
  const { factors, proof, onAdded } = adding;
  const addOnce = useAddOnce(factors);

  async function confirm(code: string, signal: AbortSignal): Promise<void> {
    const sent = { code, ...(proof === undefined ? {} : { proof }) };
    const backupCodes = await addOnce(
      async () => (await gatehouse.api.totp.confirm.mutate(sent, { signal })).data.backupCodes,
      (now, before) => now.totp !== null && now.totp.confirmedAt !== before.totp?.confirmedAt,
      signal,
    );
    onAdded(backupCodes);
  }

  return (
    <AuthLayout title={t('enrol.appTitle')} lead={t('enrol.appLead')} takesFocus>
      <AuthenticatorKey started={started} />
      <Form
        mutation={mutation}
        onSend={async ({ code = '' }, signal) => {
          try {
            await addWith(adding, () => confirm(code.trim(), signal));
          } catch (error) {
            if (!isGatehouseError(error, 'not_found')) throw error;
            // A key waits ten minutes for its first code.
            onStart(await startApp(signal));
            mutation.fail({ message: t('enrol.late'), issues: [], mayRetry: false });
          }
        }}
      >
        <CodeField name="code" label={t('enrol.code')} digits={6} isSentWhenFull />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {t('enrol.submitApp')}
          </Button>
          <Button onClick={onBack}>{t('enrol.back')}</Button>
        </div>
      </Form>
    </AuthLayout>
  );
}
