import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { OfflineBar } from '@gatehouse/ui/parts/offline-bar';
import { Unreached } from '@gatehouse/ui/screen/asked';
import { ProductContext, Screen } from '@gatehouse/ui/screen/screen';
import { SessionOverDialog, useOwner } from '@gatehouse/ui/session/page-session';
import { ProofDialog, withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { enrolPath, PATHS } from '../links.js';
import { MeContext, meQuery } from '../session/me.js';
import { t } from '../words.js';
import { Side } from './side.js';

/** For staff of whom more is asked than their session has shown. */
function LevelScreen({ level }: { readonly level: number }): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Screen
      title={t('level.title')}
      tone="error"
      lead={t(level >= 3 ? 'level.leadPasskey' : 'level.lead')}
      actions={
        <>
          <ButtonLink kind="primary" href={enrolPath(location.pathname + location.search)}>
            {t('level.enrol')}
          </ButtonLink>
          <Button
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
                await withReauth(() => gatehouse.api.member.search.query({ limit: 1 }, { signal }));
                await queries.invalidateQueries();
              })
            }
          >
            {t('level.prove')}
          </Button>
        </>
      }
    >
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </Screen>
  );
}

/** What stands around every screen. */
export function Frame(): ReactElement | null {
  const me = useQuery(meQuery);
  const isOwn = useOwner(me, { home: PATHS.home, askToSignIn });
  if (!isOwn) return null;
  if (me.data === undefined) {
    if (me.error === null) return null;
    return <Unreached title={t('frame.unreached')} error={me.error} onRetry={() => void me.refetch()} />;
  }
  const { member, requires } = me.data;
  return (
    <ProductContext value={{ name: t('product'), whoGivesRoles: t('denied.who') }}>
      <MeContext value={me.data}>
        <div className="min-h-dvh wide:grid wide:grid-cols-[13rem_minmax(0,1fr)]">
          <Side />
          <main id="main" tabIndex={-1} className="min-w-0 px-4 py-6 outline-none wide:px-8 wide:py-8">
            <div className="mb-6 max-w-4xl empty:hidden">
              <OfflineBar />
            </div>
            {requires === null ? <Outlet /> : <LevelScreen level={requires.level} />}
          </main>
        </div>
        <ProofDialog client={gatehouse} login={member.email ?? member.username} />
        <SessionOverDialog client={gatehouse} memberId={member.id} signIn={PATHS.signIn} home={PATHS.home} />
      </MeContext>
    </ProductContext>
  );
}

/** Goes to sign in, and comes back to where this is. */
function askToSignIn(): void {
  const next = location.pathname + location.search;
  location.replace(`${PATHS.signIn}?${new URLSearchParams({ next }).toString()}`);
}
