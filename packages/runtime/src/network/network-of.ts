import { isIP } from 'node:net';

const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/**
 * The part of an address that a caller cannot easily change: an IPv4 address, or the /64 of an IPv6 address
 * (`2001:db8:1:2::/64`). Other texts are returned unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail);
  const between = Array.from({ length: Math.max(0, GROUPS - left.length - right.length) }, () => '0');
  const network = [...left, ...between, ...right]
    .slice(0, GROUPS_OF_NETWORK)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** A dotted last part counts as two groups, which are outside the /64. */
function groupsOf(part: string): string[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
