import { FrameLayout } from '@gatehouse/ui/frame/frame';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Link } from '@gatehouse/ui/parts/link';
import { Notice } from '@gatehouse/ui/parts/notice';
import { rich } from '@gatehouse/ui/parts/rich';
import { Unreached } from '@gatehouse/ui/screen/asked';
import { ProductContext } from '@gatehouse/ui/screen/screen';
import { herePath } from '@gatehouse/ui/session/next-path';
import { useOwner } from '@gatehouse/ui/session/page-session';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { BrandName } from '../../brand.js';
import { gatehouse } from '../../client.js';
import { SCREENS, signInAndReturn } from '../../links.js';
import { nameOfProvider } from '../../signed-out/provider-names.js';
import { useSettings } from '../../signed-out/settings.js';
import { takeKept } from '../../tab-storage.js';
import { recordSignedIn } from '../../was-signed-in.js';
import { MeContext, meQuery, useMe } from '../session/me.js';
import { t } from '../words.js';
import { ImpersonationBar } from './impersonation-bar.js';
import { PortalSide } from './side.js';

/** Says on every screen that a partner began the session, and leads to one in which everything can be done. */
function PartnerBar(): ReactElement | null {
  const { partner } = useMe();
  // The link returns to the current page.
  useRouterState({ select: ({ location: here }) => here.href });
  if (partner === null) return null;
  const { name } = partner;
  return (
    <Banner tone="pending">
      {rich(t('partner.signedIn'), {
        partner: (inner) => (name === null ? inner : <bdi className="font-semibold">{name}</bdi>),
        self: (inner) => <Link href={signInAndReturn(herePath())}>{inner}</Link>,
      })}
    </Banner>
  );
}

/** Says on the first screen that signing in has connected a provider. */
function ConnectedNotice(): ReactElement | null {
  const [provider, setProvider] = useState(() => takeKept('connected'));
  if (provider === undefined) return null;
  return <Notice text={t('frame.connected', { provider: nameOfProvider(provider) })} onClose={setProvider} />;
}

/** The frame of every screen. */
export function Frame(): ReactElement | null {
  const { brand } = useSettings();
  const me = useQuery(meQuery);
  const isOwn = useOwner(me, { home: SCREENS.home, askToSignIn });
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  useEffect(() => {
    if (me.data !== undefined) recordSignedIn(true);
  }, [me.data]);
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
  return (
    <ProductContext value={{ name: brand.name, whoGivesRoles: t('denied.who') }}>
      <MeContext value={me.data}>
        <FrameLayout
          client={gatehouse}
          member={me.data.member}
          paths={SCREENS}
          isActing={me.data.actor !== null}
          isLoading={isLoading}
          above={<ImpersonationBar />}
          side={<PortalSide />}
          bars={
            <>
              <PartnerBar />
              <ConnectedNotice />
            </>
          }
        >
          <Outlet />
        </FrameLayout>
      </MeContext>
    </ProductContext>
  );
}

/** Goes to the sign-in page, and returns here afterwards. */
function askToSignIn(): void {
  location.replace(signInAndReturn(herePath()));
}
