import { dummyHash, OWN_ROUNDS } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findOldestAudit } from '@gatehouse/db/queries/audit-log';
import {
  countDigests,
  countImportedHashes,
  countUnknownPasswords,
  findMostPasswordCost,
} from '@gatehouse/db/queries/imported-passwords';
import { findMailTrouble, listDeadMails } from '@gatehouse/db/queries/list-mails';
import { listNewestSignIns } from '@gatehouse/db/queries/list-sessions';
import { countLockedHolders } from '@gatehouse/db/queries/login-failures';
import { countForeignPasskeys } from '@gatehouse/db/queries/member-passkeys';
import { countWithoutPassword } from '@gatehouse/db/queries/passwords';
import { countRootStaff, type RootStaff } from '@gatehouse/db/queries/personnel';
import { listOwnerlessAccounts } from '@gatehouse/db/queries/read-accounts';
import { isImportUnfinished } from '@gatehouse/db/queries/unfinished-import';
import { MAX_FAILURES_IN_A_ROW, MEMBER_HOLDERS } from '@gatehouse/features/core/rate-limit/count-attempt';
import { UNFINISHED_IMPORT } from '@gatehouse/features/deployment/until-ready';
import { planRespelling } from '../addresses/plan-respelling.js';
import { type Finding, finding } from './finding.js';
import { callerFindings, serverFindings } from './service-findings.js';

const DAY_MS = 86_400_000;

/** How many administrators have no passkey, and how long FACTORS_UNTIL lets them work without one. */
function rootStaffFindings(
  { members, withoutPasskey }: RootStaff,
  {
    rootLevel,
    factorsUntilMs,
    nowMs,
  }: { rootLevel: number; factorsUntilMs: number | undefined; nowMs: number },
): Finding[] {
  const daysLeft = Math.max(0, Math.ceil(((factorsUntilMs ?? nowMs) - nowMs) / DAY_MS));
  const counted = `staff: ${withoutPasskey} of ${members} of base role 0 without a passkey`;
  if (rootLevel < 3) return [{ isWell: true, text: `${counted}; STAFF_ROOT_LEVEL asks for none` }];
  const advice =
    daysLeft > 0
      ? `; ${daysLeft} day(s) are left until FACTORS_UNTIL ends, in which they work without one: let them add one at /console/enrol of api-admin`
      : '; they can do nothing but add one, at /console/enrol of api-admin';
  return [
    finding(withoutPasskey === 0, 'staff: everybody of base role 0 has a passkey', `${counted}${advice}`),
  ];
}

/** The longest time since the last `prune-audit`. */
const PRUNING_DAYS = 7;

/** How many sign-ins are compared. */
const NEWEST_SIGN_INS = 200;

/** The most accounts that are listed by name. */
const MAX_NAMED = 20;

/** Findings about the database and its content. */
export async function databaseFindings(
  db: Database,
  {
    auditRetentionDays,
    rootLevel,
    factorsUntilMs,
    rpId,
    nowMs,
  }: {
    auditRetentionDays: number;
    rootLevel: number;
    factorsUntilMs: number | undefined;
    rpId: string | undefined;
    nowMs: number;
  },
): Promise<Finding[]> {
  const askedMs = Date.now();
  const facts = await db.serverFacts();
  const findings = serverFindings(facts, { askedMs, answeredMs: Date.now() });
  const pending = await db.pendingMigrations();
  findings.push(
    finding(
      pending.length === 0,
      'migrations: all applied',
      `migrations: ${pending.length} pending; run gatehouse migrate`,
    ),
  );
  if (pending.length > 0) return findings;
  if (await isImportUnfinished(db)) findings.push({ isWell: false, text: `import: ${UNFINISHED_IMPORT}` });
  const plain = await countUnknownPasswords(db, { isPlain: true });
  const unknown = await countUnknownPasswords(db, { isPlain: false });
  const imported = await countImportedHashes(db);
  const digests = await countDigests(db);
  const without = await countWithoutPassword(db, { unusable: dummyHash, nowMs });
  const { clear, collisions, unclear } = await planRespelling(db);
  const { rounds = OWN_ROUNDS, delayMs = 0 } = await findMostPasswordCost(db);
  const locked = await countLockedHolders(db, { prefix: MEMBER_HOLDERS, failures: MAX_FAILURES_IN_A_ROW });
  const [dead] = await listDeadMails(db, 1);
  const ownerless = await listOwnerlessAccounts(db, { nowMs, limit: MAX_NAMED });
  const trouble = await findMailTrouble(db);
  const foreign = await countForeignPasskeys(db, rpId ?? '');
  const oldestMs = (await findOldestAudit(db)) ?? nowMs;
  const root = await countRootStaff(db);
  return [
    ...findings,
    finding(
      plain === 0,
      'passwords: none in plain text',
      `passwords: ${plain} in plain text; run gatehouse hash-passwords`,
    ),
    finding(
      unknown === 0,
      'passwords: all are hashes that are known, or declared plain',
      `passwords: ${unknown} are no hash that is known and were not declared plain, so nobody signs in with them; if they are passwords, run gatehouse hash-passwords --plain-passwords`,
    ),
    finding(
      imported === 0,
      'passwords: no hash of low cost stands bare',
      `passwords: ${imported} hashes of another cost than ours that no import has seen; run gatehouse hash-passwords`,
    ),
    {
      isWell: true,
      text:
        digests === 0
          ? 'passwords: none is a quick digest inside of bcrypt'
          : `passwords: ${digests} are MD5, SHA-1 or SHA-256 inside of bcrypt, until their owners sign in; who has seen the digests there guesses quickly`,
    },
    {
      isWell: true,
      text:
        without === 0
          ? 'passwords: nobody who was imported is without one'
          : `passwords: ${without} members were imported without one and have none yet; a reset sets one, or the system that LEGACY_SIGN_IN_URL names knows it (docs/importing.md)`,
    },
    finding(
      clear.length === 0,
      'addresses: all that can be are in canonical form',
      `addresses: ${clear.length} not in canonical form; run gatehouse canonical-addresses`,
    ),
    finding(
      collisions.size + unclear.length === 0,
      'addresses: no two members share one',
      `addresses: ${collisions.size} would be the address of another member in canonical form, ${unclear.length} have none or that of another mailbox; gatehouse canonical-addresses lists them for staff`,
    ),
    {
      isWell: true,
      text:
        rounds === OWN_ROUNDS
          ? 'passwords: a comparison takes as long as a hash of ours'
          : `passwords: imported hashes make every comparison take ${(rounds / OWN_ROUNDS).toFixed(2)} times as long (docs/importing.md)`,
    },
    {
      isWell: true,
      text:
        delayMs === 0
          ? 'passwords: no hash of another kind than bcrypt is stored'
          : `passwords: hashes of other systems make the refusal of a password wait ${(delayMs / 1000).toFixed(2)} s; gatehouse hashes counts them (docs/importing.md)`,
    },
    // Anybody can lock a member with wrong passwords, so it is not a fault of the deployment.
    {
      isWell: true,
      text: `logins: ${locked} locked by ${MAX_FAILURES_IN_A_ROW} wrong passwords in a row; a reset or member.unlock opens`,
    },
    finding(
      dead === undefined,
      'mails: none was given up',
      'mails: some were given up; run gatehouse mails list',
    ),
    finding(
      trouble === undefined,
      'mails: none waits after a try in vain',
      `mails: ${trouble?.waiting} wait after tries in vain, since ${new Date(trouble?.oldestCreatedAtMs ?? 0).toISOString()} (${trouble?.lastError}); see gatehouse mails list --waiting`,
    ),
    ...callerFindings(await listNewestSignIns(db, NEWEST_SIGN_INS)),
    ...rootStaffFindings(root, { rootLevel, factorsUntilMs, nowMs }),
    finding(
      foreign === 0,
      'passkeys: all are of the domain of this deployment',
      `passkeys: ${foreign} were made for another domain than ${rpId ?? 'none'} and sign nobody in; see PASSKEY_RP_ID in docs/passkeys.md`,
    ),
    finding(
      ownerless.length === 0,
      'accounts: each has a live primary owner',
      `accounts: no live primary owner in ${ownerless.map(({ id, name }) => `${id} (${name})`).join(', ')}; let staff of base role 0 transfer the ownership`,
    ),
    finding(
      nowMs - oldestMs <= (auditRetentionDays + PRUNING_DAYS) * DAY_MS,
      'audit log: as long as it shall be',
      'audit log: is older than AUDIT_RETENTION_DAYS; let gatehouse prune-audit run every day',
    ),
  ];
}
