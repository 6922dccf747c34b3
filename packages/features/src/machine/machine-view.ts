import { isIP, isIPv4, SocketAddress } from 'node:net';
import { isVisible, storableText } from '@gatehouse/auth-core';
import type { ApiKeyRow, MachineRow } from '@gatehouse/db/queries/machines';
import { z } from 'zod';

const MAX_NAME_LENGTH = 80;
const MAX_SCOPES = 250;
const MAX_NETWORKS = 20;

/** The name of a machine or a key. */
export const machineName = storableText(MAX_NAME_LENGTH).refine(isVisible, {
  message: 'must contain something visible',
});

export const machineId = z.int().positive();
export const keyId = z.int().positive();

/** A program that works with API keys. Its id is that of a member, as the audit log names it. */
export const machineView = z
  .object({
    id: z.int(),
    name: z.string(),
    /** The role in its account; null for a machine of the staff. */
    roleType: z.int().nullable(),
    customRoleId: z.int().nullable(),
    createdById: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Machine' });

export function toMachineView(row: MachineRow): z.output<typeof machineView> {
  const { id, accountId, name, roleType, customRoleId, createdById, createdAtMs } = row;
  return {
    id,
    name,
    roleType: accountId === null ? null : roleType,
    customRoleId,
    createdById,
    createdAt: new Date(createdAtMs).toISOString(),
  };
}

/** An API key, without the key. */
export const keyView = z
  .object({
    id: z.int(),
    machineId: z.int(),
    name: z.string(),
    /** The first characters of the key. */
    start: z.string(),
    scopes: z.array(z.string()),
    addresses: z.array(z.string()),
    perMinute: z.int(),
    createdById: z.int(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
    /** The key that replaces it. */
    replacedById: z.int().nullable(),
    /** True to the minute. */
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' });

export function toKeyView(row: ApiKeyRow): z.output<typeof keyView> {
  const { createdAtMs, expiresAtMs, revokedAtMs, lastUsedAtMs, scopes, addresses, ...same } = row;
  const iso = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());
  return {
    ...same,
    scopes: [...scopes],
    addresses: [...addresses],
    createdAt: new Date(createdAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
    revokedAt: iso(revokedAtMs),
    lastUsedAt: iso(lastUsedAtMs),
  };
}

const BITS_BEFORE_IPV4 = 96;
const BITS_OF_GROUP = 16;

/** A network in its canonical notation: without bits beyond its length, and an IPv4 network without its IPv6 form. */
function plainNetwork(start: string, length: number): string {
  if (isIPv4(start)) {
    const octets = start.split('.').map(Number);
    return `${masked(octets, length, 8).join('.')}/${length}`;
  }
  const groups = groupsOf(start);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff;
  if (isMapped && length >= BITS_BEFORE_IPV4) {
    const octets = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
    return plainNetwork(octets.join('.'), length - BITS_BEFORE_IPV4);
  }
  const address = masked(groups, length, BITS_OF_GROUP)
    .map((group) => group.toString(16))
    .join(':');
  return `${new SocketAddress({ address, family: 'ipv6' }).address}/${length}`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // A URL cannot contain the dotted notation.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [left, right] = [read(head), read(tail ?? '')];
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

/** The parts of an address, of some bits each, without the bits beyond a length. */
function masked(parts: readonly number[], length: number, bits: number): number[] {
  return parts.map((part, at) => {
    const cleared = bits - Math.min(bits, Math.max(0, length - at * bits));
    return (part >> cleared) << cleared;
  });
}

/** A network in CIDR notation, or one address. */
const network = z
  .string()
  .max(64)
  .transform((text, context) => {
    const [start = '', bits, ...more] = text.split('/');
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(start)] ?? -1;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    // A zone, as in `fe80::1%eth0`, does not belong to a network.
    if (more.length === 0 && !start.includes('%') && length >= 0 && length <= most)
      return plainNetwork(start, length);
    context.addIssue({ code: 'custom', message: 'must be an address or a network such as 192.0.2.0/24' });
    return z.NEVER;
  });

/** Names of permissions. What its machine may not do, the key may not either. */
export const scopeNames = z.array(z.string().max(64)).max(MAX_SCOPES);

/** The fields of a new key. */
export const keyFields = {
  machineId,
  name: machineName,
  scopes: scopeNames.min(1),
  expiresInDays: z.int().min(1).max(365).default(90),
  /** The networks that it can be used from; all if it is absent. */
  addresses: z.array(network).max(MAX_NETWORKS).optional(),
  perMinute: z.int().min(1).max(6_000).default(600),
};
