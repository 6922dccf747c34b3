import { emailKey, searchKey, usernameKey } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  createRandomNumbers,
  homeAccount,
  type LoadPlan,
  madeUpPerson,
  peopleOfLargestAccount,
} from './load-plan.js';

const ROWS_AT_ONCE = 5_000;

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

  for (let from = 0; from < plan.members; from += ROWS_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(ROWS_AT_ONCE, plan.members - from) },
      (_, row) => from + row,
    );
    const people = numbers.map((number) => {
      const person = madeUpPerson(plan.firstMemberId + number, random);
      const roleType = number < plan.accounts ? OWNER : (ROLES[random.below(ROLES.length)] ?? OWNER);
      const email = `${person.username}@load.test`;
      return {
        ...person,
        id: plan.firstMemberId + number,
        sid: email,
        sidKey: emailKey(email),
        usernameKey: usernameKey(person.username),
        firstNameKey: searchKey(person.firstName),
        lastNameKey: searchKey(person.lastName),
        email,
        emailKey: emailKey(email),
        emailConfirmedAtMs: nowMs,
        ownerProvenAtMs: nowMs,
        // These members did not sign up.
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
        ...written,
      }));
    });
    await db.insertMany(db.tables.members, people);
    await db.insertMany(db.tables.memberships, memberships);
    wrote(numbers.length);
  }
}

/** The id of the staff member a load adds to its members. */
export function staffId(plan: LoadPlan): number {
  return plan.firstMemberId + plan.members;
}

/** Writes one staff member with grants spread over the load, including the largest account. */
export async function writeStaff(
  db: Database,
  plan: LoadPlan,
  { nowMs, passwordHash }: { nowMs: number; passwordHash: string },
): Promise<void> {
  const id = staffId(plan);
  const name = `load.staff${id}`;
  const email = `${name}@load.test`;
  const written = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const step = Math.floor(plan.accounts / plan.grants);
  await db.transaction(async (tx) => {
    await tx.insert(tx.tables.members, {
      id,
      sid: email,
      sidKey: email,
      username: name,
      usernameKey: name,
      firstName: 'Load',
      firstNameKey: searchKey('Load'),
      lastName: 'Staff',
      lastNameKey: searchKey('Staff'),
      email,
      emailKey: email,
      emailConfirmedAtMs: nowMs,
      ownerProvenAtMs: nowMs,
      isCounted: true,
      password: passwordHash,
      roleType: 6,
      role: 'Account Manager',
      isPersonnel: true,
      ...written,
    });
    await tx.insertMany(
      tx.tables.personnelGrants,
      Array.from({ length: plan.grants }, (_, grant) => ({
        personnelId: id,
        accountId: plan.firstAccountId + grant * step,
        ...written,
      })),
    );
  });
}

/**
 * The numbers of other participants, used in turn: conversations of a large account have two to five
 * participants.
 */
const OTHERS = [1, 3, 2, 4];

/** Gives the largest account many conversations among its members, and its oldest ones very many messages. */
export async function writeCrowd(
  db: Database,
  plan: LoadPlan,
  { nowMs, wrote }: { nowMs: number; wrote: (rows: number) => void },
): Promise<void> {
  const { conversations, participants, messages } = db.tables;
  const rowsFor = (conversationId: number, memberIds: readonly number[]) =>
    memberIds.map((memberId) => ({ conversationId, memberId, joinedAtMs: nowMs }));
  for (const numbers of batches(plan.manyConversations)) {
    const rows = numbers.map((number) => ({
      id: plan.firstConversationId + plan.accounts + number,
      accountId: plan.firstAccountId,
      subjectId: plan.firstSubjectId,
      title: `Question ${number + 1}`,
      createdAtMs: nowMs,
      lastMessageAtMs: nowMs,
    }));
    await db.insertMany(conversations, rows);
    await db.insertMany(
      participants,
      rows.flatMap(({ id }) => rowsFor(id, peopleIn(plan, id))),
    );
    wrote(numbers.length);
  }
  const conversationId = plan.firstConversationId;
  const people = peopleIn(plan, conversationId);
  await db.insertMany(participants, rowsFor(conversationId, people.slice(1)));
  for (const numbers of batches(plan.manyMessages)) {
    await db.insertMany(
      messages,
      numbers.map((number) => ({
        conversationId,
        memberId: people[number % people.length] ?? plan.firstMemberId,
        body: `Note ${number + 1} of a very long conversation.`,
        createdAtMs: nowMs,
      })),
    );
    wrote(numbers.length);
  }
}

/** The owner of the largest account, and one to four more of its members. */
function peopleIn(plan: LoadPlan, conversationId: number): number[] {
  const others = OTHERS[conversationId % OTHERS.length] ?? 1;
  return peopleOfLargestAccount(plan, { seat: conversationId * 5, others });
}

function* batches(count: number): Generator<number[]> {
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    yield Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, (_, row) => from + row);
  }
}
