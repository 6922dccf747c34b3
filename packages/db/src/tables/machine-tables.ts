import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** Members that are programs: each works in one account, or for the staff. */
export const defineMachines = (v: Vocabulary) =>
  v.table(
    'machines',
    {
      id: v.id(),
      /** Its row in `members`, which is that of a deleted member, so that nothing about people finds it. */
      memberId: v.reference(),
      /** Null for a machine of the staff. */
      accountId: v.maybe.reference(),
      name: v.string(80),
      roleType: v.integer(),
      /** The custom role. It takes precedence over `roleType`. */
      customRoleId: v.maybe.reference(),
      createdById: v.reference(),
      removedAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('one machine per member; reads what it may do', 'memberId'),
      index('lists the machines of an account', 'accountId', 'removedAtMs', 'memberId'),
      index('tells whether a machine has a custom role', 'customRoleId'),
    ],
  );

/** What machines authenticate with. */
export const defineApiKeys = (v: Vocabulary) =>
  v.table(
    'api_keys',
    {
      id: v.id(),
      /** The machine, by its member id. */
      machineId: v.reference(),
      name: v.string(80),
      /** The first characters of the key, for lists. */
      start: v.string(12),
      /** SHA-256 of the key. */
      digest: v.digest(),
      scopes: v.json<string[]>(),
      /** The networks that it can be used from, in CIDR notation; empty for all. */
      addresses: v.json<string[]>(),
      /** How many calls it may make in a minute. */
      perMinute: v.integer(),
      createdById: v.reference(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      /** When it was revoked, or its machine removed. */
      revokedAtMs: v.maybe.instant(),
      /** The key that replaces it. */
      replacedById: v.maybe.reference(),
      /** True to the minute. */
      lastUsedAtMs: v.maybe.instant(),
      /** When the next mail about its end is due; null for none. */
      noticeAtMs: v.maybe.instant(),
    },
    [
      unique('finds the key of a call', 'digest'),
      index('lists the keys of a machine', 'machineId', 'id'),
      index('finds the keys whose end is near', 'noticeAtMs'),
    ],
  );
