import type { MemberSnapshot } from '../access/access-reader.js';
import { createMemberMemo } from '../access/create-member-memo.js';
import type { Services } from '../context.js';
import { permissionsOf } from './scope-permissions.js';

/** Members as agents act for them, by what limits them. Each is made once, so that data read for it is kept with it. */
const limited = createMemberMemo<MemberSnapshot>();

/** A member as an agent acts for them: in one account of theirs, within scopes, and never as staff. */
export async function memberOfAgent(
  { roles }: Pick<Services, 'roles'>,
  member: MemberSnapshot,
  { accountId, scopes }: { readonly accountId: number; readonly scopes: readonly string[] },
): Promise<MemberSnapshot> {
  const made = {
    ...member,
    isPersonnel: false,
    grants: new Set<number>(),
    memberships: new Map([...member.memberships].filter(([id]) => id === accountId)),
    scopes: permissionsOf(roles, scopes),
  };
  const name = `${accountId} ${scopes.toSorted().join(' ')}`;
  return (await limited(member, name, () => Promise.resolve(made))) ?? made;
}
