import { getPasskey } from '@gatehouse/client-sdk/passkeys';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { FailureNote, Form } from '../form/form.js';
import { CodeField, PasswordField } from '../form/text-field.js';
import { Banner } from '../parts/banner.js';
import { Button } from '../parts/button.js';
import { t } from './words.js';

/** The proof that calls take, by the way it is given. */
interface Proofs {
  readonly password: { readonly password: string };
  readonly totp: { readonly code: string };
  readonly email: { readonly emailCode: string };
  readonly backupCode: { readonly backupCode: string };
}

/** A way that takes something typed. */
export type TypedWay = keyof Proofs;

const PROOFS: { readonly [Way in TypedWay]: (text: string) => Proofs[Way] } = {
  password: (text) => ({ password: text }),
  totp: (text) => ({ code: text.trim() }),
  email: (text) => ({ emailCode: text.trim() }),
  backupCode: (text) => ({ backupCode: text.trim() }),
};

/** How many digits the code of a way has; backup codes have letters too. */
const DIGITS: Readonly<Partial<Record<TypedWay, number>>> = { totp: 6, email: 8 };

const NAMES = {
  passkey: 'proof.usePasskey',
  password: 'proof.usePassword',
  totp: 'proof.useTotp',
  email: 'proof.useEmail',
  backupCode: 'proof.useBackup',
} as const;

/** A passkey as the browser answered. */
type GivenPasskey = Awaited<ReturnType<typeof getPasskey>>;

/** How a screen proves who a person is, and what follows. */
export interface ProofCalls<Way extends TypedWay> {
  readonly prove: (proof: Proofs[Way], signal: AbortSignal) => Promise<void>;
  readonly sendEmail?: (signal: AbortSignal) => Promise<unknown>;
  readonly passkey?: {
    readonly ask: (
      signal: AbortSignal,
    ) => Promise<Partial<Parameters<typeof getPasskey>[0]> & { readonly flow?: string | undefined }>;
    readonly prove: (given: GivenPasskey, signal: AbortSignal) => Promise<void>;
  };
}

/** One way to prove one's identity. Use the way as its key: text typed for one way is of no use for another. */
export function ProofForm<Way extends TypedWay>({
  way,
  calls: { prove, sendEmail, passkey },
  login,
  submit,
  takesFocus = false,
  isSentWhenFull = false,
}: {
  readonly way: Way | 'passkey';
  readonly calls: ProofCalls<Way>;
  /** The name by which browsers keep the password. */
  readonly login?: string;
  /** The words on the button that sends what was typed. */
  readonly submit: string;
  /** Whether the field takes the focus. */
  readonly takesFocus?: boolean;
  /** Whether the last digit of a code sends it. */
  readonly isSentWhenFull?: boolean;
}): ReactElement | null {
  const [isMailed, setMailed] = useState(false);
  if (way === 'passkey')
    return passkey === undefined ? null : (
      <SendButton
        onSend={async (signal) => {
          const { flow, options } = await passkey.ask(signal);
          if (flow === undefined || options === undefined) throw new Error('There is no passkey to show');
          await passkey.prove(await getPasskey({ flow, options }, { signal }), signal);
        }}
      >
        {t('proof.usePasskey')}
      </SendButton>
    );
  if (way === 'email' && sendEmail !== undefined && !isMailed)
    return (
      <SendButton
        onSend={async (signal) => {
          await sendEmail(signal);
          setMailed(true);
        }}
      >
        {t('proof.sendMail')}
      </SendButton>
    );
  return (
    <ByText
      way={way}
      login={login}
      submit={submit}
      takesFocus={takesFocus || isMailed}
      isSentWhenFull={isSentWhenFull}
      onProve={prove}
    />
  );
}

function SendButton({
  onSend,
  children,
}: {
  readonly onSend: (signal: AbortSignal) => Promise<void>;
  readonly children: string;
}): ReactElement {
  const mutation = useMutationState();
  return (
    <>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Button kind="primary" isWide isBusy={mutation.isBusy} onClick={() => mutation.send(onSend)}>
        {children}
      </Button>
    </>
  );
}

function ByText<Way extends TypedWay>({
  way,
  login,
  submit,
  takesFocus,
  isSentWhenFull,
  onProve,
}: {
  readonly way: Way;
  readonly login: string | undefined;
  readonly submit: string;
  readonly takesFocus: boolean;
  readonly isSentWhenFull: boolean;
  readonly onProve: (proof: Proofs[Way], signal: AbortSignal) => Promise<void>;
}): ReactElement {
  const field = way === 'password' ? 'password' : 'code';
  const mutation = useMutationState(field);
  const digits = DIGITS[way];
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) place.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus();
  }, [takesFocus]);
  return (
    <div ref={place}>
      <Form
        mutation={mutation}
        onSend={(fields, signal) => onProve(PROOFS[way](fields[field] ?? ''), signal)}
      >
        {way === 'email' ? <Banner tone="ok">{t('proof.mailed')}</Banner> : null}
        {way === 'password' ? (
          <>
            <input type="text" autoComplete="username" value={login} readOnly hidden />
            <PasswordField
              name="password"
              label={t('proof.password')}
              autoComplete="current-password"
              required
            />
          </>
        ) : (
          <CodeField
            name="code"
            label={t(way === 'backupCode' ? 'proof.backupCode' : 'proof.code')}
            {...(digits === undefined ? {} : { digits, isSentWhenFull })}
          />
        )}
        <Button type="submit" kind="primary" isWide isBusy={mutation.isBusy}>
          {submit}
        </Button>
      </Form>
    </div>
  );
}

/** Buttons that change to another way. */
export function OtherWays<Way extends TypedWay | 'passkey'>({
  ways,
  onChoose,
}: {
  readonly ways: readonly Way[];
  readonly onChoose: (way: Way) => void;
}): ReactElement[] {
  return ways.map((way) => (
    <Button key={way} isWide onClick={() => onChoose(way)}>
      {t(NAMES[way])}
    </Button>
  ));
}
