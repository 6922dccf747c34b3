import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { CodeField, PasswordField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { rich } from '@gatehouse/ui/parts/rich';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { AuthLayout } from './auth-layout.js';
import { t } from './words.js';

const WAYS = ['password', 'totp', 'backupCode'] as const;
type Way = (typeof WAYS)[number];

const NAMES = {
  password: 'confirm.usePassword',
  totp: 'step.useTotp',
  backupCode: 'step.useBackup',
} as const;

/** Confirms the next address of a member with a second factor, who also shows that it is them. */
export function ConfirmMove({
  token,
  email,
  username,
  onDone,
}: {
  readonly token: string;
  readonly email: string;
  readonly username: string;
  readonly onDone: () => void;
}): ReactElement {
  const [way, setWay] = useState<Way>('password');
  return (
    <AuthLayout
      title={t('confirm.title')}
      lead={rich(t('confirm.moveLead'), {
        email: () => <bdi className="font-semibold text-ink">{email}</bdi>,
        username: () => <bdi className="font-semibold text-ink">{username}</bdi>,
      })}
      tone="pending"
      takesFocus
    >
      <p>{t('confirm.moveProof')}</p>
      <ByWay key={way} way={way} token={token} email={email} onDone={onDone} />
      <div className="flex flex-col items-start gap-2">
        <p className="text-quiet">{t('step.others')}</p>
        {WAYS.filter((each) => each !== way).map((each) => (
          <Button key={each} isWide onClick={() => setWay(each)}>
            {t(NAMES[each])}
          </Button>
        ))}
      </div>
      <p className="text-quiet">{t('confirm.moveSignedIn')}</p>
      <p className="text-quiet">{t('confirm.moveNotYou')}</p>
    </AuthLayout>
  );
}

function proofOf(way: Way, text: string) {
  switch (way) {
    case 'password':
      return { password: text };
    case 'totp':
      return { code: text.trim() };
    case 'backupCode':
      return { backupCode: text.trim() };
  }
}

function ByWay({
  way,
  token,
  email,
  onDone,
}: {
  readonly way: Way;
  readonly token: string;
  readonly email: string;
  readonly onDone: () => void;
}): ReactElement {
  const field = way === 'password' ? 'password' : 'code';
  const mutation = useMutationState(field);
  return (
    <Form
      mutation={mutation}
      onSend={async (fields, signal) => {
        const proof = proofOf(way, fields[field] ?? '');
        await gatehouse.api.registration.confirm.mutate({ token, ...proof }, { signal });
        onDone();
      }}
    >
      {way === 'password' ? (
        <>
          <input type="text" name="username" autoComplete="username" value={email} hidden readOnly />
          <PasswordField
            name="password"
            label={t('confirm.password')}
            autoComplete="current-password"
            required
          />
        </>
      ) : (
        <CodeField
          name="code"
          label={t(way === 'totp' ? 'field.code' : 'field.backupCode')}
          {...(way === 'totp' ? { digits: 6 } : {})}
        />
      )}
      <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
        {t('confirm.submit')}
      </Button>
    </Form>
  );
}
