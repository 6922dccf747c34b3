import { personNameSchema, storableText } from '@gatehouse/auth-core';
import { z } from 'zod';
import { fieldOf, isChosen, isObject, noTarget, type PatchOperation } from './patch-operations.js';
import { invalidValue, ScimError } from './scim-error.js';

/** The fields of a user that a directory can send. */
export interface UserFields {
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  displayName: string | null;
  /** The address that the directory sends; null for that of `userName`. */
  email: string | null;
  active: boolean;
}

/** Attributes of RFC 7643 that are not stored. Directories send them, so they are accepted and ignored. */
const NOT_KEPT: ReadonlySet<string> = new Set([
  'addresses',
  'entitlements',
  'ims',
  'locale',
  'nickname',
  'phonenumbers',
  'photos',
  'preferredlanguage',
  'profileurl',
  'roles',
  'timezone',
  'title',
  'usertype',
  'x509certificates',
]);

const NAME_PARTS: ReadonlySet<string> = new Set([
  'name.formatted',
  'name.honorificprefix',
  'name.honorificsuffix',
  'name.middlename',
]);

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user';

/** Whether a path is that of an attribute that the RFC defines and that is not stored here. */
function isNotKept(path: string): boolean {
  if (path === ENTERPRISE || path.startsWith(`${ENTERPRISE}:`) || NAME_PARTS.has(path)) return true;
  const [first = ''] = path.split('.');
  return NOT_KEPT.has(first);
}

/** @throws {ScimError} `invalidValue` */
function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidValue(`${name} must be text`);
  return value;
}

function textOrNothing(value: unknown, name: string): string | null {
  return value === null || value === undefined || value === '' ? null : textOf(value, name);
}

/**
 * A flag. Entra writes it as text, in any case.
 * @throws {ScimError} `invalidValue`
 */
function flagOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  const lower = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  throw invalidValue(`${name} must be true or false`);
}

/** The one address of a list that is stored: the primary one, else that of work, else the first. */
function emailIn(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const entries = (Array.isArray(value) ? value : [value]).map((each: unknown) =>
    typeof each === 'string' ? { value: each } : each,
  );
  if (entries.length > 20) throw invalidValue('There are more than 20 emails');
  const listed = entries.map((each) => {
    if (!isObject(each)) throw invalidValue('Each of emails is an object');
    const type = fieldOf(each, 'type');
    const primary = fieldOf(each, 'primary');
    return {
      address: textOrNothing(fieldOf(each, 'value'), 'emails.value'),
      isPrimary: primary === undefined || primary === null ? false : flagOf(primary, 'emails.primary'),
      isWork: typeof type === 'string' && type.toLowerCase() === 'work',
    };
  });
  const kept = listed.find(({ isPrimary }) => isPrimary) ?? listed.find(({ isWork }) => isWork) ?? listed[0];
  return kept?.address ?? null;
}

/** The fields of a user in a POST or PUT. Omitted fields are cleared, and access does not change. */
export function userFieldsIn(body: Readonly<Record<string, unknown>>, wasActive: boolean): UserFields {
  const name = fieldOf(body, 'name') ?? {};
  if (!isObject(name)) throw invalidValue('name must be an object');
  const active = fieldOf(body, 'active');
  return {
    userName: textOf(fieldOf(body, 'username'), 'userName'),
    externalId: textOrNothing(fieldOf(body, 'externalid'), 'externalId'),
    givenName: textOrNothing(fieldOf(name, 'givenname'), 'name.givenName'),
    familyName: textOrNothing(fieldOf(name, 'familyname'), 'name.familyName'),
    displayName: textOrNothing(fieldOf(body, 'displayname'), 'displayName'),
    email: emailIn(fieldOf(body, 'emails')),
    active: active === undefined || active === null ? wasActive : flagOf(active, 'active'),
  };
}

const TEXTS = {
  externalid: ['externalId', 'externalId'],
  displayname: ['displayName', 'displayName'],
  'name.givenname': ['givenName', 'name.givenName'],
  'name.familyname': ['familyName', 'name.familyName'],
} as const;

function isTextPath(path: string): path is keyof typeof TEXTS {
  return Object.hasOwn(TEXTS, path);
}

/**
 * The state of a user after the operations of a PATCH, as Entra and Okta send them.
 * @throws {ScimError} `noTarget`, `mutability`, `invalidValue`, `invalidPath`, `invalidFilter`
 */
export function patchUser(before: UserFields, operations: readonly PatchOperation[]): UserFields {
  const fields = { ...before };
  for (const operation of operations) applyTo(fields, operation);
  return fields;
}

function applyTo(fields: UserFields, operation: PatchOperation): void {
  const { op, target, value } = operation;
  const { path } = target;
  const isRemoved = op === 'remove';
  if (path === 'emails' || path.startsWith('emails.')) {
    changeEmail(fields, operation);
    return;
  }
  if (target.filter !== undefined) {
    if (isNotKept(path)) return;
    throw noTarget(path);
  }
  if (isTextPath(path)) {
    const [field, name] = TEXTS[path];
    fields[field] = isRemoved ? null : textOrNothing(value, name);
    return;
  }
  switch (path) {
    case 'name':
      changeName(fields, operation);
      return;
    case 'username':
      if (isRemoved) throw new ScimError(400, 'mutability', 'userName cannot be removed');
      fields.userName = textOf(value, 'userName');
      return;
    case 'active':
      if (isRemoved) throw new ScimError(400, 'mutability', 'active cannot be removed');
      fields.active = flagOf(value, 'active');
      return;
    case 'id':
    case 'groups':
    case 'meta':
    case 'schemas':
      throw new ScimError(400, 'mutability', `${path} cannot be changed here`);
    default:
      if (!isNotKept(path)) throw noTarget(path);
  }
}

function changeName(fields: UserFields, { op, value }: PatchOperation): void {
  if (op === 'remove' || value === null) {
    fields.givenName = null;
    fields.familyName = null;
    return;
  }
  if (!isObject(value)) throw invalidValue('name must be an object');
  for (const [part, each] of Object.entries(value)) {
    const path = `name.${part.toLowerCase()}`;
    if (isTextPath(path)) {
      const [field, name] = TEXTS[path];
      fields[field] = textOrNothing(each, name);
    } else if (!NAME_PARTS.has(path)) throw noTarget(path);
  }
}

const EMAIL_PARTS: ReadonlySet<string | undefined> = new Set([
  undefined,
  'value',
  'type',
  'primary',
  'display',
]);

/** There is one address, of work and primary. An operation that selects it by its type may be the first to send it. */
function changeEmail(fields: UserFields, { op, target, value }: PatchOperation): void {
  const part = target.part ?? (target.path === 'emails' ? undefined : target.path.slice('emails.'.length));
  if (!EMAIL_PARTS.has(part)) throw noTarget(`emails.${part ?? ''}`);
  if (target.filter !== undefined) {
    const own = { value: fields.email ?? fields.userName, type: 'work', primary: true };
    // Addresses of other types are not stored.
    if (!isChosen(target.filter, own)) return;
  }
  if (op === 'remove') {
    if (part === undefined || part === 'value') fields.email = null;
    return;
  }
  if (part === undefined) fields.email = emailIn(value);
  if (part === 'value') fields.email = textOrNothing(value, 'emails.value');
}

const MAX_EXTERNAL_ID = 255;
const MAX_DISPLAY_NAME = 200;

const limits = z.object({
  externalId: storableText(MAX_EXTERNAL_ID).nullable(),
  givenName: personNameSchema.nullable(),
  familyName: personNameSchema.nullable(),
  displayName: storableText(MAX_DISPLAY_NAME).nullable(),
});

const NAMES: Readonly<Record<string, string>> = {
  givenName: 'name.givenName',
  familyName: 'name.familyName',
};

/**
 * Requires texts that can be stored.
 * @throws {ScimError} `invalidValue`
 */
export function requireKeepable(fields: UserFields): void {
  const issue = limits.safeParse(fields).error?.issues[0];
  if (issue === undefined) return;
  const field = String(issue.path[0]);
  const said = /^[a-z]/.test(issue.message) ? issue.message : 'is empty or too long';
  throw invalidValue(`${NAMES[field] ?? field} ${said}`);
}
