import { isVerificationRequired, type VerificationNeed } from '@gatehouse/client-sdk';
import { type ReactElement, useState, useSyncExternalStore } from 'react';
import { t as ofParts } from '../messages/translate.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { OtherWays, type ProofCalls, ProofForm, type TypedWay } from '../proof/proof-ways.js';
import { t } from '../proof/words.js';
import type { ServiceClient } from './page-session.js';

/** A pending request for a proof of identity. */
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

/** Asks on the page for a proof of identity. */
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
 * Does work that is hard to undo. If the service requires a proof of identity, it asks for one and repeats the work.
 * @throws what the work threw; `verification_required` if nobody gave the proof
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

/** The member whose page it is, and the screen where they prove it. */
interface Who {
  readonly client: ServiceClient;
  /** The name by which browsers keep the password. */
  readonly login: string;
}

/** Asks for a proof of identity whenever a call requires it. */
export function ProofDialog(who: Who): ReactElement | null {
  const question = useSyncExternalStore(watchProofQuestion, openProofQuestion);
  return question === undefined ? null : (
    <Question key={question.need.methods.join()} question={question} {...who} />
  );
}

function Question({ question, client, login }: Who & { readonly question: ProofQuestion }): ReactElement {
  const { need, answer } = question;
  const ways = WAYS.filter((way) => need.methods.includes(way));
  const [way, setWay] = useState(ways[0]);
  return (
    <Dialog title={t('proof.title')} onClose={() => answer(false)}>
      <p className="text-lead text-quiet">{t(way === undefined ? 'proof.noWay' : 'proof.lead')}</p>
      {way === undefined ? null : (
        <div key={way} className="flex flex-col gap-5">
          <ProofForm
            way={way}
            calls={callsOf(client, () => answer(true))}
            login={login}
            submit={t('proof.submit')}
          />
        </div>
      )}
      <div className="flex flex-col items-start gap-2 border-t border-line pt-4">
        <OtherWays ways={ways.filter((each) => each !== way)} onChoose={setWay} />
        <Button isWide onClick={() => answer(false)}>
          {ofParts('ui.cancel')}
        </Button>
      </div>
    </Dialog>
  );
}

function callsOf({ api: { verification } }: ServiceClient, onProven: () => void): ProofCalls<TypedWay> {
  return {
    prove: async (proof, signal) => {
      await verification.prove.mutate(proof, { signal });
      onProven();
    },
    sendEmail: (signal) => verification.sendEmail.mutate(undefined, { signal }),
    passkey: {
      ask: async (signal) => (await verification.options.query(undefined, { signal })).data,
      prove: async (given, signal) => {
        await verification.prove.mutate(asProof(given), { signal });
        onProven();
      },
    },
  };
}

type Assertion = NonNullable<
  Parameters<ServiceClient['api']['verification']['prove']['mutate']>[0]['response']
>;

function asProof({ flow, response }: { readonly flow: string; readonly response: unknown }) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- getPasskey returns the credential as JSON, which is what a proof is.
  return { flow, response: response as Assertion };
}
