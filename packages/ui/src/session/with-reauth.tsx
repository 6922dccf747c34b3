import { isVerificationRequired, type VerificationNeed } from '@gatehouse/client-sdk';
import { getPasskey } from '@gatehouse/client-sdk/passkeys';
import { type ReactElement, useState, useSyncExternalStore } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { FailureNote, Form } from '../form/form.js';
import { CodeField, PasswordField } from '../form/text-field.js';
import { Banner } from '../parts/banner.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { t } from '../screen/words.js';
import type { ServiceClient } from './page-session.js';

/** A question who is there, which waits for its answer. */
interface ProofQuestion {
  readonly need: VerificationNeed;
  /** Whether it was proven. */
  answer(isProven: boolean): void;
}

let question: ProofQuestion | undefined;

const listeners = new Set<() => void>();

function setQuestion(next: ProofQuestion | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

const openProofQuestion = (): ProofQuestion | undefined => question;

function watchProofQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Asks on the page who is there. */
function askProof(need: VerificationNeed): Promise<boolean> {
  question?.answer(false);
  return new Promise((resolve) => {
    setQuestion({
      need,
      answer: (isProven) => {
        setQuestion(undefined);
        resolve(isProven);
      },
    });
  });
}

/**
 * Does what is hard to undo. Where the service asks for it, somebody shows again who they are, and it is done once more.
 * @throws what the work threw; `verification_required` where nobody showed it
 */
export async function withReauth<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const need = isVerificationRequired(error) ? error.data.verification : undefined;
    if (need === undefined || !(await askProof(need))) throw error;
    return work();
  }
}

const WAYS = ['passkey', 'password', 'totp', 'email', 'backupCode'] as const;

type Way = (typeof WAYS)[number];

const NAMES = {
  passkey: 'proof.usePasskey',
  password: 'proof.usePassword',
  totp: 'proof.useTotp',
  email: 'proof.useEmail',
  backupCode: 'proof.useBackup',
} as const;

/** Whose page it is, and where they prove it. */
interface Who {
  readonly client: ServiceClient;
  /** The name by which browsers keep the password. */
  readonly login: string;
}

/** Asks who is there, whenever a call wants to know. */
export function ProofDialog(who: Who): ReactElement | null {
  const question = useSyncExternalStore(watchProofQuestion, openProofQuestion);
  return question === undefined ? null : (
    <Question key={question.need.methods.join()} question={question} {...who} />
  );
}

function Question({ question, client, login }: Who & { readonly question: ProofQuestion }): ReactElement {
  const { need, answer } = question;
  const ways = WAYS.filter((way) => need.methods.includes(way));
  const [way, setWay] = useState<Way | undefined>(ways[0]);
  const others = ways.filter((each) => each !== way);
  return (
    <Dialog title={t('proof.title')} onClose={() => answer(false)}>
      <p className="text-lead text-quiet">{t(way === undefined ? 'proof.noWay' : 'proof.lead')}</p>
      <div key={way} className="flex flex-col gap-5">
        {way === 'passkey' ? <ByPasskey client={client} question={question} /> : null}
        {way === undefined || way === 'passkey' ? null : (
          <ByText way={way} client={client} login={login} question={question} />
        )}
      </div>
      <div className="flex flex-col items-start gap-2 border-t border-line pt-4">
        {others.map((each) => (
          <Button key={each} isWide onClick={() => setWay(each)}>
            {t(NAMES[each])}
          </Button>
        ))}
        <Button isWide onClick={() => answer(false)}>
          {t('proof.cancel')}
        </Button>
      </div>
    </Dialog>
  );
}

function proofOf(way: Exclude<Way, 'passkey'>, text: string) {
  switch (way) {
    case 'password':
      return { password: text };
    case 'totp':
      return { code: text.trim() };
    case 'email':
      return { emailCode: text.trim() };
    case 'backupCode':
      return { backupCode: text.trim() };
  }
}

function ByText({
  way,
  question,
  client,
  login,
}: Who & {
  readonly way: Exclude<Way, 'passkey'>;
  readonly question: ProofQuestion;
}): ReactElement {
  const field = way === 'password' ? 'password' : 'code';
  const mutation = useMutationState(field);
  const mailing = useMutationState();
  const [isMailed, setMailed] = useState(false);
  if (way === 'email' && !isMailed) {
    return (
      <>
        {mailing.failure === undefined ? null : <FailureNote failure={mailing.failure} />}
        <Button
          kind="primary"
          isWide
          isBusy={mailing.isBusy}
          onClick={() =>
            mailing.send(async (signal) => {
              await client.api.verification.sendEmail.mutate(undefined, { signal });
              setMailed(true);
            })
          }
        >
          {t('proof.sendMail')}
        </Button>
      </>
    );
  }
  return (
    <Form
      mutation={mutation}
      onSend={async (fields, signal) => {
        await client.api.verification.prove.mutate(proofOf(way, fields[field] ?? ''), { signal });
        question.answer(true);
      }}
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
          {...(way === 'backupCode' ? {} : { digits: way === 'totp' ? 6 : 8 })}
        />
      )}
      <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
        {t('proof.submit')}
      </Button>
    </Form>
  );
}

function ByPasskey({
  question,
  client,
}: Pick<Who, 'client'> & {
  readonly question: ProofQuestion;
}): ReactElement {
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
            const { data } = await client.api.verification.options.query(undefined, { signal });
            const { flow, options } = data;
            if (flow === undefined || options === undefined) throw new Error('There is no passkey to show');
            const given = await getPasskey({ flow, options }, { signal });
            await client.api.verification.prove.mutate(asProof(given), { signal });
            question.answer(true);
          })
        }
      >
        {t('proof.usePasskey')}
      </Button>
    </>
  );
}

type Assertion = NonNullable<
  Parameters<ServiceClient['api']['verification']['prove']['mutate']>[0]['response']
>;

function asProof({ flow, response }: { readonly flow: string; readonly response: unknown }) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- getPasskey returns the credential as JSON, which is what a proof is.
  return { flow, response: response as Assertion };
}
