import { ProgramsContext } from '@gatehouse/ui/developers/programs';
import { DeveloperTabs, TAB_LINK } from '@gatehouse/ui/developers/tabs';
import { t as ofPrograms } from '@gatehouse/ui/developers/words';
import { Denied } from '@gatehouse/ui/screen/asked';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { gatehouse } from '../client.js';
import { type Me, mayAsStaff, useMe } from '../session/me.js';
import { t } from './words.js';

/** The cache key of everything read of the deployment's programs. */
export const DEPLOYMENT_KEY = ['deployment'] as const;

const PROGRAMS = {
  api: gatehouse.api,
  key: DEPLOYMENT_KEY,
  isDeployment: true,
  proving: withReauth,
} as const;

/** Who may see each of the screens. */
export const DEVELOPER_SCREENS = {
  keys: (me: Me) => mayAsStaff(me, 'platformKey.manage'),
  endpoints: (me: Me) => mayAsStaff(me, 'platformEvent.manage'),
  apis: (me: Me) => me.allAccounts,
} as const;

/** A screen for developers, for those who may see it. */
export function DeveloperFrame({
  screen,
  children,
}: {
  readonly screen: keyof typeof DEVELOPER_SCREENS;
  readonly children: ReactNode;
}): ReactElement {
  const me = useMe();
  if (!DEVELOPER_SCREENS[screen](me)) return <Denied />;
  return (
    <ProgramsContext value={PROGRAMS}>
      <div className="flex flex-col gap-6">
        <DeveloperTabs>
          {DEVELOPER_SCREENS.keys(me) ? (
            <li>
              <Link {...TAB_LINK} to="/developers" activeOptions={{ exact: true }}>
                {ofPrograms('keys.title')}
              </Link>
            </li>
          ) : null}
          {DEVELOPER_SCREENS.endpoints(me) ? (
            <li>
              <Link {...TAB_LINK} to="/developers/endpoints" activeOptions={{ includeSearch: false }}>
                {ofPrograms('endpoints.title')}
              </Link>
            </li>
          ) : null}
          {DEVELOPER_SCREENS.apis(me) ? (
            <li>
              <Link {...TAB_LINK} to="/developers/apis">
                {t('resources.title')}
              </Link>
            </li>
          ) : null}
        </DeveloperTabs>
        {children}
      </div>
    </ProgramsContext>
  );
}
