import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { banDetails } from '@gatehouse/db/queries/change-member';
import { countSessions } from '@gatehouse/db/queries/list-sessions';
import { ENDLESS_MS, isBanned, statusOf } from '@gatehouse/db/queries/member-columns';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { countPlaces } from '@gatehouse/db/queries/member-places';
import { countPartnersOfMember } from '@gatehouse/db/queries/partner-members';
import {
  countPersonnelGrants,
  listPersonnelGrants,
  type PersonnelGrantRow,
} from '@gatehouse/db/queries/personnel-grants';
import { countConnections } from '@gatehouse/db/queries/read-connections';
import { type MemberOverview, readMemberOverview } from '@gatehouse/db/queries/read-overviews';
import type { RecoveryRow } from '@gatehouse/db/queries/recoveries';
import { z } from 'zod';
import { securityEventView, toSecurityEventView } from '../../audit/security-events.js';
import { RECOVERY_STATES, recoveryState } from '../../authentication/recovery/recovery-times.js';
import { sessionRowView, toSessionRowView } from '../../authentication/session/own-sessions.js';
import { labelKept, roleWithoutBan } from '../../core/authority/base-role.js';
import { requireSightGiven } from '../../core/authority/require-authority.js';
import type { Services } from '../../core/context.js';
import type { AccountScope } from '../../core/guard/account-access.js';
import { countOwnPasskeys } from '../../core/guard/level.js';
import { procedure } from '../../core/guard/procedure.js';
import { awaitedEnds, foreignIdsView, memberView, toMemberView } from '../../core/member-view.js';
import { failureHolder } from '../../core/rate-limit/count-attempt.js';
import { findUsedUpFor, lockOf } from '../../core/rate-limit/login-limits.js';
import { mailView, toMailView } from '../../mail/staff/staff-mails.js';
import { connectionSummaryView, toConnectionSummaryView } from '../../social/connection-view.js';
import { MEMBER_ACTIONS, mayReturn, memberActions } from './member-actions.js';
import { MAX_SHOWN, placeView, type SomeOf, someOf, toPlaceView } from './page-parts.js';

const DAY_MS = 86_400_000;

const some = <Row extends z.ZodType>(row: Row) => z.array(row).max(MAX_SHOWN);

const maybeInstant = z.iso.datetime().nullable();

const memberPageView = z
  .object({
    /** With the base role, which a ban does not change. */
    member: memberView.extend({ isPersonnel: z.boolean(), lastLoginAt: maybeInstant }),
    /** `deleting` until one who deleted themselves is erased; `deleted` by staff, or erased. */
    status: z.enum(['live', 'banned', 'deleting', 'deleted']),
    /** The ban that is in force. */
    ban: z
      .object({
        /** Null for one without an end. */
        until: maybeInstant,
        reason: z.string().nullable(),
        /** Null if nobody recorded it. */
        at: maybeInstant,
        byId: z.int().nullable(),
      })
      .nullable(),
    /** When a deleted member is erased; null if they will not be. */
    erasedAt: maybeInstant,
    /** Whether a member who deleted themselves can still come back by themselves, which staff can prevent. */
    mayReturn: z.boolean(),
    /** Until when a deleted member can be restored; null after that, and for other members. */
    restorableUntil: maybeInstant,
    /** When they may try to sign in again at an address they have not signed in from lately. */
    lockedUntil: maybeInstant,
    /** Whether waiting is not enough: they must be unlocked, or set a new password. */
    lockedOut: z.boolean(),
    /** The newest sign-ins, including refused ones. */
    logins: some(securityEventView),
    memberships: some(placeView),
    /** The accounts granted to a member of staff. */
    grants: some(z.object({ accountId: z.int(), accountName: z.string(), active: z.boolean() })),
    connections: some(connectionSummaryView),
    /** The factors by which they can prove who they are, without their connections. */
    factors: z.object({
      password: z.boolean(),
      passwordChangedAt: maybeInstant,
      /** Whether every sign-in takes a second step. */
      secondFactor: z.boolean(),
      /** Whether a mailed code may be the second step. */
      email: z.boolean(),
      /** When the authenticator app was added; null without one. */
      totpAddedAt: maybeInstant,
      /** How many can be used here: those of another relying party cannot. */
      passkeys: z.int(),
      backupCodesLeft: z.int(),
    }),
    /** The recovery that is open for a member who lost every second factor. */
    recovery: z
      .object({
        id: z.int(),
        state: z.enum(RECOVERY_STATES),
        openedAt: z.iso.datetime(),
        openedById: z.int(),
        /** When its wait is over. */
        effectiveAt: z.iso.datetime(),
        needsApproval: z.boolean(),
        approvedAt: maybeInstant,
        approvedById: z.int().nullable(),
        /** Until when the ticket is valid; null until it was mailed. */
        ticketExpiresAt: maybeInstant,
      })
      .nullable(),
    /** The address that is to replace the current one, and the mailboxes that must still agree. */
    pendingEmail: z.string().nullable(),
    awaits: z.array(z.enum(['old', 'new'])),
    mails: some(mailView),
    sessions: some(sessionRowView),
    /** The partner that registered them. */
    partner: z.object({ id: z.int(), name: z.string() }).nullable(),
    /** The partners that may sign them on. */
    partners: some(
      z.object({
        id: z.int(),
        name: z.string(),
        active: z.boolean(),
        linkedAt: z.iso.datetime(),
        consentedAt: maybeInstant,
      }),
    ),
    /**
     * The actions on the member that the service would not refuse the caller now, whether or not they change anything. An input
     * may still be refused, and a proof of identity required.
     */
    actions: z.array(z.enum(MEMBER_ACTIONS)),
    foreignIds: foreignIdsView,
    /** The total length of each list; 1000 means that many or more. */
    counts: z.object({
      logins: z.int(),
      memberships: z.int(),
      grants: z.int(),
      connections: z.int(),
      mails: z.int(),
      sessions: z.int(),
      partners: z.int(),
    }),
  })
  .meta({ id: 'MemberPage' });

/**
 * Everything that staff need to look after a member: the newest fifty of each list. Of memberships and grants those in the
 * accounts the caller acts in.
 */
export const memberPage = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
  .meta({ about: { summary: 'See all about a member', refuses: ['not_found'] } })
  .input(z.object({ memberId: z.number().int().positive() }))
  .output(z.object({ data: memberPageView }))
  .query(async ({ ctx, input: { memberId } }) => {
    const { services, scope } = ctx;
    const [read, factors] = await Promise.all([
      readPage(services, scope, memberId),
      findMemberFactors(services.db, memberId),
    ]);
    const { row, lock, recovery, logins, memberships, grants, connections, mails, sessions, partners } = read;
    const actions = await memberActions(ctx, { row, recovery });
    const nowMs = services.now();
    const roleType = roleWithoutBan(services.roles, row);
    return {
      data: {
        actions,
        foreignIds: read.foreignIds.map(({ source, foreignId }) => ({ source, id: foreignId })),
        member: {
          isPersonnel: row.isPersonnel,
          lastLoginAt: isoOrNull(row.lastLoginAtMs),
          ...toMemberView(row, nowMs),
          role_type: roleType,
          role: labelKept(services.roles, row, roleType),
        },
        status: statusOf(row, nowMs),
        ban: banOf(row, nowMs),
        erasedAt: isoOrNull(row.erasesAtMs),
        mayReturn: mayReturn(row, nowMs),
        restorableUntil: isoOrNull(restorableUntil(row, services)),
        lockedUntil: isoOrNull(lock.untilMs),
        lockedOut: lock.isLockedOut,
        logins: logins.rows.map((event) => toSecurityEventView(event, memberId)),
        memberships: memberships.rows.map((place) => toPlaceView(place, services.roles, memberId)),
        grants: [...grants.rows],
        connections: connections.rows.map((connection) => toConnectionSummaryView(connection, nowMs)),
        factors: {
          password: row.hasPassword,
          passwordChangedAt: isoOrNull(row.passwordChangedAtMs),
          secondFactor: factors?.secondFactor ?? false,
          email: factors?.emailStep ?? false,
          totpAddedAt: isoOrNull(factors?.totpConfirmedAtMs ?? null),
          passkeys: factors === undefined ? 0 : countOwnPasskeys(services, factors),
          backupCodesLeft: factors?.backupCodesLeft ?? 0,
        },
        recovery: recovery === undefined ? null : toRecovery(recovery),
        pendingEmail: row.pendingEmail,
        awaits: awaitedEnds(row),
        mails: mails.rows.map(toMailView),
        sessions: sessions.rows.map((session) => toSessionRowView(session, ctx.caller.session)),
        partner: partnerOf(row),
        partners: partners.rows.map((partner) => ({
          id: partner.partnerId,
          name: partner.name,
          active: partner.isActive,
          linkedAt: new Date(partner.linkedAtMs).toISOString(),
          consentedAt: isoOrNull(partner.consentedAtMs),
        })),
        counts: {
          logins: logins.count,
          memberships: memberships.count,
          grants: grants.count,
          connections: connections.count,
          mails: mails.count,
          sessions: sessions.count,
          partners: partners.count,
        },
      },
    };
  });

async function readPage(services: Services, scope: AccountScope, memberId: number) {
  const { db, now } = services;
  const nowMs = now();
  const holder = failureHolder(memberId, '');
  const [{ lists, hasPlace }, usedUpForMs] = await Promise.all([
    readMemberOverview(db, memberId, { scope, holder, nowMs, limit: MAX_SHOWN + 1 }),
    findUsedUpFor(services, memberId),
  ]);
  const [member] = lists.members;
  if (!member) throw new AppError('not_found');
  requireSightGiven(scope, member, hasPlace);
  const [logins, memberships, connections, mails, sessions, partners, grants] = await Promise.all([
    someOf(lists.logins, () => lists.loginCount[0]?.count ?? 0),
    someOf(lists.places, () => countPlaces(db, memberId, scope)),
    someOf(lists.connections, () => countConnections(db, memberId)),
    someOf(lists.mails, () => lists.mailCount[0]?.count ?? 0),
    someOf(lists.sessions, () => countSessions(db, memberId, nowMs)),
    someOf(lists.partners, () => countPartnersOfMember(db, memberId)),
    readGrants(db, scope, member),
  ]);
  const lock = lockOf(lists.failures[0] ?? NO_FAILURES, { usedUpForMs, now });
  const [recovery] = lists.recoveries;
  const foreignIds = lists.foreignIds.slice(0, MAX_SHOWN);
  const some = { logins, memberships, grants, connections, mails, sessions, partners };
  return { row: member, lock, recovery, foreignIds, ...some };
}

const NO_FAILURES = { failures: 0, waitUntilMs: 0 };

/** Nobody else has ever been granted an account. */
async function readGrants(
  db: Database,
  scope: AccountScope,
  { id, isPersonnel, personnelEndedAtMs }: MemberOverview,
): Promise<SomeOf<PersonnelGrantRow>> {
  if (!isPersonnel && personnelEndedAtMs === null) return { rows: [], count: 0 };
  const rows = await listPersonnelGrants(db, id, { scope, limit: MAX_SHOWN + 1 });
  return someOf(rows, () => countPersonnelGrants(db, id, scope));
}

function banOf(row: MemberOverview, nowMs: number) {
  if (!isBanned(row, nowMs)) return null;
  const { atMs, byId, reason } = banDetails(row);
  return {
    until: row.bannedUntilMs === ENDLESS_MS ? null : new Date(row.bannedUntilMs).toISOString(),
    reason,
    at: isoOrNull(atMs),
    byId,
  };
}

/** The end of the grace period, which `restoreMember` also checks. */
function restorableUntil(
  { isDeleted, erasesAtMs, erasedAtMs, deletedAtMs }: MemberOverview,
  { config, now }: Services,
): number | null {
  if (!isDeleted || erasedAtMs !== null) return null;
  const untilMs = erasesAtMs ?? (deletedAtMs ?? 0) + config.MEMBER_GRACE_DAYS * DAY_MS;
  return untilMs > now() ? untilMs : null;
}

function toRecovery(row: RecoveryRow) {
  const { id, openedById, needsApproval, approvedById } = row;
  return {
    id,
    state: recoveryState(row),
    openedAt: new Date(row.openedAtMs).toISOString(),
    openedById,
    effectiveAt: new Date(row.effectiveAtMs).toISOString(),
    needsApproval,
    approvedAt: isoOrNull(row.approvedAtMs),
    approvedById,
    ticketExpiresAt: isoOrNull(row.ticketExpiresAtMs),
  };
}

function partnerOf({ partnerId, partnerName }: MemberOverview): { id: number; name: string } | null {
  return partnerId === null || partnerName === null ? null : { id: partnerId, name: partnerName };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
