import { and, eq, like } from 'drizzle-orm';
import type { Database } from '../database.js';
import { DuplicateKeyError } from '../database-errors.js';
import { type AccessTransaction, changeAccess } from './change-access.js';
import {
  DEMONSTRATION_ACCOUNTS,
  DEMONSTRATION_CONVERSATIONS,
  DEMONSTRATION_GRANTS,
  DEMONSTRATION_MEMBERSHIPS,
  DEMONSTRATION_PEOPLE,
  DEMONSTRATION_SUBJECTS,
  LEGACY_PERSON_ID,
} from './demonstration-data.js';
import { setMembership } from './memberships.js';

/** The values that depend on the deployment. */
export interface DemonstrationSecrets {
  /** The bcrypt hash of the password of all members but one. */
  passwordHash: string;
  /** The same password in plain text, for the member who plays one of the replaced system. */
  legacyPassword: string;
  /** The partner's encrypted secret. */
  partnerSecret: string;
  /** The URL of that partner's front end. */
  partnerUrl?: string | undefined;
  nowMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const USUAL_GAP_MINUTES = 7;

const TRIAL_DAYS = 14;

const PARTNER = 'acme-partner';

/** The description of the demonstration's endpoint for events. */
export const DEMONSTRATION_ENDPOINT = 'Demonstration';

const THIS_MACHINE = 'http://127.0.0.1:';

/** Writes the demonstration into an empty database, all or nothing. False when members exist. */
export async function seedDemonstration(db: Database, secrets: DemonstrationSecrets): Promise<boolean> {
  const subjects = {
    members: DEMONSTRATION_PEOPLE.map(({ id }) => id),
    accounts: DEMONSTRATION_ACCOUNTS.map(({ id }) => id),
  };
  try {
    return await changeAccess(db, subjects, async (tx) => {
      const [someone] = await tx.select({ id: tx.tables.members.id }).from(tx.tables.members).limit(1);
      if (someone !== undefined) return false;
      await insertPeople(tx, secrets);
      await insertAccounts(tx, secrets.nowMs);
      for (const row of DEMONSTRATION_MEMBERSHIPS) await setMembership(tx, { ...row, nowMs: secrets.nowMs });
      await insertGrants(tx, secrets.nowMs);
      await insertConversations(tx, secrets.nowMs);
      await insertPartner(tx, secrets);
      return true;
    });
  } catch (error) {
    if (error instanceof DuplicateKeyError) return false;
    throw error;
  }
}

/** Updates the URLs of the demonstration partner's front end and of the demonstration's endpoint, unless they are on another machine. */
export async function moveDemonstration(
  db: Database,
  { partnerUrl, endpointUrl }: { partnerUrl: string; endpointUrl: string },
): Promise<void> {
  const { eventEndpoints, partners } = db.tables;
  const isOurs = and(eq(partners.nameKey, PARTNER), like(partners.appUrl, `${THIS_MACHINE}%`));
  await db.write(db.update(partners).set({ appUrl: partnerUrl }).where(isOurs));
  const receives = and(
    eq(eventEndpoints.description, DEMONSTRATION_ENDPOINT),
    like(eventEndpoints.url, `${THIS_MACHINE}%/events`),
  );
  await db.write(db.update(eventEndpoints).set({ url: endpointUrl }).where(receives));
}

async function insertPeople(
  tx: AccessTransaction,
  { passwordHash, legacyPassword, nowMs }: DemonstrationSecrets,
) {
  await tx.insertMany(
    tx.tables.members,
    DEMONSTRATION_PEOPLE.map((person) => ({
      ...person,
      sid: person.email,
      sidKey: person.email,
      username: usernameOf(person.email),
      usernameKey: usernameOf(person.email),
      firstNameKey: person.firstName.toLowerCase(),
      lastNameKey: person.lastName.toLowerCase(),
      emailKey: person.email,
      emailConfirmedAtMs: nowMs,
      ownerProvenAtMs: nowMs,
      password: person.id === LEGACY_PERSON_ID ? legacyPassword : passwordHash,
      passwordIsPlain: person.id === LEGACY_PERSON_ID,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })),
  );
}

async function insertGrants(tx: AccessTransaction, nowMs: number) {
  await tx.insertMany(
    tx.tables.personnelGrants,
    DEMONSTRATION_GRANTS.map((grant) => ({ ...grant, createdAtMs: nowMs, updatedAtMs: nowMs })),
  );
}

async function insertAccounts(tx: AccessTransaction, nowMs: number) {
  await tx.insertMany(
    tx.tables.accounts,
    DEMONSTRATION_ACCOUNTS.map((account) => ({
      ...account,
      nameKey: account.name.toLowerCase(),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })),
  );
  await tx.insertMany(
    tx.tables.subscriptions,
    DEMONSTRATION_ACCOUNTS.map(({ id }) => ({
      accountId: id,
      state: 'trialing' as const,
      trialEndsAtMs: nowMs + TRIAL_DAYS * DAY_MS,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })),
  );
}

async function insertConversations(tx: Database, nowMs: number) {
  const { subjects, conversations, participants, messages } = tx.tables;
  await tx.insertMany(
    subjects,
    DEMONSTRATION_SUBJECTS.map((subject) => ({ ...subject, createdAtMs: nowMs - 30 * DAY_MS })),
  );
  const held = DEMONSTRATION_CONVERSATIONS.map((entry, position) => {
    const { messages: lines, silent = [], gapMinutes = USUAL_GAP_MINUTES, ...conversation } = entry;
    const gapMs = gapMinutes * 60_000;
    const endedAtMs = nowMs - (DEMONSTRATION_CONVERSATIONS.length - position) * DAY_MS;
    const startedAtMs = endedAtMs - (lines.length - 1) * gapMs;
    return { conversation, lines, silent, gapMs, startedAtMs, endedAtMs };
  });
  await tx.insertMany(
    conversations,
    held.map(({ conversation, startedAtMs, endedAtMs }) => ({
      ...conversation,
      createdAtMs: startedAtMs,
      lastMessageAtMs: endedAtMs,
    })),
  );
  await tx.insertMany(
    participants,
    held.flatMap(({ conversation, lines, silent, startedAtMs }) =>
      [...new Set([...lines.map(([memberId]) => memberId), ...silent])].map((memberId) => ({
        conversationId: conversation.id,
        memberId,
        joinedAtMs: startedAtMs,
      })),
    ),
  );
  await tx.insertMany(
    messages,
    held.flatMap(({ conversation, lines, gapMs, startedAtMs }) =>
      lines.map(([memberId, body], line) => ({
        conversationId: conversation.id,
        memberId,
        body,
        createdAtMs: startedAtMs + line * gapMs,
      })),
    ),
  );
}

async function insertPartner(
  tx: Database,
  { partnerSecret, partnerUrl = `${THIS_MACHINE}4010`, nowMs }: DemonstrationSecrets,
) {
  const partnerId = await tx.insert(tx.tables.partners, {
    name: PARTNER,
    nameKey: PARTNER,
    appUrl: partnerUrl,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  await tx.insert(tx.tables.partnerSecrets, { partnerId, secret: partnerSecret, createdAtMs: nowMs });
}

/** The username for `owner@acme.test` is `owner.acme`. */
function usernameOf(email: string): string {
  return email.replace('@', '.').replace(/\.test$/, '');
}
