import { isSecondFactorRequired } from '@gatehouse/client-sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react';
import { BUTTON_LOOK } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { ProofForm } from '../proof/proof-ways.js';
import { t } from '../screen/words.js';
import {
  isSessionOver,
  type ServiceClient,
  tellSessionBack,
  watchSession,
  watchSessionOver,
} from './page-session.js';
import { watchSignedOut } from './signed-out.js';
import { ProofDialog } from './with-reauth.js';

/** The dialogs that a session may open over any screen. */
export function SessionDialogs({
  client,
  member,
  paths: { home, signIn },
  isActing = false,
}: {
  readonly client: ServiceClient;
  /** The member whose page it is. */
  readonly member: { readonly id: number; readonly email: string | null; readonly username: string };
  readonly paths: { readonly home: string; readonly signIn: string };
  /** Whether staff act for the member. */
  readonly isActing?: boolean;
}): ReactElement {
  const login = member.email ?? member.username;
  return (
    <>
      <ProofDialog client={client} login={login} />
      <SessionOverDialog
        client={client}
        memberId={member.id}
        login={login}
        signIn={signIn}
        home={home}
        isActing={isActing}
      />
    </>
  );
}

/**
 * Says over the page that its session is over. What is typed there stays: one signs in by password in the dialog, or in any other
 * way in another tab; then this page continues by itself.
 */
function SessionOverDialog({
  client,
  memberId,
  login,
  signIn,
  home,
  isActing = false,
}: {
  readonly client: ServiceClient;
  /** The member whose page it is. */
  readonly memberId: number;
  /** The name by which they sign in. */
  readonly login: string;
  /** The path of the sign-in. */
  readonly signIn: string;
  readonly home: string;
  /** Whether staff act for the member: an impersonation that is over has its own screen. */
  readonly isActing?: boolean;
}): ReactElement | null {
  const isOver = useSyncExternalStore(watchSessionOver, isSessionOver);
  const queries = useQueryClient();

  useEffect(
    () =>
      watchSession(client, () => {
        client.api.session.me.query().then(
          (me) => {
            // The content of the page belongs to another member.
            if (me.member.id !== memberId) location.assign(home);
            tellSessionBack();
            void queries.invalidateQueries();
          },
          () => undefined,
        );
      }),
    [client, memberId, home, queries],
  );

  // The content of the page belongs to the member who signed out.
  useEffect(() => watchSignedOut(home, () => location.replace(signIn)), [home, signIn]);

  if (!isOver || isActing) return null;
  return (
    <Dialog title={t('over.title')}>
      <SignInHere client={client} login={login} />
      <a href={signIn} target="_blank" rel="noopener" className={BUTTON_LOOK}>
        {t('over.other')}
      </a>
    </Dialog>
  );
}

/** Signing in by password; a second step is taken in another tab. */
function SignInHere({
  client,
  login,
}: {
  readonly client: ServiceClient;
  readonly login: string;
}): ReactElement {
  const [takesStep, setTakesStep] = useState(false);
  if (takesStep) return <p className="text-lead text-quiet">{t('over.step')}</p>;
  return (
    <>
      <p className="text-lead text-quiet">{t('over.lead')}</p>
      <ProofForm
        way="password"
        login={login}
        submit={t('over.signIn')}
        takesFocus
        calls={{
          prove: async ({ password }, signal) => {
            try {
              await client.signIn({ email: login, password }, { signal });
            } catch (error) {
              if (!isSecondFactorRequired(error)) throw error;
              setTakesStep(true);
            }
          },
        }}
      />
    </>
  );
}
