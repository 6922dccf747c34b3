import { OfflineBar } from '@gatehouse/ui/parts/offline-bar';
import { ProductContext } from '@gatehouse/ui/screen/product';
import { Unreached } from '@gatehouse/ui/screen/unreached';
import { ProofDialog } from '@gatehouse/ui/session/proof-dialog';
import { SessionOverDialog } from '@gatehouse/ui/session/session-over-dialog';
import { useOwner } from '@gatehouse/ui/session/use-owner';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { PATHS } from '../links.js';
import { MeContext, meQuery } from '../session/me.js';
import { t } from '../words.js';
import { LevelScreen } from './level-screen.js';
import { Side } from './side.js';

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
