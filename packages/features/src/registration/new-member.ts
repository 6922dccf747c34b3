import { AppError, emailKey, searchKey } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { type EnrolmentRows, insertEnrolment, type NewMember } from '@gatehouse/db/queries/insert-member';
import type { Locale } from '@gatehouse/db/tables/member-tables';
import { recordAudit } from '../audit/record-audit.js';
import type { Context, Services } from '../core/context.js';
import { LOCALES } from '../core/member-view.js';
import { generateUsername, ownUsername } from './usernames.js';

/** A new member. The caller has validated every field. */
interface NewPerson {
  readonly services: Services;
  /** Null for a member of a provider without an address; they have a `sid`. */
  readonly email: string | null;
  /** The login name; the e-mail address by default (`google:1234`). */
  readonly sid?: string;
  readonly username: string;
  /** A bcrypt hash. */
  readonly passwordHash: string;
  /** False for a generated password that nobody knows; true by default. */
  readonly hasPassword?: boolean;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** When a trusted source proved the address, if nobody else can know the password. */
  readonly emailConfirmedAtMs?: number | undefined;
  readonly createdByPartnerId?: number | undefined;
  /** The language of their mails. */
  readonly locale?: Locale | undefined;
}

/**
 * The row of a new member, with the user role.
 * @throws {AppError} `invalid_input` for the address of somebody else as username
 */
export function newMemberRow(person: NewPerson): NewMember {
  const { services, email, username, firstName = '', lastName = '' } = person;
  const sid = person.sid ?? email;
  if (sid === null) throw new TypeError('A member without an address needs a sid');
  return {
    sid,
    sidKey: emailKey(sid),
    ...ownUsername(username, email),
    firstName,
    firstNameKey: searchKey(firstName),
    lastNameKey: searchKey(lastName),
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
    locale: person.locale ?? LOCALES[0],
  };
}

/** The refusal of a name or an address that another member has. */
export function takenError(
  error: DuplicateKeyError,
  person: { readonly sid?: string | undefined; readonly email: string | null },
): AppError {
  const { constraint } = error;
  if (constraint === 'members_username_key_unique') return new AppError('username_taken', { cause: error });
  const isAddress =
    constraint === 'members_email_key_unique' || person.sid === undefined || person.sid === person.email;
  return new AppError(isAddress ? 'email_taken' : 'connection_taken', { cause: error });
}

/** A new member with an account of their own. The caller has validated every field. */
interface Enrolment extends Omit<NewPerson, 'username'> {
  /** Generated if absent. */
  readonly username?: string | undefined;
  /** Named after the member if absent. */
  readonly accountName?: string | undefined;
}

interface Enrolled {
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

/**
 * Creates a member who registers without a partner or invitation, and logs it. `complete` writes further rows
 * in the same transaction; its result is returned.
 *
 * @throws {AppError} as `enrol` does
 */
export async function registerMember<Completed>(
  { services, call }: Context,
  { password, ...person }: Omit<Enrolment, 'services' | 'passwordHash'> & { readonly password: string },
  complete: (tx: Database, enrolled: Enrolled) => Promise<Completed>,
): Promise<Enrolled & { readonly completed: Completed; readonly passwordHash: string }> {
  const { requestId, address } = call;
  const passwordHash = await services.passwords.hash(password);
  const { completed, ...enrolled } = await services.db.transaction(async (tx) => {
    const { memberId, accountId } = await enrol(tx, { services, ...person, passwordHash });
    const outcome = await complete(tx, { memberId, accountId });
    await recordAudit(
      tx,
      { services, call },
      {
        atMs: services.now(),
        action: 'member.registered',
        actorId: memberId,
        accountId,
        subjectKind: 'member',
        subjectId: memberId,
      },
    );
    return { memberId, accountId, completed: outcome };
  });
  services.wakeups.wake('mail');
  services.log.security({ event: 'member.registered', requestId, address, ...enrolled });
  return { ...enrolled, completed, passwordHash };
}
