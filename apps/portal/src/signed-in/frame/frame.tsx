import { Banner } from '@gatehouse/ui/parts/banner';
import { Link } from '@gatehouse/ui/parts/link';
import { OfflineBar } from '@gatehouse/ui/parts/offline-bar';
import { rich } from '@gatehouse/ui/parts/rich';
import { Unreached } from '@gatehouse/ui/screen/asked';
import { ProductContext } from '@gatehouse/ui/screen/screen';
import { SessionOverDialog, useOwner } from '@gatehouse/ui/session/page-session';
import { ProofDialog } from '@gatehouse/ui/session/with-reauth';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { BrandName } from '../../brand.js';
import { gatehouse } from '../../client.js';
import { SCREENS, signInAndReturn } from '../../links.js';
import { useSettings } from '../../signed-out/settings.js';
import { MeContext, meQuery, useMe } from '../session/me.js';
import { t } from '../words.js';
import { ImpersonationBar } from './impersonation-bar.js';
import { Side } from './side.js';

/** Says on every screen that a partner began the session, and leads to one in which everything can be done. */
function PartnerBar(): ReactElement | null {
  const { partner } = useMe();
  // The link leads back to where this is.
  useRouterState({ select: ({ location: here }) => here.href });
  if (partner === null) return null;
  const { name } = partner;
  return (
    <Banner tone="pending">
      {rich(t('partner.signedIn'), {
        partner: (inner) => (name === null ? inner : <bdi className="font-semibold">{name}</bdi>),
        self: (inner) => <Link href={signInAndReturn(location.pathname + location.search)}>{inner}</Link>,
      })}
    </Banner>
  );
}

/** What stands around every screen. */
export function Frame(): ReactElement | null {
  const { brand } = useSettings();
  const me = useQuery(meQuery);
  const isOwn = useOwner(me, { home: SCREENS.home, askToSignIn });
  if (!isOwn) return null;
  if (me.data === undefined) {
    if (me.error === null) return null;
    return (
      <Unreached title={t('frame.unreached')} error={me.error} onRetry={() => void me.refetch()}>
        <p className="flex items-center gap-2.5 text-lead font-bold">
          <BrandName />
        </p>
      </Unreached>
    );
  }
  const { member, actor } = me.data;
  return (
    <ProductContext value={{ name: brand.name, whoGivesRoles: t('denied.who') }}>
      <MeContext value={me.data}>
        <div className="min-h-dvh wide:ps-52">
          <ImpersonationBar />
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
