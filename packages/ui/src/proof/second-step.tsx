import { type ComponentType, type ReactElement, type ReactNode, useState } from 'react';
import type { AuthPage } from '../parts/auth-layout.js';
import { OtherWays, type ProofCalls, ProofForm, type TypedWay } from './proof-ways.js';
import { t } from './words.js';

type StepWay = Exclude<TypedWay, 'password'>;

const WAYS = ['passkey', 'totp', 'email', 'backupCode'] as const;

const LEADS = {
  passkey: 'step.passkeyLead',
  totp: 'step.totpLead',
  email: 'step.emailLead',
  backupCode: 'step.backupLead',
} as const;

/** Asks for the second factor of a sign-in. */
export function SecondStep({
  methods,
  calls,
  layout: Layout,
  submit,
  note,
  children,
}: {
  /** The ways that the service offers. */
  readonly methods: readonly string[];
  readonly calls: ProofCalls<StepWay>;
  /** The frame of the app's screens for people who are not signed in. */
  readonly layout: ComponentType<AuthPage>;
  readonly submit: string;
  /** Content before the form. */
  readonly note?: ReactNode;
  /** Content for people who have none of these factors. */
  readonly children: ReactNode;
}): ReactElement {
  const ways = WAYS.filter((way) => methods.includes(way));
  const [way, setWay] = useState(ways[0]);
  const others = ways.filter((each) => each !== way);
  return (
    <Layout
      title={t('step.title')}
      lead={t(way === undefined ? 'step.noneLead' : LEADS[way])}
      tone="pending"
      takesFocus={way === undefined || way === 'passkey' || way === 'email'}
    >
      {note}
      {way === undefined ? null : (
        <div key={way} className="flex flex-col gap-5">
          <ProofForm way={way} calls={calls} submit={submit} takesFocus isSentWhenFull />
        </div>
      )}
      {others.length === 0 ? null : (
        <div className="flex flex-col items-start gap-2">
          <p className="text-quiet">{t('proof.others')}</p>
          <OtherWays ways={others} onChoose={setWay} />
        </div>
      )}
      {children}
    </Layout>
  );
}
