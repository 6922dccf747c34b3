import { searchKey } from '@gatehouse/auth-core';
import { type Database, DuplicateKeyError, type EnrolmentRows, insertEnrolment } from '@gatehouse/db';
import { generateUsername } from './generate-username.js';
import { type NewPerson, newMemberRow } from './new-member-row.js';
import { takenError } from './taken-error.js';

/** A new member with an account of their own. The caller has validated every field. */
export interface Enrolment extends Omit<NewPerson, 'username'> {
  /** Generated if absent. */
  readonly username?: string | undefined;
  /** Named after the member if absent. */
  readonly accountName?: string | undefined;
}

export interface Enrolled {
  readonly memberId: number;
  readonly accountId: number;
}

const DAY_MS = 86_400_000;
const USERNAME_ATTEMPTS = 5;

/**
 * Creates a member of the user role, their own account and its trial, in the caller's transaction. Unique
 * keys of the database decide who gets a username or address, so of several people at once only one does.
 *
 * @throws {AppError} `username_taken`, `email_taken`, or `connection_taken` for a `sid` that is not an
 * address
 */
export async function enrol(tx: Database, person: Enrolment): Promise<Enrolled> {
  const attempts = person.username === undefined ? USERNAME_ATTEMPTS : 1;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await insertEnrolment(tx, rowsOf(person, attempt));
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      const isUsername = error.constraint === 'members_username_key_unique';
      if (!isUsername || attempt + 1 >= attempts) throw takenError(error, person);
    }
  }
}

function rowsOf(person: Enrolment, attempt: number): EnrolmentRows {
  const { services, email, firstName = '', lastName = '' } = person;
  const username = person.username ?? generateUsername({ email, firstName }, attempt);
  const accountName = person.accountName ?? ([firstName, lastName].join(' ').trim() || username);
  const nowMs = services.now();
  return {
    member: newMemberRow({ ...person, username }),
    account: { name: accountName, nameKey: searchKey(accountName) },
    membershipRoleType: services.roles.id.owner,
    trialEndsAtMs: nowMs + services.config.TRIAL_DAYS * DAY_MS,
    nowMs,
  };
}
