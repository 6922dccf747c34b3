import { rich } from '@gatehouse/ui/parts/rich';
import { OtherWays, ProofForm } from '@gatehouse/ui/proof/proof-ways';
import { t as ofProofs } from '@gatehouse/ui/proof/words';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { AuthLayout } from './auth-layout.js';
import { t } from './words.js';

const WAYS = ['password', 'totp', 'backupCode'] as const;

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
  readonly onDone: (awaitsOld: boolean) => void;
}): ReactElement {
  const [way, setWay] = useState<(typeof WAYS)[number]>('password');
  return (
    <AuthLayout
      title={t('confirm.changeTitle')}
      lead={rich(t('confirm.moveLead'), {
        email: () => <bdi className="font-semibold text-ink">{email}</bdi>,
        username: () => <bdi className="font-semibold text-ink">{username}</bdi>,
      })}
      tone="pending"
      takesFocus
    >
      <p>{t('confirm.moveProof')}</p>
      <ProofForm
        key={way}
        way={way}
        login={email}
        submit={t('confirm.submit')}
        calls={{
          prove: async (proof, signal) => {
            const { awaitsOld } = await gatehouse.api.registration.confirm.mutate(
              { token, ...proof },
              { signal },
            );
            onDone(awaitsOld);
          },
        }}
      />
      <div className="flex flex-col items-start gap-2">
        <p className="text-quiet">{ofProofs('proof.others')}</p>
        <OtherWays ways={WAYS.filter((each) => each !== way)} onChoose={setWay} />
      </div>
      <p className="text-quiet">{t('confirm.moveSignedIn')}</p>
      <p className="text-quiet">{t('confirm.moveNotYou')}</p>
    </AuthLayout>
  );
}
