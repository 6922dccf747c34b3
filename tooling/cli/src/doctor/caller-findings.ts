import { BlockList, isIP } from 'node:net';
import type { NewestSignIn } from '@gatehouse/db';
import { type Finding, finding } from './finding.js';

/** Fewer members may well share an office. */
const LEAST_MEMBERS = 10;

/** Addresses that callers from the internet do not have (RFC 1918, 4193, 4291, 6598). */
const PRIVATE = new BlockList();
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('100.64.0.0', 10);
PRIVATE.addSubnet('127.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Whether the newest sign-ins of several members came from one address, as all do behind a proxy that is not trusted. */
export function callerFindings(signIns: readonly NewestSignIn[]): Finding[] {
  const members = new Set(signIns.map(({ memberId }) => memberId)).size;
  const addresses = new Set(signIns.map(({ address }) => address));
  if (members < LEAST_MEMBERS) return [];
  const [address = ''] = addresses;
  const shared = `callers: the last ${signIns.length} sign-ins, of ${members} members, all have the address ${address}`;
  const advice =
    'if that is a proxy, name it in TRUSTED_PROXIES, or let the balancer behind it trust it (docs/operations.md, The balancer)';
  return [
    finding(
      addresses.size > 1 || !isPrivate(address),
      addresses.size > 1 ? 'callers: members sign in from addresses of their own' : `${shared}; ${advice}`,
      `${shared}, and share its limits; ${advice}`,
    ),
  ];
}

function isPrivate(address: string): boolean {
  return isIP(address) !== 0 && PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
