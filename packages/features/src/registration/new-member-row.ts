import { emailKey, searchKey } from '@gatehouse/auth-core';
import type { NewMember } from '@gatehouse/db';
import type { Services } from '../core/context.js';
import { ownUsername } from './own-username.js';

/** A new member. The caller has validated every field. */
export interface NewPerson {
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
  };
}
