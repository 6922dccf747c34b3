import { BlockList, isIP, isIPv4 } from 'node:net';
import {
  AppError,
  claimsToBeOpaqueToken,
  isOpaqueToken,
  mayHaveOpaqueToken,
  sha256Hex,
} from '@gatehouse/auth-core';
import type { ApiKeyState } from '@gatehouse/db/queries/machines';
import { bearerTokenIn, sessionTokenIn } from '@gatehouse/http/server/request-headers';
import { isOpenToPrograms, type Rule } from '@gatehouse/http/trpc/procedure-rule';
import { DEMONSTRATION_API_KEY } from '@gatehouse/runtime/config/secrets';
import type { AccessReader, MemberSnapshot } from '../access/access-reader.js';
import type { Context, Services } from '../context.js';
import type { Caller } from './caller.js';

/** A machine has no factors. The member who made its key had reached the level that the account requires. */
export const LEVEL_OF_MACHINES = 3;

/**
 * The API key or the access token of a call, or a text in the form of one; undefined if a session token or anything else is sent.
 */
export function sentOpaqueToken(
  { call, services: { tokens } }: Context,
  kind: 'apiKey' | 'accessToken',
): string | undefined {
  const authorization = call.header('authorization');
  if (authorization === undefined || !mayHaveOpaqueToken(kind, authorization)) return undefined;
  const { headerName } = tokens;
  if (sessionTokenIn(headerName, call.header(headerName)) !== undefined) return undefined;
  const bearer = bearerTokenIn(authorization);
  return bearer !== undefined && claimsToBeOpaqueToken(kind, bearer) ? bearer : undefined;
}

/**
 * The machine that calls with an API key, limited to the scopes of the key. The key and the machine are as the rows say now.
 * @throws {AppError} `unauthorized` for an unknown or ended key, `address_refused`
 */
export async function identifyMachine(ctx: Context, access: AccessReader, key: string): Promise<Caller> {
  const { call } = ctx;
  call.facts.keyDigest ??= digestOf(ctx.services, key);
  const digest = call.facts.keyDigest;
  await access.current();
  const held = await access.key(digest);
  if (held === undefined || !isLive(ctx.services, held.state)) throw new AppError('unauthorized');
  const { machine: found, state } = held;
  // A refused network is not a use of the key, and not one of its calls.
  if (!isWithin(state.addresses, call.address)) throw new AppError('address_refused');
  const accountId = found.machine?.accountId ?? null;
  call.facts.memberId = found.id;
  call.facts.key = { id: state.id, accountId, perMinute: state.perMinute };
  ctx.services.tokens.noteKey(key, state.expiresAtMs);
  return {
    memberId: found.id,
    member: limitedToScopes(ctx.services, found, state),
    session: {
      tokenKey: digest,
      kind: 'bearer',
      keyId: state.id,
      expiresAtMs: state.expiresAtMs,
      issuedAtMs: 0,
      id: undefined,
      familyId: undefined,
      partnerId: undefined,
      verifiedAtMs: null,
      verifiedLevel: 1,
      amr: null,
      level: LEVEL_OF_MACHINES,
      authTimeMs: null,
      absoluteUntilMs: null,
      recoveryId: undefined,
      impersonation: undefined,
    },
  };
}

/** The digest of a key. A wrong checksum costs no look-up. In production everybody knows the key of the demonstration. */
function digestOf({ config }: Services, key: string): string {
  const isPublished = config.NODE_ENV === 'production' && key === DEMONSTRATION_API_KEY;
  if (isPublished || !isOpaqueToken('apiKey', key)) throw new AppError('unauthorized');
  return sha256Hex(key);
}

function isLive({ now }: Services, { revokedAtMs, expiresAtMs }: ApiKeyState): boolean {
  return revokedAtMs === null && now() < expiresAtMs;
}

/** Machine → key → the machine limited to the scopes of the key. Each is made once, so that data read for it is kept with it. */
const scoped = new WeakMap<MemberSnapshot, Map<number, MemberSnapshot>>();

/** A machine limited to the scopes of a key. A machine of the staff has the permissions of base role 0 within them, and reaches no account. */
function limitedToScopes(
  { roles }: Services,
  member: MemberSnapshot,
  { id, scopes }: ApiKeyState,
): MemberSnapshot {
  const byKey = scoped.get(member) ?? new Map<number, MemberSnapshot>();
  scoped.set(member, byKey);
  const known = byKey.get(id);
  if (known !== undefined) return known;
  const isOfStaff = member.machine?.accountId === null;
  const asStaff = isOfStaff ? { isPersonnel: true, roleType: roles.id.admin } : {};
  const limited = { ...member, ...asStaff, scopes: new Set(scopes) };
  byKey.set(id, limited);
  return limited;
}

type Family = 'ipv4' | 'ipv6';

/** The lists of the networks of keys that are in memory. A `BlockList` would find an IPv4 address in an IPv6 network too. */
const lists = new WeakMap<readonly string[], Record<Family, BlockList>>();

function listsOf(networks: readonly string[]): Record<Family, BlockList> {
  const made = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [start = '', bits = ''] = network.split('/');
    made[familyOf(start)].addSubnet(start, Number(bits), familyOf(start));
  }
  lists.set(networks, made);
  return made;
}

function familyOf(address: string): Family {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** Whether an address is in one of some networks; without any, every address is. */
function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const family = familyOf(address);
  const list = (lists.get(networks) ?? listsOf(networks))[family];
  return isIP(address) !== 0 && list.check(address, family);
}

/**
 * Refuses a machine what is not open to programs.
 * @throws {AppError} `permission_denied`
 */
export function requireOpenToPrograms(rule: Rule): void {
  if (!isOpenToPrograms(rule)) throw new AppError('permission_denied');
}
