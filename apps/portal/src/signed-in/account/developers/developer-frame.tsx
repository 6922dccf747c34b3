import type { Permission } from '@gatehouse/client-sdk';
import { ProgramsContext } from '@gatehouse/ui/developers/programs';
import { DeveloperTab, DeveloperTabs } from '@gatehouse/ui/developers/tabs';
import { t } from '@gatehouse/ui/developers/words';
import { Denied } from '@gatehouse/ui/screen/asked';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { roleName } from '@gatehouse/ui/team/role-name';
import { type LinkProps, useLinkProps, useMatchRoute } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { NotYours } from '../../screen/not-yours.js';
import { isReadOnly, provingAddress, useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';

const TABS = [
  { permission: 'key.manage', to: '/a/$account/developers', words: 'keys.title', fuzzy: false },
  {
    permission: 'event.manage',
    to: '/a/$account/developers/endpoints',
    words: 'endpoints.title',
    fuzzy: true,
  },
  {
    permission: 'app.manage',
    to: '/a/$account/developers/applications',
    words: 'applications.title',
    fuzzy: true,
  },
] as const satisfies readonly {
  permission: Permission;
  to: LinkProps['to'];
  words: string;
  fuzzy: boolean;
}[];

/** A screen for developers, for those who have its permission and signed in themselves. */
export function DeveloperFrame({
  permission,
  children,
}: {
  readonly permission: Permission;
  readonly children: ReactNode;
}): ReactElement {
  const { accountId, api, key, maySee, roleLabel } = usePlace();
  const me = useMe();
  if (!maySee(permission)) return <Denied role={roleName(roleLabel)} />;
  return isReadOnly(me) ? (
    <NotYours />
  ) : (
    <ProgramsContext
      value={{ api, key, proving: (work) => provingAddress(me.member.email, () => withReauth(work)) }}
    >
      <div className="flex flex-col gap-6">
        <DeveloperTabs>
          {TABS.filter((tab) => maySee(tab.permission)).map((tab) => (
            <Tab key={tab.to} tab={tab} account={String(accountId)} />
          ))}
        </DeveloperTabs>
        {children}
      </div>
    </ProgramsContext>
  );
}

function Tab({
  tab: { to, words, fuzzy },
  account,
}: {
  readonly tab: (typeof TABS)[number];
  readonly account: string;
}): ReactElement {
  const params = { account };
  const isHere = useMatchRoute()({ to, params, fuzzy, pending: false, includeSearch: false }) !== false;
  return (
    <DeveloperTab isHere={isHere} link={useLinkProps({ to, params })}>
      {t(words)}
    </DeveloperTab>
  );
}
