import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A TCP link to a MySQL server that can drop packets without a FIN, a reset or an answer. */
export interface LossyLink extends AsyncDisposable {
  readonly port: number;
  /**
   * From now on a connection becomes silent permanently, in both directions, at the first matching statement.
   * With `before` the server never gets it; with `after` it runs and its answer is lost.
   */
  loseAt(statement: RegExp, moment: 'before' | 'after'): void;
  /** All open connections become silent. */
  silence(): void;
  /** Whether new connections are accepted and then stay silent. */
  silenceNew(isSilent: boolean): void;
  /** Stops losing statements. Silent connections stay silent. */
  forward(): void;
  readonly statistics: LinkStatistics;
}

interface LinkStatistics {
  /** The number of connections that have become silent. */
  readonly silenced: number;
  /** Sockets of the client that it has not closed. */
  readonly clientSockets: number;
  /** Sockets of the server that it has not closed. */
  readonly serverSockets: number;
}

interface Passage {
  readonly client: Socket;
  readonly server: Socket;
  isSilent: boolean;
}

/** Opens a link on a loopback port. It loses nothing at first. The connections must not use TLS. */
export async function startLossyLink(target: { host: string; port: number }): Promise<LossyLink> {
  const passages = new Set<Passage>();
  const open = { client: new Set<Socket>(), server: new Set<Socket>() };
  let rule: { statement: RegExp; moment: 'before' | 'after' } | undefined;
  let isNewSilent = false;
  let silenced = 0;

  const silence = (passage: Passage): void => {
    if (passage.isSilent) return;
    passage.isSilent = true;
    silenced += 1;
  };
  const track = (socket: Socket, side: Set<Socket>): void => {
    side.add(socket);
    socket.once('close', () => side.delete(socket));
    socket.on('error', () => undefined);
  };

  const listener = createServer((client) => {
    const server = connect(target);
    const passage: Passage = { client, server, isSilent: false };
    passages.add(passage);
    track(client, open.client);
    track(server, open.server);
    if (isNewSilent) silence(passage);
    const packets = createPacketReader();
    client.on('data', (chunk: Buffer) => {
      for (const packet of packets(chunk)) {
        if (passage.isSilent) return;
        const statement = statementIn(packet);
        const isLost = statement !== undefined && rule?.statement.test(statement) === true;
        if (isLost && rule?.moment === 'before') silence(passage);
        else server.write(packet);
        if (isLost) silence(passage);
      }
    });
    server.on('data', (chunk: Buffer) => {
      if (!passage.isSilent) client.write(chunk);
    });
    // A lost connection also loses its FIN.
    client.on('close', () => passage.isSilent || server.destroy());
    server.on('close', () => passage.isSilent || client.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port');
  return {
    port: address.port,
    loseAt(statement, moment) {
      rule = { statement, moment };
    },
    silence() {
      for (const passage of passages) if (!passage.client.destroyed) silence(passage);
    },
    silenceNew(isSilent) {
      isNewSilent = isSilent;
    },
    forward() {
      rule = undefined;
    },
    get statistics() {
      return { silenced, clientSockets: open.client.size, serverSockets: open.server.size };
    },
    async [Symbol.asyncDispose]() {
      for (const { client, server } of passages) {
        client.destroy();
        server.destroy();
      }
      listener.close();
      await once(listener, 'close');
    },
  };
}

const HEADER_BYTES = 4;

const QUERY_COMMAND = 3;

/** Of a query without attributes: MySQL lets the client send some before the text, MariaDB does not. */
const NO_ATTRIBUTES = Buffer.of(0, 1);

/** Splits a stream into MySQL protocol packets, headers included. */
function createPacketReader(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const packets: Buffer[] = [];
    for (;;) {
      const length = rest.length < HEADER_BYTES ? undefined : HEADER_BYTES + rest.readUIntLE(0, 3);
      if (length === undefined || rest.length < length) return packets;
      packets.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** The text of a packet that begins a query command. */
function statementIn(packet: Buffer): string | undefined {
  const isQuery = packet[HEADER_BYTES - 1] === 0 && packet[HEADER_BYTES] === QUERY_COMMAND;
  if (!isQuery) return undefined;
  const rest = packet.subarray(HEADER_BYTES + 1);
  const isPrefixed = rest.subarray(0, NO_ATTRIBUTES.length).equals(NO_ATTRIBUTES);
  return rest.subarray(isPrefixed ? NO_ATTRIBUTES.length : 0).toString();
}

/** A TCP link to a loopback port that delays data. */
export interface SlowLink extends AsyncDisposable {
  readonly port: number;
  /** From now on all data is delayed by this time, in either direction. */
  setDelay(delayMs: number): void;
}

/** Opens a link to a port, without delay at first. */
export async function startSlowLink(target: number): Promise<SlowLink> {
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    let before: Promise<unknown> = Promise.resolve();
    const later = (act: () => void): void => {
      const dueAt = performance.now() + delayMs;
      before = before.then(() => waitUntil(dueAt)).then(act);
    };
    from.on('data', (chunk: Buffer) => later(() => void (to.destroyed || to.write(chunk))));
    from.on('end', () => later(() => void to.end()));
    from.on('error', () => void to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      later(() => void to.destroy());
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    forward(client, upstream);
    forward(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port');
  return {
    port: address.port,
    setDelay: (value) => {
      delayMs = value;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function waitUntil(dueAt: number): Promise<void> {
  const leftMs = dueAt - performance.now();
  if (leftMs > 0) await pause(leftMs);
}
