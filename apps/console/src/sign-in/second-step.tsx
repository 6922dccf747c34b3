import { getPasskey } from '@gatehouse/client-sdk/passkeys';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { CodeField } from '@gatehouse/ui/form/code-field';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Form } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { nextPath } from '../links.js';
import { t } from '../words.js';
import { AuthLayout } from './auth-layout.js';

/** A second step that is due. */
export interface Step {
  readonly challenge: string;
  readonly methods: readonly string[];
}

const WAYS = ['passkey', 'totp', 'backupCode'] as const;
type Way = (typeof WAYS)[number];

const NAMES = { passkey: 'step.passkey', totp: 'step.totp', backupCode: 'step.backupCode' } as const;
const LEADS = {
  passkey: 'step.passkeyLead',
  totp: 'step.totpLead',
  backupCode: 'step.backupLead',
} as const;

/** Asks for the second factor of a sign-in. */
export function SecondStep({
  step,
  onCancel,
}: {
  readonly step: Step;
  readonly onCancel: () => void;
}): ReactElement {
  const ways = WAYS.filter((way) => step.methods.includes(way));
  const [way, setWay] = useState<Way>(ways[0] ?? 'totp');
  return (
    <AuthLayout title={t('step.title')} lead={t(LEADS[way])} takesFocus>
      {way === 'passkey' ? <ByPasskey step={step} /> : <ByCode key={way} step={step} way={way} />}
      <div className="flex flex-col gap-2">
        {ways
          .filter((each) => each !== way)
          .map((each) => (
            <Button key={each} isWide onClick={() => setWay(each)}>
              {t(NAMES[each])}
            </Button>
          ))}
        <Button isWide onClick={onCancel}>
          {t('step.cancel')}
        </Button>
      </div>
    </AuthLayout>
  );
}

function ByCode({ step, way }: { readonly step: Step; readonly way: Exclude<Way, 'passkey'> }): ReactElement {
  const mutation = useMutationState('code');
  return (
    <Form
      mutation={mutation}
      onSend={async ({ code = '' }, signal) => {
        const proof = way === 'totp' ? { code: code.trim() } : { backupCode: code.trim() };
        await gatehouse.continueSignIn(step.challenge, proof, { signal });
        await leaveTo(nextPath(), { forGood: true });
      }}
    >
      <CodeField
        name="code"
        label={t(way === 'totp' ? 'field.code' : 'field.backupCode')}
        {...(way === 'totp' ? { digits: 6 } : {})}
      />
      <div>
        <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('signIn.submit')}
        </Button>
      </div>
    </Form>
  );
}

function ByPasskey({ step }: { readonly step: Step }): ReactElement {
  const mutation = useMutationState();
  return (
    <>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Button
        kind="primary"
        isWide
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async (signal) => {
            const { challenge } = step;
            const { data } = await gatehouse.api.signIn.stepOptions.mutate({ challenge }, { signal });
            const { flow, options } = data;
            if (flow === undefined || options === undefined) throw new Error('A passkey may not be the step');
            const given = await getPasskey({ flow, options }, { signal });
            await gatehouse.continueSignIn(challenge, given, { signal });
            await leaveTo(nextPath(), { forGood: true });
          })
        }
      >
        {t('step.passkey')}
      </Button>
    </>
  );
}
