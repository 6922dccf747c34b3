import { FrameLayout } from '@gatehouse/ui/frame/frame';
import { LevelScreen } from '@gatehouse/ui/frame/level-screen';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { Unreached } from '@gatehouse/ui/screen/asked';
import { ProductContext } from '@gatehouse/ui/screen/screen';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { herePath } from '@gatehouse/ui/session/next-path';
import { useOwner } from '@gatehouse/ui/session/page-session';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { askToSignIn, enrolPath, PATHS } from '../links.js';
import { type Me, MeContext, meQuery } from '../session/me.js';
import { t } from '../words.js';
import { ConsoleSide } from './side.js';

/** The current location, even after another screen is shown, for which the frame is not rendered again. */
function useHere(): string {
  useRouterState({ select: ({ location }) => location.href });
  return herePath();
}

/** For staff whose work requires a higher level than their session has. */
function Level({ level }: { readonly level: number }): ReactElement {
  return (
    <LevelScreen
      title={t('level.title')}
      level={level}
      add={enrolPath(useHere())}
      ask={(signal) => gatehouse.api.member.search.query({ limit: 1 }, { signal })}
    />
  );
}

const DAY_MS = 86_400_000;

/** Shows how many days are left until work here requires a factor that the person lacks. */
function FactorDeadline({ level, from }: NonNullable<Me['requiresLater']>): ReactElement {
  const here = useHere();
  const days = Math.max(1, Math.ceil((Date.parse(from) - Date.now()) / DAY_MS));
  const text = t(level >= 3 ? 'later.passkey' : 'later.any', { days, day: shownDay(from) });
  return (
    <Banner tone="pending">
      {rich(text, { enrol: (inner) => <Link href={enrolPath(here)}>{inner}</Link> })}
    </Banner>
  );
}

/** The frame of every screen. */
export function Frame(): ReactElement | null {
  const me = useQuery(meQuery);
  const isOwn = useOwner(me, { home: PATHS.home, askToSignIn });
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  if (!isOwn) return null;
  if (me.data === undefined) {
    if (me.error === null) return null;
    return <Unreached title={t('frame.unreached')} error={me.error} onRetry={() => void me.refetch()} />;
  }
  const { member, requires, requiresLater } = me.data;
  return (
    <ProductContext value={{ name: t('product'), whoGivesRoles: t('denied.who') }}>
      <MeContext value={me.data}>
        <FrameLayout
          client={gatehouse}
          member={member}
          paths={PATHS}
          isLoading={isLoading}
          side={<ConsoleSide />}
          bars={requiresLater === undefined ? null : <FactorDeadline {...requiresLater} />}
        >
          {requires === null ? <Outlet /> : <Level level={requires.level} />}
        </FrameLayout>
      </MeContext>
    </ProductContext>
  );
}
