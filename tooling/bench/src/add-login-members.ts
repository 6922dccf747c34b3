import { hashPassword } from '@gatehouse/auth-core';
import { openDatabase } from '@gatehouse/db/open-database';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { insertTestMember } from '@gatehouse/testkit';
import type { BenchWorld } from './world.js';

/** Adds members of account 1 who sign in with the demonstration password. Returns their e-mail addresses. */
export async function addLoginMembers(world: BenchWorld, count: number): Promise<string[]> {
  const db = await openDatabase(world.databaseUrl);
  try {
    const passwordHash = await hashPassword(DEMONSTRATION_PASSWORD);
    const emails: string[] = [];
    while (emails.length < count) {
      const { email } = await insertTestMember(db, {
        passwordHash,
        memberships: { 1: 5 },
        withSession: false,
      });
      emails.push(email);
    }
    return emails;
  } finally {
    await db.close();
  }
}
