import type { MadePasskey } from '@gatehouse/client-sdk/passkeys';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { Unreached } from '@gatehouse/ui/screen/asked';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { useOwner } from '@gatehouse/ui/session/page-session';
import { SessionDialogs } from '@gatehouse/ui/session/session-dialogs';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { askToSignIn, isRecoveredHere, nextPath, PATHS } from '../links.js';
import { type Me, meQuery } from '../session/me.js';
import { AppStep, type StartedApp } from './app-step.js';
import { ChooseStep } from './choose-step.js';
import { CodesStep } from './codes-step.js';
import { type Factors, factorsQuery, hasFactor } from './factors.js';
import { type Proof, ProofStep } from './proof-step.js';
import { RecoveryStep } from './recovery-step.js';
import { t } from './words.js';

export const EnrolScreen = inLanguage(Enrol);

/** The screen where staff add a second factor. A session of any level may open it. */
function Enrol(): ReactElement | null {
  const me = useQuery(meQuery);
  const isOwn = useOwner(me, { home: PATHS.home, askToSignIn });
  const factors = useQuery({ ...factorsQuery, enabled: me.data !== undefined });
  if (!isOwn) return null;
  const error = me.error ?? factors.error;
  if (me.data !== undefined && factors.data !== undefined) {
    return (
      <>
        <Steps me={me.data} factors={factors.data} />
        <SessionDialogs client={gatehouse} member={me.data.member} paths={PATHS} />
      </>
    );
  }
  if (error === null) return null;
  const retry = () => void (me.data === undefined ? me : factors).refetch();
  return <Unreached title={t('enrol.unreached')} error={error} onRetry={retry} />;
}

/** One step after another: the proof, the factor, the backup codes. */
function Steps({ me, factors }: { readonly me: Me; readonly factors: Factors }): ReactElement {
  const queries = useQueryClient();
  const [isRecovered, setRecovered] = useState(isRecoveredHere);
  const [isRecovering, setRecovering] = useState(false);
  const [proof, setProof] = useState<Proof>();
  const [refused, setRefused] = useState<Proof>();
  const [started, setStarted] = useState<StartedApp>();
  const [made, setMade] = useState<MadePasskey>();
  const [hasMoved, setMoved] = useState(false);
  const [backupCodes, setBackupCodes] = useState<readonly string[]>();
  const adding = {
    factors,
    proof,
    onProofRefused: () => {
      setRefused(proof);
      setProof(undefined);
    },
    onAdded: setBackupCodes,
  };
  const leave = <Leave isFree={me.requires === null} />;
  /** After a step the next one takes the focus. */
  const moveWith =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      setMoved(true);
      set(value);
    };

  if (backupCodes !== undefined) return <CodesStep codes={backupCodes} />;
  if (isRecovering) {
    return (
      <RecoveryStep
        onBack={() => setRecovering(false)}
        onProven={async () => {
          await queries.invalidateQueries();
          setRecovered(true);
          setRecovering(false);
        }}
      />
    );
  }
  if (factors.needsProof && proof === undefined) {
    return <ProofStep email={me.member.email} refused={refused} onProof={moveWith(setProof)} leave={leave} />;
  }
  if (started !== undefined) {
    return (
      <AppStep {...adding} started={started} onStart={setStarted} onBack={() => setStarted(undefined)} />
    );
  }
  const mayRecover = factors.recovery !== null && hasFactor(factors) && !isRecovered;
  return (
    <ChooseStep
      {...adding}
      level={Math.max(factors.requiredBy?.level ?? 1, me.requiresLater?.level ?? 1)}
      made={made}
      onMade={setMade}
      onStart={moveWith(setStarted)}
      {...(mayRecover ? { onRecover: () => moveWith(setRecovering)(true) } : {})}
      takesFocus={hasMoved}
      leave={leave}
    />
  );
}

/** The way to leave: to the console or, for a session that may not open it, to a new sign-in. */
function Leave({ isFree }: { readonly isFree: boolean }): ReactElement {
  const mutation = useMutationState();
  if (isFree) {
    return (
      <p>
        <Link href={nextPath()}>{t('enrol.toConsole')}</Link>
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Button
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async () => {
            await gatehouse.signOut();
            await leaveTo(PATHS.signIn, { forGood: true });
          })
        }
      >
        {t('enrol.toSignIn')}
      </Button>
    </div>
  );
}
