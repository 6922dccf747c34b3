import { isGatehouseError } from '@gatehouse/client-sdk';
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
import { BrandName } from '../../brand-name.js';
import { gatehouse } from '../../client.js';
import { SCREENS, signInAndReturn } from '../../links.js';
import { useSettings } from '../../signed-out/use-settings.js';
import { MeContext, meQuery } from '../session/me.js';
import { t } from '../words.js';
import { ImpersonationBar } from './impersonation-bar.js';
import { PartnerBar } from './partner-bar.js';
import { Side } from './side.js';

/** What stands around every screen. */
export function Frame(): ReactElement | null {
  const { brand } = useSettings();
  const me = useQuery(meQuery);
  const isNobody = me.data === undefined && isGatehouseError(me.error, 'unauthorized', 'origin_refused');
  const [ownerId, setOwnerId] = useState<number>();
  if (me.data !== undefined && ownerId === undefined) setOwnerId(me.data.member.id);
  // The cookie may become somebody else's at any time. What is on this page must not.
  const isTaken = me.data !== undefined && ownerId !== undefined && me.data.member.id !== ownerId;
  useEffect(() => {
    if (isNobody) askToSignIn();
    if (isTaken) location.assign(SCREENS.home);
  }, [isNobody, isTaken]);

  if (isNobody || isTaken) return null;
  if (me.data === undefined) {
    return me.error === null ? null : <Unreached error={me.error} onRetry={() => void me.refetch()} />;
  }
  const { member, actor } = me.data;
  return (
    <ProductContext value={{ name: brand.name, whoGivesRoles: t('denied.who') }}>
      <MeContext value={me.data}>
        <ImpersonationBar />
        <div className="min-h-dvh wide:grid wide:grid-cols-[13rem_minmax(0,1fr)]">
          <Side />
          <main id="main" tabIndex={-1} className="min-w-0 px-4 py-6 outline-none wide:px-8 wide:py-8">
            <div className="mb-6 flex max-w-5xl flex-col gap-3 empty:hidden">
              <OfflineBar />
              <PartnerBar />
            </div>
            <Outlet />
          </main>
        </div>
        <ProofDialog client={gatehouse} login={member.email ?? member.username} />
        <SessionOverDialog
          client={gatehouse}
          memberId={member.id}
          signIn={SCREENS.signIn}
          home={SCREENS.home}
          isActing={actor !== null}
        />
      </MeContext>
    </ProductContext>
  );
}

/** Goes to sign in, and comes back to where this is. */
function askToSignIn(): void {
  location.replace(signInAndReturn(location.pathname + location.search));
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
      <p className="flex items-center gap-2.5 text-lead font-bold">
        <BrandName />
      </p>
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
