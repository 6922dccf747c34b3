import { isGatehouseError, type Permission, ROLES } from '@gatehouse/client-sdk';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useMutationState, useOnce } from '../failure/use-mutation-state.js';
import { CheckGroup, checkedIn } from '../form/check-group.js';
import { Confirm } from '../form/confirm.js';
import { SelectField } from '../form/select-field.js';
import { TextField } from '../form/text-field.js';
import { shownLanguage } from '../messages/language.js';
import { Button } from '../parts/button.js';
import { Menu } from '../parts/menu.js';
import { withReauth } from '../session/with-reauth.js';
import { aboutScope } from './scope-words.js';
import { t } from './words.js';

/** A role that an account has made. */
export interface CustomRole {
  readonly customRoleId: number;
  readonly name: string;
  /** The built-in role whose rank it has. */
  readonly roleType: number;
  readonly permissions: readonly Permission[];
}

/** What a role is saved with. Without a number it is a new one. */
interface WantedRole {
  readonly customRoleId?: number;
  readonly name: string;
  readonly roleType: number;
  readonly permissions: Permission[];
}

/** What the roles of an account are made of, and the calls that change them. */
export interface RolesOfAccount {
  /** The permissions that the person may give to roles. */
  readonly permissions: readonly Permission[];
  readonly productPermissions: readonly {
    readonly name: string;
    readonly label: { readonly en: string; readonly de: string };
  }[];
  /** What a built-in role is called. */
  readonly nameOfRank: (roleType: number) => string;
  readonly save: (
    role: WantedRole,
    signal: AbortSignal,
  ) => Promise<{ readonly data: { readonly name: string } }>;
  readonly remove: (role: { readonly customRoleId: number }, signal: AbortSignal) => Promise<unknown>;
  /** Reads again what shows the roles. */
  readonly refresh: () => Promise<void>;
  readonly onNotice: (notice: string) => void;
}

/** The built-in roles whose rank a custom one can have. */
const RANKS: readonly number[] = [ROLES.manager, ROLES.contributor, ROLES.designer, ROLES.userMember];

/** Everybody with a role has this. */
const ALWAYS: Permission = 'account.read';

/** An account has no more. */
export const MAX_ROLES = 20;

const MAX_NAME_LENGTH = 60;

type Of = { readonly of: RolesOfAccount };

/** Opens the form for a new role. */
export function NewRole({
  of,
  effect,
}: Of & {
  /** What the role is for. */
  readonly effect: string;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall onClick={() => setOpen(true)}>
        {t('roles.new')}
      </Button>
      {isOpen ? <RoleDialog of={of} effect={effect} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Roles with what each allows and, where the person may, a menu to change it. */
export function RoleList<Role extends CustomRole>({
  of,
  roles,
  noteOf,
  isChangeable,
}: Of & {
  readonly roles: readonly Role[];
  /** What is told of a role besides what it allows. */
  readonly noteOf?: (role: Role) => ReactNode;
  readonly isChangeable: (role: Role) => boolean;
}): ReactElement {
  const [asked, setAsked] = useState<{ what: 'save' | 'remove'; role: Role }>();
  const onClose = (): void => setAsked(undefined);
  return (
    <>
      <ul className="divide-y divide-line">
        {roles.map((role) => (
          <li
            key={role.customRoleId}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 px-3 py-2.5"
          >
            <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
              <bdi className="font-semibold">{role.name}</bdi>
              <p className="text-quiet">{permissionsOf(role, of).join(' · ')}</p>
              <p className="text-note text-quiet">
                {noteOf === undefined ? null : <>{noteOf(role)} · </>}
                {t('roles.countsAs', { role: of.nameOfRank(role.roleType) })}
              </p>
              {isChangeable(role) && !isWithin(role, of) ? (
                <p className="text-note text-quiet">{t('roles.beyondYou')}</p>
              ) : null}
            </div>
            {isChangeable(role) ? (
              <Menu
                isRow
                label={t('team.actions', { name: role.name })}
                about={role.name}
                items={[
                  ...(isWithin(role, of)
                    ? [{ words: t('roles.edit'), onClick: () => setAsked({ what: 'save', role }) }]
                    : []),
                  {
                    words: t('roles.remove'),
                    isGrave: true,
                    onClick: () => setAsked({ what: 'remove', role }),
                  },
                ]}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {asked?.what === 'save' ? (
        <RoleDialog of={of} role={asked.role} effect={t('roles.editEffect')} onClose={onClose} />
      ) : null}
      {asked?.what === 'remove' ? <RemoveRoleDialog of={of} role={asked.role} onClose={onClose} /> : null}
    </>
  );
}

/** Whether the person may give all that a role allows. Otherwise what they save would take the rest from everybody who has it. */
function isWithin({ permissions }: CustomRole, of: RolesOfAccount): boolean {
  return permissions.every((permission) => permission === ALWAYS || of.permissions.includes(permission));
}

/** What a permission allows, in words. */
function permissionName(permission: Permission, { productPermissions }: RolesOfAccount): string {
  const label = productPermissions.find(({ name }) => name === permission)?.label;
  return aboutScope(permission) ?? label?.[shownLanguage()] ?? permission;
}

/** What a role allows beyond what every role allows. */
function permissionsOf({ permissions }: CustomRole, of: RolesOfAccount): string[] {
  const own = permissions.filter((permission) => permission !== ALWAYS);
  return (own.length === 0 ? [ALWAYS] : own).map((permission) => permissionName(permission, of));
}

/** Makes a role, or changes one. */
function RoleDialog({
  of,
  role,
  effect,
  onClose,
}: Of & {
  /** The existing one to change; absent for a new one. */
  readonly role?: CustomRole;
  readonly effect: string;
  readonly onClose: () => void;
}): ReactElement {
  const mutation = useMutationState('name', 'roleType', 'permissions');
  const isNew = role === undefined;
  return (
    <Confirm
      title={isNew ? t('roles.new') : t('roles.editTitle', { name: role.name })}
      effect={effect}
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
          permissions: of.permissions.filter(
            (permission) => permission === ALWAYS || checked.has(permission),
          ),
        };
        const { data } = await withReauth(() => of.save(wanted, signal));
        await of.refresh();
        of.onNotice(t(isNew ? 'roles.created' : 'roles.saved', { name: data.name }));
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
        choices={of.permissions
          .filter((permission) => permission !== ALWAYS)
          .map((permission) => ({
            value: permission,
            label: permissionName(permission, of),
            isChecked: role?.permissions.includes(permission) ?? false,
          }))}
      />
      <SelectField
        name="roleType"
        label={t('roles.rank')}
        hint={t('roles.rankHint')}
        choices={RANKS.map((rank) => ({ value: String(rank), label: of.nameOfRank(rank) }))}
        defaultValue={String(role?.roleType ?? ROLES.userMember)}
      />
    </Confirm>
  );
}

/** Removes a role that no member has. */
function RemoveRoleDialog({
  of,
  role: { customRoleId, name },
  onClose,
}: Of & { readonly role: CustomRole; readonly onClose: () => void }): ReactElement {
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
            await withReauth(() => of.remove({ customRoleId }, signal));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await of.refresh();
        of.onNotice(t('roles.removed', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
