import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { insertTestMember } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { startStaffWorld } from '../../test/staff-world.js';

interface Listed {
  readonly data: readonly {
    readonly id: number;
    readonly accountRole: number;
    readonly isPrimaryOwner: boolean;
  }[];
  readonly page: { readonly nextCursor: string | null };
}

it('staff see the members of one account they act in, page by page, with their roles there', async () => {
  await using world = await startStaffWorld();
  const { service, root, manager, member } = world;
  const { database } = service;
  const other = await insertTestMember(database, { memberships: { 2: 4 } });
  const gone = await insertTestMember(database, { memberships: { 2: 4 } });
  await changeAccess(database, { members: [gone.id] }, (tx) =>
    setMembership(tx, { memberId: gone.id, accountId: 2, roleType: 4, active: false, nowMs: Date.now() }),
  );
  const list = async (as: { token: string }, accountId: number, query = '') => {
    const response = await service.send(`/v1/member/list${query}`, { token: as.token, accountId });
    return { status: response.status, body: (await response.json()) as Listed };
  };
  for (const as of [root, manager]) {
    const first = await list(as, 2, '?limit=2');
    expect(first.body.data).toMatchObject([
      { id: 3, accountRole: 2, isPrimaryOwner: false },
      { id: 8, accountRole: 1, isPrimaryOwner: true },
    ]);
    const second = await list(as, 2, `?limit=2&cursor=${first.body.page.nextCursor}`);
    expect(second.body.data).toMatchObject([
      { id: member.id, accountRole: 5 },
      { id: other.id, accountRole: 4 },
    ]);
    expect(second.body.page.nextCursor).toBeNull();
  }
  expect((await list(manager, 1)).status).toBe(403);
  expect((await list(member, 2)).status).toBe(403);
});
