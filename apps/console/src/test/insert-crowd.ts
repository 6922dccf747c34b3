import type { RunningService } from '@gatehouse/testkit';

/** Their role. */
export const CONTRIBUTOR = 3;

/**
 * Many members with an address that is not confirmed.
 * @param given names for all of them
 * @returns their ids
 */
export async function insertCrowd(
  database: RunningService['database'],
  count: number,
  given: { readonly firstName?: string; readonly lastName?: string } = {},
): Promise<number[]> {
  const { members } = database.tables;
  const nowMs = Date.now();
  const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const crowd = Array.from({ length: count }, (_, index) => {
    const name = `crowd${String(index).padStart(5, '0')}`;
    const email = `${name}@crowd.test`;
    const keys = { sid: email, sidKey: email, username: name, usernameKey: name, email, emailKey: email };
    const names = {
      firstName: 'Crowd',
      firstNameKey: 'crowd',
      lastName: String(index),
      lastNameKey: String(index),
      ...given,
    };
    return { ...keys, ...names, roleType: CONTRIBUTOR, role: 'Contributor', password: '-', ...times };
  });
  for (let start = 0; start < count; start += MAX_AT_ONCE)
    await database.transaction((tx) => tx.insertMany(members, crowd.slice(start, start + MAX_AT_ONCE)));
  const rows = await database.select().from(members);
  return rows.flatMap(({ id, sid }) => (sid.endsWith('@crowd.test') ? [id] : []));
}

/** The number of rows in a statement. */
const MAX_AT_ONCE = 500;
