import { shownLanguage } from '@gatehouse/ui/messages/language';
import { Card } from '@gatehouse/ui/parts/card';
import { aboutScope } from '@gatehouse/ui/team/scope-words';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import type { ReactElement } from 'react';
import { roleWords } from '../session/me.js';
import { type AccountPage, MANY } from './account-page.js';

/** Every role allows this. */
const ALWAYS = 'account.read';

/** The roles that an account has made, what each allows, and how many members have it. */
export function RolesCard({
  page: { customRoles, productPermissions },
}: {
  readonly page: AccountPage;
}): ReactElement | null {
  if (customRoles.length === 0) return null;
  const nameOf = (permission: string): string =>
    aboutScope(permission) ??
    productPermissions.find(({ name }) => name === permission)?.label[shownLanguage()] ??
    permission;
  return (
    <Card title={ofTeams('roles.title')}>
      <ul className="divide-y divide-line">
        {customRoles.map(({ id, name, roleType, permissions, holders }) => {
          const own = permissions.filter((permission) => permission !== ALWAYS);
          return (
            <li key={id} className="flex flex-col gap-1 p-3 wrap-anywhere">
              <bdi className="font-semibold">{name}</bdi>
              <p className="text-quiet">
                {(own.length === 0 ? [ALWAYS] : own).map((permission) => nameOf(permission)).join(' · ')}
              </p>
              <p className="text-note text-quiet">
                {ofTeams(holders >= MANY ? 'roles.holdersMany' : 'roles.holders', { count: holders })}
                {' · '}
                {ofTeams('roles.countsAs', { role: roleWords(roleType) })}
              </p>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
