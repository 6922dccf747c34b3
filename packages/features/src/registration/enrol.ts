import { AppError, emailKey, searchKey, usernameKey } from '@gatehouse/auth-core';
import { type Database, DuplicateKeyError, type EnrolmentRows, insertEnrolment } from '@gatehouse/db';
import type { Services } from '../app/services.js';
import { generateUsername } from './generate-username.js';

/** Somebody who becomes a member. Whoever calls has validated every field. */
export interface Enrolment {
  readonly services: Services;
  /** Null for a member a provider gave us without an address; they have a `sid` then. */
  readonly email: string | null;
  /** What they sign in as; the e-mail address unless given (`google:1234`). */
  readonly sid?: string;
  /** Made up when absent. */
  readonly username?: string | undefined;
  /** A bcrypt hash. */
  readonly passwordHash: string;
  /** False for a password that nobody was told; true unless said. */
  readonly hasPassword?: boolean;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Named after the member when absent. */
  readonly accountName?: string | undefined;
  /** When the address was proved, where somebody trustworthy has done that, and nobody else has had the password. */
  readonly emailConfirmedAtMs?: number | undefined;
  readonly createdByPartnerId?: number | undefined;
}

export interface Enrolled {
  readonly memberId: number;
  readonly accountId: number;
}

const DAY_MS = 86_400_000;
const USERNAME_ATTEMPTS = 5;

/**
 * Makes a member of the user role, the account they own and its trial, in the caller's transaction. The unique keys of
 * the database decide who gets a username or address, so that of any number of people at once one does.
 *
 * @throws {AppError} `username_taken`, `email_taken`, or `connection_taken` for a `sid` that is no address
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
  const sid = person.sid ?? email;
  if (sid === null) throw new TypeError('A member without an address needs a sid');
  const username = person.username ?? generateUsername({ email, firstName }, attempt);
  const accountName = person.accountName ?? ([firstName, lastName].join(' ').trim() || username);
  const nowMs = services.now();
  return {
    member: {
      sid,
      sidKey: emailKey(sid),
      username,
      usernameKey: usernameKey(username),
      firstName,
      firstNameKey: searchKey(firstName),
      lastName,
      email,
      emailKey: email === null ? null : emailKey(email),
      emailConfirmedAtMs: person.emailConfirmedAtMs ?? null,
      ownerProvenAtMs: person.emailConfirmedAtMs ?? null,
      password: person.passwordHash,
      hasPassword: person.hasPassword ?? true,
      roleType: services.roles.id.userMember,
      role: services.roles.labelOf(services.roles.id.userMember),
      createdByPartnerId: person.createdByPartnerId ?? null,
    },
    account: { name: accountName, nameKey: searchKey(accountName) },
    membershipRoleType: services.roles.id.owner,
    trialEndsAtMs: nowMs + services.config.TRIAL_DAYS * DAY_MS,
    nowMs,
  };
}

function takenError(error: DuplicateKeyError, person: Enrolment): AppError {
  const { constraint } = error;
  if (constraint === 'members_username_key_unique') return new AppError('username_taken', { cause: error });
  const isAddress =
    constraint === 'members_email_key_unique' || person.sid === undefined || person.sid === person.email;
  return new AppError(isAddress ? 'email_taken' : 'connection_taken', { cause: error });
}
