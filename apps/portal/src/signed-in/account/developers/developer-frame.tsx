import type { Permission } from '@gatehouse/client-sdk';
import { ProgramsContext } from '@gatehouse/ui/developers/programs';
import { DeveloperTabs, TAB_LINK } from '@gatehouse/ui/developers/tabs';
import { t } from '@gatehouse/ui/developers/words';
import { Denied } from '@gatehouse/ui/screen/asked';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { roleName } from '@gatehouse/ui/team/role-name';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { NotYours } from '../../screen/not-yours.js';
import { isReadOnly, provingAddress, useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';

const TABS = [
  { permission: 'key.manage', to: '/a/$account/developers', words: 'keys.title', exact: true },
  {
    permission: 'event.manage',
    to: '/a/$account/developers/endpoints',
    words: 'endpoints.title',
    exact: false,
  },
] as const satisfies readonly {
  permission: Permission;
  to: LinkProps['to'];
  words: string;
  exact: boolean;
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
          {TABS.filter((tab) => maySee(tab.permission)).map(({ to, words, exact }) => (
            <li key={to}>
              <Link
                {...TAB_LINK}
                to={to}
                params={{ account: String(accountId) }}
                activeOptions={{ exact, includeSearch: false }}
              >
                {t(words)}
              </Link>
            </li>
          ))}
        </DeveloperTabs>
        {children}
      </div>
    </ProgramsContext>
  );
}
