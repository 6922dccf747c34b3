import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { findFreePort } from '@gatehouse/testkit';
import { decode, encode, type Packet, streamDecode, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';

/** The most bytes of an answer over UDP (RFC 1035, section 4.2.1). */
const MAX_UDP_BYTES = 512;

/** A name server on this machine, over UDP and TCP. */
export interface DnsServer extends AsyncDisposable {
  /** `ip:port`, as DNS_SERVERS has it. */
  readonly address: string;
  /** The text records of a name, each as its chunks. */
  set(name: string, records: readonly (readonly string[])[]): void;
  /** Whether it answers that it failed. */
  fail(isFailing: boolean): void;
  /** The names that it was asked for. */
  readonly asked: readonly string[];
}

export async function startDnsServer(): Promise<DnsServer> {
  const names = new Map<string, readonly (readonly string[])[]>();
  const asked: string[] = [];
  let isFailing = false;
  const answer = (query: Packet) => {
    const questions = query.questions ?? [];
    const name = questions[0]?.name.toLowerCase() ?? '';
    asked.push(name);
    const records = names.get(name);
    const answers = (records ?? []).map((data) => ({
      type: 'TXT' as const,
      name,
      ttl: 0,
      data: [...data],
    }));
    // 2 is SERVFAIL, and 3 NXDOMAIN (RFC 1035, section 4.1.1).
    const code = isFailing ? 2 : records === undefined ? 3 : 0;
    const id = query.id === undefined ? {} : { id: query.id };
    return { ...id, type: 'response' as const, flags: code, questions, answers: isFailing ? [] : answers };
  };
  const udp = createSocket('udp4');
  // Not one that the system picks for UDP: over TCP another program may have the same number.
  const port = await findFreePort();
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  udp.on('message', (message, from) => {
    const response = answer(decode(message));
    const whole = encode(response);
    const sent =
      whole.length <= MAX_UDP_BYTES
        ? whole
        : encode({ ...response, flags: response.flags | TRUNCATED_RESPONSE, answers: [] });
    udp.send(sent, from.port, from.address);
  });
  const tcp = createServer((socket) => {
    socket.once('data', (data) => {
      const query = streamDecode(data);
      socket.end(query === null ? '' : streamEncode(answer(query)));
    });
  });
  tcp.listen(port, '127.0.0.1');
  await once(tcp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    asked,
    set: (name, records) => void names.set(name, records),
    fail(failing) {
      isFailing = failing;
    },
    async [Symbol.asyncDispose]() {
      udp.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}
