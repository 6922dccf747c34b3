import { Card } from '@gatehouse/ui/parts/card';
import { MAX_ROLES, NewRole, RoleList, type RolesOfAccount } from '@gatehouse/ui/team/custom-roles';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { roleWords } from '../session/me.js';
import { type AccountPage, accountKey, MANY } from './account-page.js';
import { t } from './words.js';

/** The roles that an account has made, what each allows, and how many members have it. */
export function RolesCard({
  page: { account, actions, customRoles, givablePermissions: permissions, productPermissions },
  onNotice,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string) => void;
}): ReactElement | null {
  const queries = useQueryClient();
  const makes = actions.includes('saveRole');
  if (customRoles.length === 0 && !makes) return null;
  const { role: api } = gatehouse.withAccount(account.id).api;
  const of: RolesOfAccount = {
    permissions,
    productPermissions,
    nameOfRank: roleWords,
    save: (role, signal) => api.save.mutate(role, { signal }),
    remove: (role, signal) => api.remove.mutate(role, { signal }),
    refresh: () => queries.invalidateQueries({ queryKey: accountKey(account.id) }),
    onNotice,
  };
  return (
    <Card
      title={ofTeams('roles.title')}
      aside={
        makes && customRoles.length < MAX_ROLES ? (
          <NewRole of={of} effect={t('customRoles.newEffect', { account: account.name })} />
        ) : undefined
      }
    >
      {customRoles.length === 0 ? <p className="p-3 text-quiet">{t('customRoles.none')}</p> : null}
      <RoleList
        of={of}
        roles={customRoles.map(({ id, ...role }) => ({ customRoleId: id, ...role }))}
        noteOf={({ holders }) =>
          ofTeams(holders >= MANY ? 'roles.holdersMany' : 'roles.holders', { count: holders })
        }
        isChangeable={({ isChangeable }) => isChangeable}
      />
    </Card>
  );
}
