import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, primary, unique } from '../dialect/table-indexes.js';

/** Wrong passwords in a row, per member or unknown login name. Familiar addresses are counted separately. */
export const defineLoginFailures = (v: Vocabulary) =>
  v.table(
    'login_failures',
    {
      holder: v.key(80),
      /** Empty for all unfamiliar addresses together. */
      origin: v.key(64),
      /** Before `failures`: MySQL assigns in this order, and the wait depends on the old count. */
      waitUntilMs: v.instant(),
      failures: v.integer(),
      lastFailureAtMs: v.instant(),
    },
    [
      primary('counts wrong passwords in a row, whatever the node', 'holder', 'origin'),
      index('finds those who may have to wait', 'failures'),
      index('forgets counts that nobody has added to for long', 'lastFailureAtMs'),
    ],
  );

/** Addresses and devices of a member's recent logins, as digests. */
export const defineLoginFamiliarity = (v: Vocabulary) =>
  v.table(
    'login_familiarity',
    {
      id: v.id(),
      memberId: v.reference(),
      originKey: v.digest(),
      lastSuccessAtMs: v.instant(),
    },
    [
      unique('decides whether a login comes from a familiar place', 'memberId', 'originKey'),
      index('forgets places not used for long', 'lastSuccessAtMs'),
    ],
  );

/** For each kind of password hash from other systems, when one last signed somebody in. */
export const definePasswordUses = (v: Vocabulary) =>
  v.table('password_uses', {
    /** As `gatehouse hashes` names it. */
    kind: v.key(32).primaryKey(),
    lastUsedAtMs: v.instant(),
  });

/** One-time passwords of members, each with its own lifetime. */
export const defineOneTimePasswords = (v: Vocabulary) =>
  v.table(
    'one_time_passwords',
    {
      id: v.id(),
      memberId: v.reference(),
      serial: v.integer(),
      digest: v.digest(),
      attempts: v.integer().default(0),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [
      unique('lets one of several requests at once make the next one-time password', 'memberId', 'serial'),
      index('removes one-time passwords that have expired', 'expiresAtMs'),
    ],
  );

/** Points used in a window, per key, shared by all nodes. */
export const defineLimits = (v: Vocabulary) =>
  v.table(
    'limits',
    {
      key: v.key(255).primaryKey(),
      points: v.integer(),
      expiresAtMs: v.maybe.instant(),
    },
    [index('removes windows that are over', 'expiresAtMs')],
  );
