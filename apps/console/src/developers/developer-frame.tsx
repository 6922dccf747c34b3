import { ProgramsContext } from '@gatehouse/ui/developers/programs';
import { DeveloperTab, DeveloperTabs } from '@gatehouse/ui/developers/tabs';
import { t as ofPrograms } from '@gatehouse/ui/developers/words';
import { Denied } from '@gatehouse/ui/screen/asked';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type LinkProps, useLinkProps, useMatchRoute } from '@tanstack/react-router';
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
  applications: (me: Me) => mayAsStaff(me, 'platformApp.manage'),
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
            <Tab to="/developers" fuzzy={false}>
              {ofPrograms('keys.title')}
            </Tab>
          ) : null}
          {DEVELOPER_SCREENS.endpoints(me) ? (
            <Tab to="/developers/endpoints">{ofPrograms('endpoints.title')}</Tab>
          ) : null}
          {DEVELOPER_SCREENS.applications(me) ? (
            <Tab to="/developers/applications">{ofPrograms('applications.title')}</Tab>
          ) : null}
          {DEVELOPER_SCREENS.apis(me) ? <Tab to="/developers/apis">{t('resources.title')}</Tab> : null}
        </DeveloperTabs>
        {children}
      </div>
    </ProgramsContext>
  );
}

function Tab({
  to,
  fuzzy = true,
  children,
}: {
  readonly to: NonNullable<LinkProps['to']>;
  /** Whether it is also the tab of the screens below its path. */
  readonly fuzzy?: boolean;
  readonly children: ReactNode;
}): ReactElement {
  const isHere = useMatchRoute()({ to, fuzzy, pending: false, includeSearch: false }) !== false;
  return (
    <DeveloperTab isHere={isHere} link={useLinkProps({ to })}>
      {children}
    </DeveloperTab>
  );
}
