import type { Database } from '@gatehouse/db/database';

const OWNERS = [0, 1];
const ARCHIVED = 11;

/** An open account whose primary owner is not a live member of role 0 or 1 there, and why. */
export interface Ownerless {
  readonly accountId: number;
  readonly ownerId: number;
  readonly isBanned: boolean;
}

/** Finds them row by row, without the queries of the services. */
export async function ownerlessAccounts(db: Database): Promise<Ownerless[]> {
  const { accounts, members, memberships } = db.tables;
  // Asked after every operation of a walk, so only the columns that tell it are read.
  const [people, places, opened] = [
    await db
      .select({ id: members.id, roleType: members.roleType, isDeleted: members.isDeleted })
      .from(members),
    await db
      .select({
        accountId: memberships.accountId,
        memberId: memberships.memberId,
        roleType: memberships.roleType,
        active: memberships.active,
        isDeleted: memberships.isDeleted,
      })
      .from(memberships),
    await db
      .select({ id: accounts.id, ownerId: accounts.ownerId, isDeleted: accounts.isDeleted })
      .from(accounts),
  ];
  return opened.flatMap(({ id, ownerId, isDeleted }) => {
    if (isDeleted) return [];
    const owner = people.find((member) => member.id === ownerId);
    const place = places.find((row) => row.accountId === id && row.memberId === ownerId);
    const isBanned = owner?.roleType === ARCHIVED;
    const isPlaced = place?.active === true && !place.isDeleted && OWNERS.includes(place.roleType);
    const isLive = owner !== undefined && !owner.isDeleted && !isBanned && isPlaced;
    return isLive ? [] : [{ accountId: id, ownerId, isBanned }];
  });
}
