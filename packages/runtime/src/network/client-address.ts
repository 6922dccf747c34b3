import { BlockList, isIP, SocketAddress } from 'node:net';

/** The client's address: the right-most hop of `X-Forwarded-For` that is not a trusted proxy. */
type AddressReader = (peer: string | undefined, forwardedFor: string | undefined) => string;

/**
 * Reads client addresses behind the given proxies (addresses or CIDR ranges). It trusts hops from the right, as
 * long as a trusted proxy wrote them, so a client cannot forge its address.
 * @throws {RangeError} when an entry is neither an address nor a range.
 */
export function createAddressReader(trustedProxies: readonly string[]): AddressReader {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [network = '', bits] = entry.split('/');
    const family = isIP(network);
    if (family === 0) throw new RangeError(`${entry} is not an address or a range`);
    const type = family === 6 ? 'ipv6' : 'ipv4';
    trusted.addSubnet(network, bits === undefined ? (family === 6 ? 128 : 32) : Number(bits), type);
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (peer, forwardedFor) => {
    let address = plainAddress(peer ?? '');
    if (forwardedFor === undefined || trustedProxies.length === 0) return address;
    const hops = forwardedFor.split(',');
    while (isIP(address) !== 0 && isTrusted(address)) {
      const hop = addressIn(hops.pop()?.trim() ?? '');
      if (hop === undefined) break;
      address = hop;
    }
    return address;
  };
}

/**
 * The address in what a proxy wrote, in the form in which the operating system writes it, so that limits do not count a client
 * twice. Some proxies also write the port (`203.0.113.7:51234`, `[2001:db8::7]:443`), quotes, or the zone of a link-local
 * address.
 */
function addressIn(hop: string): string | undefined {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop.replace(/^"(.*)"$/, '$1')) ?? [];
  const address = (ipv6 ?? ipv4 ?? hop).replace(/%.*$/, '');
  const family = isIP(address);
  if (family === 0) return undefined;
  return family === 4 ? address : plainAddress(new SocketAddress({ address, family: 'ipv6' }).address);
}

/** IPv4 addresses arrive as `::ffff:127.0.0.1` on a dual-stack socket, link-local ones with a zone. */
function plainAddress(written: string): string {
  const zoneAt = written.indexOf('%');
  const address = zoneAt === -1 ? written : written.slice(0, zoneAt);
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

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
