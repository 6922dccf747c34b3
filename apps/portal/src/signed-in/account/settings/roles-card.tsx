import { isGatehouseError, type MainOutputs, type Permission, ROLES } from '@gatehouse/client-sdk';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { CheckGroup, checkedIn } from '@gatehouse/ui/form/check-group';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextField } from '@gatehouse/ui/form/text-field';
import { shownLanguage } from '@gatehouse/ui/messages/language';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Menu } from '@gatehouse/ui/parts/menu';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { roleName } from '@gatehouse/ui/team/role-name';
import { aboutScope } from '@gatehouse/ui/team/scope-words';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';

type Roles = MainOutputs['role']['list'];

type Role = Roles['data'][number];

interface CustomRole extends Role {
  readonly customRoleId: number;
}

const isCustom = (role: Role): role is CustomRole => role.customRoleId !== null;

/** The built-in roles that a custom one can count as. */
const RANKS: readonly number[] = [ROLES.manager, ROLES.contributor, ROLES.designer, ROLES.userMember];

/** Everybody with a role has this. */
const ALWAYS: Permission = 'account.read';

/** Only the owners have these. */
const FOR_OWNERS: ReadonlySet<Permission> = new Set([
  'event.manage',
  'key.manage',
  'app.manage',
  'sso.manage',
]);

const MAX_ROLES = 20;

const MAX_NAME_LENGTH = 60;

/** The custom roles of the account, each with its actions. */
export function RolesCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { api, key } = usePlace();
  const answer = useQuery({
    queryKey: [...key, 'roles'],
    queryFn: ({ signal }) => api.role.list.query({ limit: 200 }, { signal }),
  });
  const [asked, setAsked] = useState<{ what: 'save' | 'remove'; role?: CustomRole }>();
  const custom = answer.data?.data.filter(isCustom) ?? [];
  const closes = { onNotice, onClose: () => setAsked(undefined) };
  return (
    <Card
      title={ofTeams('roles.title')}
      aside={
        answer.data === undefined || custom.length >= MAX_ROLES ? undefined : (
          <Button isSmall onClick={() => setAsked({ what: 'save' })}>
            {t('roles.new')}
          </Button>
        )
      }
    >
      <QueryView answer={answer} isPart>
        {(roles) => (
          <>
            <p className="p-3 text-quiet">{t(custom.length === 0 ? 'roles.none' : 'roles.lead')}</p>
            {custom.length === 0 ? null : (
              <ul className="divide-y divide-line border-t border-line">
                {custom.map((role) => (
                  <li
                    key={role.customRoleId}
                    className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 px-3 py-2.5"
                  >
                    <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
                      <bdi className="font-semibold">{role.name}</bdi>
                      <p className="text-quiet">{permissionsOf(role, roles).join(' · ')}</p>
                      <p className="text-note text-quiet">
                        {ofTeams('roles.countsAs', { role: rankName(role, roles) })}
                      </p>
                    </div>
                    <Menu
                      isRow
                      label={ofTeams('team.actions', { name: role.name })}
                      about={role.name}
                      items={[
                        { words: t('roles.edit'), onClick: () => setAsked({ what: 'save', role }) },
                        {
                          words: t('roles.remove'),
                          isGrave: true,
                          onClick: () => setAsked({ what: 'remove', role }),
                        },
                      ]}
                    />
                  </li>
                ))}
              </ul>
            )}
            {asked?.what === 'save' ? <RoleDialog role={asked.role} roles={roles} {...closes} /> : null}
            {asked?.what === 'remove' && asked.role !== undefined ? (
              <RemoveRoleDialog role={asked.role} {...closes} />
            ) : null}
          </>
        )}
      </QueryView>
    </Card>
  );
}

/** What a permission allows, in words. */
function permissionName(permission: Permission, { productPermissions }: Roles): string {
  const label = productPermissions.find(({ name }) => name === permission)?.label;
  return aboutScope(permission) ?? label?.[shownLanguage()] ?? permission;
}

/** What a role allows beyond what every role allows. */
function permissionsOf({ permissions }: Role, roles: Roles): string[] {
  const own = permissions.filter((permission) => permission !== ALWAYS);
  return (own.length === 0 ? [ALWAYS] : own).map((permission) => permissionName(permission, roles));
}

/** The built-in role that a custom one counts as. */
function rankName({ roleType }: Role, { data }: Roles): string {
  const builtIn = data.find((each) => each.isBuiltIn && each.roleType === roleType);
  return builtIn === undefined ? String(roleType) : roleName(builtIn.name);
}

interface Closes {
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}

/** Makes a role, or changes one. */
function RoleDialog({
  role,
  roles,
  onNotice,
  onClose,
}: Closes & {
  /** The existing one to change; absent for a new one. */
  readonly role: CustomRole | undefined;
  readonly roles: Roles;
}): ReactElement {
  const { api, key, permissions: held } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('name', 'roleType', 'permissions');
  const isNew = role === undefined;
  const given = held.filter((permission) => permission !== ALWAYS && !FOR_OWNERS.has(permission));
  const ranks = roles.data.filter(({ isBuiltIn, roleType }) => isBuiltIn && RANKS.includes(roleType));
  return (
    <Confirm
      title={isNew ? t('roles.newTitle') : t('roles.editTitle', { name: role.name })}
      effect={t(isNew ? 'roles.newEffect' : 'roles.editEffect')}
      action={t(isNew ? 'roles.create' : 'roles.save')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const checked = new Set(checkedIn(fields, 'permissions'));
        // Managing members includes seeing them.
        if (checked.has('member.manage')) checked.add('member.list');
        const wanted = {
          ...(isNew ? {} : { customRoleId: role.customRoleId }),
          name: (fields['name'] ?? '').trim(),
          roleType: Number(fields['roleType']),
          permissions: held.filter((permission) => permission === ALWAYS || checked.has(permission)),
        };
        const { data } = await withReauth(() => api.role.save.mutate(wanted, { signal }));
        await queries.invalidateQueries({ queryKey: key });
        onNotice(t(isNew ? 'roles.created' : 'roles.saved', { name: data.name }));
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('roles.name')}
        defaultValue={role?.name ?? ''}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        required
      />
      <CheckGroup
        name="permissions"
        label={t('roles.permissions')}
        hint={t('roles.permissionsHint')}
        choices={given.map((permission) => ({
          value: permission,
          label: permissionName(permission, roles),
          isChecked: role?.permissions.includes(permission) ?? false,
        }))}
      />
      <SelectField
        name="roleType"
        label={t('roles.rank')}
        hint={t('roles.rankHint')}
        choices={ranks.map(({ name, roleType }) => ({ value: String(roleType), label: roleName(name) }))}
        defaultValue={String(role?.roleType ?? ROLES.userMember)}
      />
    </Confirm>
  );
}

/** Removes a role that nobody has. */
function RemoveRoleDialog({
  role: { customRoleId, name },
  onNotice,
  onClose,
}: Closes & { readonly role: CustomRole }): ReactElement {
  const { api, key } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const once = useOnce();
  return (
    <Confirm
      title={t('roles.removeTitle', { name })}
      effect={t('roles.removeEffect')}
      action={t('roles.removeSubmit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.role.remove.mutate({ customRoleId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: key });
        onNotice(t('roles.removed', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
