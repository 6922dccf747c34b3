import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether a request comes from a person at this machine, in development: from a loopback address, without a
 * proxy or tunnel, and to a local host name, so that DNS rebinding cannot reach it.
 */
export function isLocalDeveloper(config: { readonly NODE_ENV: string }, request: IncomingMessage): boolean {
  const { headers, socket } = request;
  const peer = socket.remoteAddress ?? '';
  const isForwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].some(
    (name) => headers[name] !== undefined,
  );
  return (
    config.NODE_ENV === 'development' &&
    isIP(peer) !== 0 &&
    loopback.check(peer, isIP(peer) === 6 ? 'ipv6' : 'ipv4') &&
    !isForwarded &&
    LOCAL_HOST.test(headers.host ?? '')
  );
}
