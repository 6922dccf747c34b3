import '../theme.css';
import type { MainOutputs } from '@gatehouse/client-sdk';
import { isGatehouseError } from '@gatehouse/client-sdk';
import type { Failure } from '@gatehouse/ui/call/failure';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { preferredLanguage, showLanguage } from '@gatehouse/ui/messages/language';
import { Button } from '@gatehouse/ui/parts/button';
import { Mark } from '@gatehouse/ui/parts/mark';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { Verdict } from '@gatehouse/ui/parts/verdict';
import { type ReactElement, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { gatehouse } from '../client.js';
import { explainError } from '../failure/explain-error.js';
import { SCREENS } from '../links.js';
import { MESSAGES, t } from './words.js';

type Me = MainOutputs['session']['me'];

function Home(): ReactElement {
  const [me, setMe] = useState<Me>();
  const [failure, setFailure] = useState<Failure>();
  const [tries, setTries] = useState(0);

  useEffect(() => {
    setFailure(undefined);
    gatehouse.api.session.me.query().then(setMe, (error: unknown) => {
      if (isGatehouseError(error, 'unauthorized', 'origin_refused')) leave();
      else setFailure(explainError(error));
    });
  }, [tries]);

  return (
    <main className="mx-auto flex max-w-2xl flex-col gap-6 px-4 py-8">
      <p className="flex items-center gap-2.5 text-lead font-bold">
        <Mark />
        Gatehouse
      </p>
      {failure === undefined ? null : (
        <>
          <Verdict state="shut" title={t('home.unreached')} />
          <FailureNote failure={failure} />
          <Button onClick={() => setTries(tries + 1)}>{t('home.retry')}</Button>
        </>
      )}
      {me === undefined ? null : <Accounts me={me} />}
    </main>
  );
}

function Accounts({ me: { member, memberships } }: { readonly me: Me }): ReactElement {
  useEffect(() => {
    document.title = member.username;
  }, [member.username]);
  return (
    <>
      <Verdict state="open" title={t('home.title', { name: member.username })}>
        {t('home.lead', { count: memberships.length })}
      </Verdict>
      <Sheet title={t('home.accounts')}>
        <ul>
          {memberships.map(({ accountId, accountName, roleLabel }) => (
            <li
              key={accountId}
              className="flex justify-between gap-3 border-b border-line px-3 py-2 last:border-0"
            >
              <bdi className="font-semibold">{accountName}</bdi>
              <bdi className="text-quiet">{roleLabel}</bdi>
            </li>
          ))}
        </ul>
      </Sheet>
      <div>
        <Button onClick={() => void signOut()}>{t('home.signOut')}</Button>
      </div>
    </>
  );
}

async function signOut(): Promise<void> {
  await gatehouse.api.session.end.mutate();
  location.assign(SCREENS.signIn);
}

/** Goes to sign in, and comes back to where this is. */
function leave(): void {
  const next = location.pathname + location.search;
  location.replace(
    next === SCREENS.home ? SCREENS.signIn : `${SCREENS.signIn}?${new URLSearchParams({ next }).toString()}`,
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no root');
await showLanguage(preferredLanguage(), MESSAGES);
createRoot(root).render(<Home />);
