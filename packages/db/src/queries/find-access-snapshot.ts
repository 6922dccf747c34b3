import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { ARCHIVED, banEnd, baseRole, ENDLESS_MS, isBanned } from './member-columns.js';
import { prepareRead } from './prepared.js';
import { isAddressIn } from './sso-domains.js';

/** The data that decides every request of one member. */
export interface AccessSnapshotRow {
  id: number;
  /** The base role; 11 while a ban applies. */
  roleType: number;
  /** When a current ban ends. Null for members without a ban and for bans without an end. */
  banEndsAtMs: number | null;
  isPersonnel: boolean;
  isDeleted: boolean;
  /** Sessions of another epoch have ended. */
  sessionEpoch: number;
  /** Tokens without a session row are valid only if issued after this, in epoch milliseconds. */
  tokensValidAfterMs: number;
  /** Set for a machine: the account it works in, null for one of the staff. */
  machine: { accountId: number | null } | null;
  /** Whether every sign-in takes a second step. */
  secondFactor: boolean;
  /** Whether they chose a mailed code as second step, which it is only without app and passkey. */
  emailStep: boolean;
  /** Whether they confirmed an authenticator app. */
  hasTotp: boolean;
  /** The relying parties of their passkeys, without suspect ones. */
  passkeyRpIds: ReadonlySet<string>;
  /** The impersonation a member of staff has begun and not ended. */
  impersonationId: number | null;
  /** Memberships that are active and not deleted; the account may be deleted. */
  memberships: { accountId: number; roleType: number; customRoleId: number | null }[];
  /** Accounts granted to a member of staff, active and not deleted; the account may be deleted. */
  grants: number[];
  /** Partners the member allows to reach accounts the partner did not create. */
  consentedPartners: ReadonlySet<number>;
  /**
   * Accounts whose identity provider may sign them in for everything: the account manages them, and they belong to it with an
   * address in one of its verified domains.
   */
  ssoHomes: ReadonlySet<number>;
  /** The subjects at identity providers that may sign in as them for everything, because they agreed. */
  consentedSubjects: ReadonlySet<number>;
}

const preparedMember = prepareRead((db) => {
  const { members, ssoDomains } = db.tables;
  const { id, isPersonnel, isDeleted, sessionEpoch, tokensValidAfterMs, secondFactor, emailStep } = members;
  const { impersonationId, isMachine, managedByAccountId, emailKey } = members;
  const ban = { roleType: baseRole(db.tables), bannedUntilMs: banEnd(db.tables) };
  return db
    .select({
      id,
      ...ban,
      isMachine,
      isPersonnel,
      isDeleted,
      sessionEpoch,
      tokensValidAfterMs,
      secondFactor,
      emailStep,
      impersonationId,
      homeId: ssoDomains.accountId,
    })
    .from(members)
    .leftJoin(
      ssoDomains,
      and(eq(ssoDomains.accountId, managedByAccountId), isAddressIn(db, emailKey, ssoDomains.verifiedDomain)),
    )
    .where(eq(id, sql.placeholder('memberId')));
});

const MEMBERSHIP = 0;

const GRANT = 1;

const CONSENT = 2;

const TOTP = 3;

const PASSKEY = 4;

const SSO_CONSENT = 5;

const none = sql<number | null>`null`;

const noName = sql<string | null>`null`;

const literal = (value: number) => sql<number>`${sql.raw(String(value))}`;

const preparedReach = prepareRead((db) => {
  const { memberships, personnelGrants, partnerMembers, passkeys, ssoSubjects, totpFactors } = db.tables;
  const memberId = sql.placeholder('memberId');
  return db
    .select({
      kind: literal(MEMBERSHIP),
      target: memberships.accountId,
      roleType: memberships.roleType,
      customRoleId: memberships.customRoleId,
      rpId: noName,
    })
    .from(memberships)
    .where(
      and(eq(memberships.memberId, memberId), eq(memberships.isDeleted, false), eq(memberships.active, true)),
    )
    .unionAll(
      db
        .select({
          kind: literal(GRANT),
          target: personnelGrants.accountId,
          roleType: literal(0),
          customRoleId: none,
          rpId: noName,
        })
        .from(personnelGrants)
        .where(
          and(
            eq(personnelGrants.personnelId, memberId),
            eq(personnelGrants.isDeleted, false),
            eq(personnelGrants.active, true),
          ),
        ),
    )
    .unionAll(
      db
        .select({
          kind: literal(CONSENT),
          target: partnerMembers.partnerId,
          roleType: literal(0),
          customRoleId: none,
          rpId: noName,
        })
        .from(partnerMembers)
        .where(and(eq(partnerMembers.memberId, memberId), isNotNull(partnerMembers.consentedAtMs))),
    )
    .unionAll(
      db
        .select({
          kind: literal(TOTP),
          target: totpFactors.memberId,
          roleType: literal(0),
          customRoleId: none,
          rpId: noName,
        })
        .from(totpFactors)
        .where(and(eq(totpFactors.memberId, memberId), isNotNull(totpFactors.confirmedAtMs))),
    )
    .unionAll(
      db
        .select({
          kind: literal(PASSKEY),
          target: passkeys.memberId,
          roleType: literal(0),
          customRoleId: none,
          rpId: passkeys.rpId,
        })
        .from(passkeys)
        .where(and(eq(passkeys.memberId, memberId), isNull(passkeys.suspectAtMs))),
    )
    .unionAll(
      db
        .select({
          kind: literal(SSO_CONSENT),
          target: ssoSubjects.id,
          roleType: literal(0),
          customRoleId: none,
          rpId: noName,
        })
        .from(ssoSubjects)
        .where(and(eq(ssoSubjects.memberId, memberId), isNotNull(ssoSubjects.consentedAtMs))),
    );
});

const preparedMachine = prepareRead((db) => {
  const { memberId, accountId, roleType, customRoleId, removedAtMs } = db.tables.machines;
  return db
    .select({ accountId, roleType, customRoleId })
    .from(db.tables.machines)
    .where(and(eq(memberId, sql.placeholder('memberId')), isNull(removedAtMs)));
});

/** A member's access at a moment, in two parallel reads, and a third for a machine. */
export async function findAccessSnapshot(
  db: Database,
  memberId: number,
  nowMs: number,
): Promise<AccessSnapshotRow | undefined> {
  const [[member], reach] = await Promise.all([
    preparedMember(db, { memberId }),
    preparedReach(db, { memberId }),
  ]);
  if (member === undefined) return undefined;
  const { bannedUntilMs, isMachine, homeId, ...columns } = member;
  const isOut = isBanned(member, nowMs);
  const isHome = reach.some(({ kind, target }) => kind === MEMBERSHIP && target === homeId);
  const [machine] = isMachine ? await preparedMachine(db, { memberId }) : [];
  return {
    ...columns,
    machine: machine === undefined ? null : { accountId: machine.accountId },
    // The row of a machine is that of a deleted member.
    isDeleted: isMachine ? machine === undefined : columns.isDeleted,
    roleType: isOut ? ARCHIVED : member.roleType,
    banEndsAtMs: isOut && bannedUntilMs !== ENDLESS_MS ? bannedUntilMs : null,
    memberships: reach
      .filter(({ kind }) => kind === MEMBERSHIP)
      .map(({ target, roleType, customRoleId }) => ({ accountId: target, roleType, customRoleId }))
      .concat(membershipOf(machine)),
    grants: reach.filter(({ kind }) => kind === GRANT).map(({ target }) => target),
    hasTotp: reach.some(({ kind }) => kind === TOTP),
    passkeyRpIds: new Set(reach.flatMap(({ rpId }) => (rpId === null ? [] : [rpId]))),
    consentedPartners: new Set(reach.filter(({ kind }) => kind === CONSENT).map(({ target }) => target)),
    ssoHomes: new Set(isHome && homeId !== null ? [homeId] : []),
    consentedSubjects: new Set(reach.filter(({ kind }) => kind === SSO_CONSENT).map(({ target }) => target)),
  };
}

/** What a machine has instead of a membership in its account. */
function membershipOf(
  machine: { accountId: number | null; roleType: number; customRoleId: number | null } | undefined,
): AccessSnapshotRow['memberships'] {
  if (machine === undefined || machine.accountId === null) return [];
  const { accountId, roleType, customRoleId } = machine;
  return [{ accountId, roleType, customRoleId }];
}
