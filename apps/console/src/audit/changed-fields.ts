import { saidValue } from './said-value.js';
import { t } from './words.js';

/** The fields that are shown in words. All others are shown as they are recorded, in the details of a line. */
const FIELDS = {
  accountIds: 'auditField.accountIds',
  accounts: 'auditField.accounts',
  active: 'auditField.active',
  addresses: 'auditField.addresses',
  appUrl: 'auditField.appUrl',
  attempts: 'auditField.attempts',
  banned: 'auditField.banned',
  blocked: 'auditField.blocked',
  blockedClientHosts: 'auditField.blockedClientHosts',
  closed: 'auditField.closed',
  code: 'auditField.code',
  commissionBasisPoints: 'auditField.commission',
  counters: 'auditField.failedAttempts',
  customRoleId: 'auditField.customRoleId',
  deletedAt: 'auditField.deletedAt',
  description: 'auditField.description',
  displayName: 'auditField.name',
  domain: 'auditField.domain',
  effectiveAt: 'auditField.effectiveAt',
  email: 'auditField.email',
  erasesAtMs: 'auditField.erasesAt',
  expiresAt: 'auditField.expiresAt',
  firstName: 'auditField.firstName',
  host: 'auditField.host',
  isActive: 'auditField.active',
  isPersonnel: 'auditField.isPersonnel',
  issuer: 'auditField.issuer',
  lastName: 'auditField.lastName',
  left: 'auditField.backupCodesLeft',
  mayComeBack: 'auditField.mayComeBack',
  members: 'auditField.members',
  name: 'auditField.name',
  ownerId: 'auditField.ownerId',
  passkeys: 'auditField.passkeys',
  payoutEmail: 'auditField.payoutEmail',
  pendingEmail: 'auditField.pendingEmail',
  perMinute: 'auditField.perMinute',
  permissions: 'auditField.permissions',
  plan: 'auditField.plan',
  readOnly: 'auditField.readOnly',
  reason: 'auditField.reason',
  redirectUris: 'auditField.redirectUris',
  requiredLevel: 'auditField.requiredLevel',
  roleType: 'auditField.role',
  scopes: 'auditField.permissions',
  search: 'auditField.search',
  secondFactor: 'auditField.secondFactor',
  totp: 'auditField.totp',
  trialEndsAt: 'auditField.trialEndsAt',
  types: 'auditField.types',
  until: 'auditField.until',
  url: 'auditField.url',
  username: 'auditField.username',
} as const;

const isKnown = (name: string): name is keyof typeof FIELDS => Object.hasOwn(FIELDS, name);

/** A changed field, before and after. One that was empty before has only what it became. */
export interface Change {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * The changed fields of a line of the audit log: those that have words, with their values in words, and the others as recorded.
 * @param roleWords a role by its number; empty for the one without access
 */
export function changedFields(
  before: unknown,
  after: unknown,
  roleWords: (roleType: number) => string,
): { readonly said: readonly Change[]; readonly recorded: readonly Change[] } {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...old.keys(), ...next.keys()])];
  const inWords = (name: string, value: unknown) =>
    value === null ? undefined : saidValue(name, value, roleWords);
  return {
    said: names.filter(isKnown).flatMap((name) => {
      const [was, is] = [old.get(name), next.get(name)];
      const from = inWords(name, was);
      const to = from === undefined ? inWords(name, is) : saidValue(name, is, roleWords);
      return from === undefined && to === undefined ? [] : [{ name: t(FIELDS[name]), from, to }];
    }),
    recorded: names
      .filter((name) => !isKnown(name))
      .map((name) => ({ name, from: asRecorded(old.get(name)), to: asRecorded(next.get(name)) })),
  };
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (value === null || value === undefined) return new Map();
  return new Map(Object.entries(typeof value === 'object' ? value : { value }));
}

const asRecorded = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
