import {
  AppError,
  accountLevelAt,
  type LevelFacts,
  type LevelRefusal,
  lacksSso,
  levelIn,
  levelRefusal,
  type RequiredLevel,
  requiredLevel,
  type StepMethod,
} from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import type { MemberFactors } from '@gatehouse/db/queries/member-factors';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import { z } from 'zod';
import type { AccessReader, MemberSnapshot } from '../access/access-reader.js';
import type { Config } from '../config.js';
import type { Services } from '../context.js';
import { ssoRequired } from '../required-sso.js';

type Party = Pick<Services, 'relyingParty'>;

/** How many of a member's passkeys are valid here. */
export function countOwnPasskeys(
  { relyingParty }: Party,
  { passkeyRpIds }: { readonly passkeyRpIds: Iterable<string> },
): number {
  if (relyingParty === undefined) return 0;
  let own = 0;
  for (const rpId of passkeyRpIds) if (rpId === relyingParty.id) own += 1;
  return own;
}

/** Whether one of a member's passkeys is valid here. */
export function hasOwnPasskey(services: Party, member: { readonly passkeyRpIds: Iterable<string> }): boolean {
  return countOwnPasskeys(services, member) > 0;
}

/**
 * The relying party of this deployment.
 * @throws {AppError} `passkeys_not_configured` if there can be no passkeys
 */
export function requireRelyingParty({ relyingParty }: Party): RelyingParty {
  if (relyingParty === undefined) throw new AppError('passkeys_not_configured');
  return relyingParty;
}

/** A caller, as far as levels are concerned. */
interface LevelHolder {
  readonly member: MemberSnapshot;
  readonly session: {
    readonly level: number;
    readonly recoveryId: number | undefined;
    readonly sso?: { readonly accountId: number; readonly level: number } | undefined;
    readonly keyId?: number | undefined;
    readonly agent?: object | undefined;
  };
}

/** The services that decide about levels. */
type LevelServices = Pick<Services, 'config' | 'now' | 'relyingParty' | 'roles'>;

/** The highest level that a member's factors reach. Passkeys of another relying party are of no use here. */
export function factorLevelOf(
  services: Pick<Services, 'relyingParty'>,
  member: Pick<MemberSnapshot, 'hasTotp' | 'passkeyRpIds'>,
): number {
  if (hasOwnPasskey(services, member)) return 3;
  return member.hasTotp ? 2 : 1;
}

/** Whether a person could reach the level that an account requires now. */
export function hasFactorsFor(
  services: Pick<Services, 'now' | 'relyingParty'>,
  { totpConfirmedAtMs, passkeyRpIds }: Pick<MemberFactors, 'totpConfirmedAtMs' | 'passkeyRpIds'>,
  account: AccountState | undefined,
): boolean {
  const hasTotp = totpConfirmedAtMs !== null;
  const reached = factorLevelOf(services, { hasTotp, passkeyRpIds: new Set(passkeyRpIds) });
  return reached >= accountLevelAt(account, services.now());
}

/** The level that the configuration requires of staff of base role 0. */
export function rootLevelOf({
  STAFF_ROOT_LEVEL,
  STAFF_LEVEL,
  NODE_ENV,
}: Pick<Config, 'NODE_ENV' | 'STAFF_LEVEL'> & Partial<Pick<Config, 'STAFF_ROOT_LEVEL'>>): number {
  return Math.max(STAFF_ROOT_LEVEL ?? (NODE_ENV === 'production' ? 3 : 1), STAFF_LEVEL);
}

/**
 * The level that a member needs for work as staff; 1 requires nothing more. FACTORS_UNTIL defers it for those who lack the
 * factor.
 */
function staffLevelOf(services: LevelServices, member: MemberSnapshot): number {
  return deferredStaffLevel(services, member) === undefined ? configuredStaffLevel(services, member) : 1;
}

/** The level that the configuration requires of a member for work as staff, without regard to FACTORS_UNTIL. */
function configuredStaffLevel({ config, roles }: LevelServices, member: MemberSnapshot): number {
  if (!member.isPersonnel) return 1;
  return member.roleType === roles.id.admin ? rootLevelOf(config) : config.STAFF_LEVEL;
}

/** The level that FACTORS_UNTIL defers for a member who lacks its factor, and until when; undefined if nothing is deferred. */
export function deferredStaffLevel(
  services: LevelServices,
  member: MemberSnapshot,
): { readonly level: number; readonly untilMs: number } | undefined {
  const untilMs = services.config.FACTORS_UNTIL;
  if (untilMs === undefined || services.now() >= untilMs) return undefined;
  const level = configuredStaffLevel(services, member);
  return factorLevelOf(services, member) < level ? { level, untilMs } : undefined;
}

/** What a caller's session has, and what their work as staff requires; in an impersonation also what it requires of the actor. */
export function levelFacts(
  services: LevelServices,
  member: MemberSnapshot,
  session: LevelHolder['session'],
): LevelFacts {
  const { level, recoveryId, sso } = session;
  const { actor } = member;
  const own = staffLevelOf(services, member);
  return {
    nowMs: services.now(),
    reached: level,
    factors: factorLevelOf(services, actor ?? member),
    staff: actor === undefined ? own : Math.max(own, staffLevelOf(services, actor)),
    isEnrolment: recoveryId !== undefined,
    sso,
    ...federatedOf(services, member, session),
  };
}

/**
 * Staff (even when they act for a member whom they support) and programs are exempt: no identity provider of an account begins
 * their calls.
 */
function federatedOf(
  { roles }: Pick<Services, 'roles'>,
  { id: memberId, isPersonnel, actor, machine, memberships }: MemberSnapshot,
  { keyId, agent }: LevelHolder['session'],
): Pick<LevelFacts, 'federated'> {
  if (isPersonnel || actor !== undefined || machine !== null || keyId !== undefined || agent !== undefined)
    return {};
  const { admin, owner } = roles.id;
  const isOwnerOf = (accountId: number) => {
    const role = memberships.get(accountId);
    return role === admin || role === owner;
  };
  return { federated: { memberId, isOwnerOf } };
}

/** Whether an account accepts a session: its level, and who began it. */
export function opensTo(
  services: LevelServices,
  { member, session }: LevelHolder,
  account: AccountState | undefined,
): boolean {
  const asked = levelFacts(services, member, session);
  return !lacksSso(asked, account) && accountLevelAt(account, asked.nowMs) <= levelIn(asked, account);
}

/** Whether a caller needs no level: they are not staff, the account requires none, and the session is not one of a recovery. */
function isAnyLevelEnough(
  { member, session }: LevelHolder,
  account?: Pick<AccountState, 'requiredLevel' | 'requiredUntilThen' | 'sso'>,
): boolean {
  if (account?.sso?.required === true) return false;
  if (member.isPersonnel || member.actor !== undefined || session.recoveryId !== undefined) return false;
  return account === undefined || (account.requiredLevel === 1 && account.requiredUntilThen === 1);
}

/** Whether a session has the level that the caller's work as staff needs. */
export function hasLevel(ctx: { readonly services: LevelServices }, caller: LevelHolder): boolean {
  return levelRefusal(levelFacts(ctx.services, caller.member, caller.session)) === undefined;
}

/**
 * Requires a session of the level that the caller's work as staff needs, and the account if one is given. Sessions for
 * adding a factor never have it.
 * @throws {AppError} `enrolment_required`, `verification_required`
 */
export function requireLevel(
  { services }: { readonly services: LevelServices },
  caller: LevelHolder,
  account?: AccountState,
): void {
  if (isAnyLevelEnough(caller, account)) return;
  const asked = levelFacts(services, caller.member, caller.session);
  const reason = levelRefusal(asked, account);
  if (reason === undefined) return;
  if (reason === 'sso_required') throw ssoRequired(services, account?.sso ?? { connections: [] });
  throw refusalOfLevel(services, reason, caller, requiredLevel(asked, account)?.level ?? 1);
}

/** A level that a session needs, and who requires it. */
export const requiresView = z.object({ level: z.int(), by: z.enum(['staff', 'account']) }).nullable();

/** The level that a session of a recovery lacks if nobody else requires one: staff opened it to have a factor added. */
export const ENROLMENT: RequiredLevel = { level: 2, by: 'staff' };

/** The level that a session needs, as staff or in an account, and has not reached; null if there is none. */
export function lackedLevel(
  { services }: { readonly services: LevelServices },
  { member, session }: LevelHolder,
  account: AccountState | undefined,
): z.output<typeof requiresView> {
  const asked = levelFacts(services, member, session);
  const required = requiredLevel(asked, account) ?? null;
  if (asked.isEnrolment) return required ?? ENROLMENT;
  return required !== null && required.level > levelIn(asked, account) ? required : null;
}

/** The refusal of a session whose level is too low, with what proves a higher one. */
function refusalOfLevel(
  services: Pick<Services, 'relyingParty'>,
  reason: Exclude<LevelRefusal, 'sso_required'>,
  { member }: Pick<LevelHolder, 'member'>,
  level: number,
): AppError {
  if (reason === 'enrolment_required') return new AppError(reason);
  const methods = methodsOfLevel(services, member, level);
  return new AppError(reason, { verification: { level, maxAgeSeconds: VERIFIED_SECONDS, methods } });
}

/** How long a verification is recent. */
export const VERIFIED_SECONDS = 600;

/** The ways in which a member can prove a level above 1. */
export function methodsOfLevel(
  services: Pick<Services, 'relyingParty'>,
  member: MemberSnapshot,
  level: number,
): StepMethod[] {
  return [
    ...(hasOwnPasskey(services, member) ? (['passkey'] as const) : []),
    ...(member.hasTotp && level <= 2 ? (['totp'] as const) : []),
    ...(level <= 2 ? (['backupCode'] as const) : []),
  ];
}

/** The highest level that a member needs, as staff and in all their accounts, and who requires it; undefined for none. */
export async function requiredLevelOfMember(
  services: LevelServices,
  access: Pick<AccessReader, 'knownAccounts'>,
  member: MemberSnapshot,
): Promise<RequiredLevel | undefined> {
  const staff = staffLevelOf(services, member);
  const accounts = await access.knownAccounts([...member.memberships.keys(), ...member.grants]);
  const nowMs = services.now();
  let highest = requiredLevel({ staff, nowMs }, undefined);
  for (const account of accounts.values()) {
    if (account.isDeleted) continue;
    const asked = requiredLevel({ staff, nowMs }, account);
    if (asked !== undefined && asked.level > (highest?.level ?? 1)) highest = asked;
  }
  return highest;
}
