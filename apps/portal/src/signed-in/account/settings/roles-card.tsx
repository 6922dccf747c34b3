import type { MainOutputs, Permission } from '@gatehouse/client-sdk';
import { Card } from '@gatehouse/ui/parts/card';
import { QueryView } from '@gatehouse/ui/screen/asked';
import {
  type CustomRole,
  MAX_ROLES,
  NewRole,
  RoleList,
  type RolesOfAccount,
} from '@gatehouse/ui/team/custom-roles';
import { roleName } from '@gatehouse/ui/team/role-name';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';

type Roles = MainOutputs['role']['list'];

type Role = Roles['data'][number];

const isCustom = (role: Role): role is Role & CustomRole => role.customRoleId !== null;

/** Only the owners have these. */
const FOR_OWNERS: ReadonlySet<Permission> = new Set([
  'event.manage',
  'key.manage',
  'app.manage',
  'sso.manage',
]);

/** The custom roles of the account, each with its actions. */
export function RolesCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { api, key, permissions } = usePlace();
  const queries = useQueryClient();
  const answer = useQuery({
    queryKey: [...key, 'roles'],
    queryFn: ({ signal }) => api.role.list.query({ limit: 200 }, { signal }),
  });
  const of = ({ data, productPermissions }: Roles): RolesOfAccount => ({
    permissions: permissions.filter((permission) => !FOR_OWNERS.has(permission)),
    productPermissions,
    nameOfRank: (rank) => {
      const builtIn = data.find(({ isBuiltIn, roleType }) => isBuiltIn && roleType === rank);
      return builtIn === undefined ? String(rank) : roleName(builtIn.name);
    },
    save: (role, signal) => api.role.save.mutate(role, { signal }),
    remove: (role, signal) => api.role.remove.mutate(role, { signal }),
    refresh: () => queries.invalidateQueries({ queryKey: key }),
    onNotice,
  });
  const custom = answer.data?.data.filter(isCustom) ?? [];
  return (
    <Card
      title={ofTeams('roles.title')}
      aside={
        answer.data === undefined || custom.length >= MAX_ROLES ? undefined : (
          <NewRole of={of(answer.data)} effect={t('roles.newEffect')} />
        )
      }
    >
      <QueryView answer={answer} isPart>
        {(roles) => (
          <>
            <p className="p-3 text-quiet">{t(custom.length === 0 ? 'roles.none' : 'roles.lead')}</p>
            {custom.length === 0 ? null : (
              <div className="border-t border-line">
                <RoleList of={of(roles)} roles={custom} isChangeable={() => true} />
              </div>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}
