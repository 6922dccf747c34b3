import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { explainError } from '@gatehouse/screens/failure/explain-error';
import { ProductContext } from '@gatehouse/screens/screen/product';
import { ProofDialog } from '@gatehouse/screens/session/proof-dialog';
import { SessionOverDialog } from '@gatehouse/screens/session/session-over-dialog';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button } from '@gatehouse/ui/parts/button';
import { OfflineBar } from '@gatehouse/ui/parts/offline-bar';
import { Verdict } from '@gatehouse/ui/parts/verdict';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { PATHS } from '../links.js';
import { MeContext, meQuery } from '../session/me.js';
import { t } from '../words.js';
import { LevelScreen } from './level-screen.js';
import { Side } from './side.js';

/** What stands around every screen. */
export function Frame(): ReactElement | null {
  const me = useQuery(meQuery);
  const isNobody = me.data === undefined && isGatehouseError(me.error, 'unauthorized', 'origin_refused');
  const [ownerId, setOwnerId] = useState<number>();
  if (me.data !== undefined && ownerId === undefined) setOwnerId(me.data.member.id);
  // The cookie may become somebody else's at any time. What is on this page must not.
  const isTaken = me.data !== undefined && ownerId !== undefined && me.data.member.id !== ownerId;
  useEffect(() => {
    if (isNobody) askToSignIn();
    if (isTaken) location.assign(PATHS.home);
  }, [isNobody, isTaken]);

  if (isNobody || isTaken) return null;
  if (me.data === undefined) {
    return me.error === null ? null : <Unreached error={me.error} onRetry={() => void me.refetch()} />;
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

function Unreached({
  error,
  onRetry,
}: {
  readonly error: Error;
  readonly onRetry: () => void;
}): ReactElement {
  const failure = explainError(error);
  return (
    <main className="mx-auto flex max-w-2xl flex-col gap-6 px-4 py-8">
      <Verdict state="shut" title={t('frame.unreached')} />
      {failure === undefined ? null : <FailureNote failure={failure} />}
      <div>
        <Button kind="primary" onClick={onRetry}>
          {t('frame.retry')}
        </Button>
      </div>
    </main>
  );
}
