import { FrameLayout } from '@gatehouse/ui/frame/frame';
import { LevelScreen } from '@gatehouse/ui/frame/level-screen';
import { Unreached } from '@gatehouse/ui/screen/asked';
import { ProductContext } from '@gatehouse/ui/screen/screen';
import { herePath, withNext } from '@gatehouse/ui/session/next-path';
import { useOwner } from '@gatehouse/ui/session/page-session';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { enrolPath, PATHS } from '../links.js';
import { MeContext, meQuery } from '../session/me.js';
import { t } from '../words.js';
import { ConsoleSide } from './side.js';

/** For staff whose work requires a higher level than their session has. */
function Level({ level }: { readonly level: number }): ReactElement {
  return (
    <LevelScreen
      title={t('level.title')}
      level={level}
      add={enrolPath(herePath())}
      ask={(signal) => gatehouse.api.member.search.query({ limit: 1 }, { signal })}
    />
  );
}

/** The frame of every screen. */
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
        <FrameLayout client={gatehouse} member={member} paths={PATHS} side={<ConsoleSide />}>
          {requires === null ? <Outlet /> : <Level level={requires.level} />}
        </FrameLayout>
      </MeContext>
    </ProductContext>
  );
}

/** Goes to sign in, and comes back to where this is. */
function askToSignIn(): void {
  location.replace(withNext(PATHS.signIn, herePath()));
}
