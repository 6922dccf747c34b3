import { emailKey, searchKey, usernameKey } from '@gatehouse/auth-core';
import { type Database, insertNameParts } from '@gatehouse/db';
import { homeAccount, type LoadPlan } from './load-plan.js';
import { madeUpPerson } from './made-up-person.js';
import { createRandomNumbers } from './random-numbers.js';

const ROWS_AT_ONCE = 5_000;

/** The parts of this many names are sorted and written together; otherwise each batch would touch the whole index. */
const NAMES_AT_ONCE = 200_000;

const OWNER = 1;
const ROLES = [2, 3, 3, 4, 5, 5, 5, 5] as const;
const LABELS: Readonly<Record<number, string>> = {
  1: 'Owner',
  2: 'Manager/Collaborator',
  3: 'Contributor',
  4: 'Designer',
  5: 'User Member',
};

/** Writes the members of a load and their memberships. Every tenth has a second one. */
export async function writeMembers(
  db: Database,
  plan: LoadPlan,
  options: { passwordHash: string; nowMs: number; wrote: (members: number) => void },
): Promise<void> {
  const random = createRandomNumbers(1);
  const { nowMs, passwordHash, wrote } = options;
  const written = { createdAtMs: nowMs, updatedAtMs: nowMs };
  let named: { id: number; usernameKey: string }[] = [];

  for (let from = 0; from < plan.members; from += ROWS_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(ROWS_AT_ONCE, plan.members - from) },
      (_, row) => from + row,
    );
    const people = numbers.map((number) => {
      const person = madeUpPerson(plan.firstMemberId + number, random);
      const roleType = number < plan.accounts ? OWNER : (ROLES[random.below(ROLES.length)] ?? OWNER);
      const email = `${person.username}@load.test`;
      const key = usernameKey(person.username);
      return {
        ...person,
        id: plan.firstMemberId + number,
        sid: email,
        sidKey: emailKey(email),
        usernameKey: key,
        searchedName: key,
        firstNameKey: searchKey(person.firstName),
        lastNameKey: searchKey(person.lastName),
        email,
        emailKey: emailKey(email),
        emailConfirmedAtMs: nowMs,
        ownerProvenAtMs: nowMs,
        // Nobody has signed up.
        isCounted: true,
        password: passwordHash,
        roleType,
        role: LABELS[roleType] ?? '',
        ...written,
      };
    });
    const memberships = numbers.flatMap((number, row) => {
      const home = homeAccount(plan, number, random.below);
      const other = number % 10 === 9 ? random.below(plan.accounts) : home;
      const roleType = people[row]?.roleType ?? OWNER;
      const memberId = plan.firstMemberId + number;
      return [...new Set([home, other])].map((account) => ({
        memberId,
        accountId: plan.firstAccountId + account,
        roleType: account === home ? roleType : 5,
        name: people[row]?.usernameKey ?? null,
        ...written,
      }));
    });
    await db.insertMany(db.tables.members, people);
    await db.insertMany(db.tables.memberships, memberships);
    named.push(...people);
    if (named.length >= NAMES_AT_ONCE || from + ROWS_AT_ONCE >= plan.members) {
      await insertNameParts(db, named);
      named = [];
    }
    wrote(numbers.length);
  }
}
