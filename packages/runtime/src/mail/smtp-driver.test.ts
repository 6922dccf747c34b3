import { createServer, type Socket } from 'node:net';
import { VERSION } from '@gatehouse/auth-core';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, it } from 'vitest';
import { createSmtpDriver } from './smtp-driver.js';

const mail = {
  idempotencyKey: 'a1b2c3',
  kind: 'activation',
  to: 'ada@lovelace.test',
  subject: 'Confirm your email address',
  text: `Confirm: http://127.0.0.1:4000/confirm?token=${'x'.repeat(600)}\n`,
  html: '<p>Confirm</p>',
};

const refusal = (code: number) => Object.assign(new Error('no'), { responseCode: code });

async function startSmtp(options: SMTPServerOptions = {}, login = '', from?: string) {
  const messages: { envelope: string[]; content: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        const envelope = session.envelope.rcptTo.map(({ address }) => address);
        messages.push({ envelope, content: Buffer.concat(chunks).toString() });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    messages,
    // On a busy machine it may take long to answer.
    driver: driverAt(address.port, { login, from, timeoutMs: 10_000 }),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function driverAt(
  port: number,
  {
    login = '',
    from = 'Gatehouse <no-reply@gatehouse.test>',
    timeoutMs = 500,
  }: { login?: string; from?: string | undefined; timeoutMs?: number } = {},
) {
  return createSmtpDriver({ url: `smtp://${login}127.0.0.1:${port}`, from, timeoutMs });
}

describe('delivery by SMTP', () => {
  it('sends one mail in two forms, under the same Message-ID at every attempt', async () => {
    await using smtp = await startSmtp();
    expect(await smtp.driver.deliver(mail)).toEqual({ outcome: 'sent' });
    expect(await smtp.driver.deliver(mail)).toEqual({ outcome: 'sent' });
    expect(smtp.messages).toHaveLength(2);
    for (const { envelope, content } of smtp.messages) {
      expect(envelope).toEqual(['ada@lovelace.test']);
      expect(content).toMatch(/^From: Gatehouse <no-reply@gatehouse\.test>\r$/m);
      expect(content).toMatch(/^To: ada@lovelace\.test\r$/m);
      expect(content).toMatch(/^Subject: Confirm your email address\r$/m);
      expect(content).toMatch(/^Message-ID: <a1b2c3@gatehouse\.test>\r$/m);
      expect(content).toMatch(/^Auto-Submitted: auto-generated\r$/m);
      expect(content.match(/^X-Mailer: .*$/gm)).toEqual([`X-Mailer: Gatehouse ${VERSION}`]);
      expect(content).toMatch(/multipart\/alternative/);
      expect(Math.max(...content.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    }
  });

  it.each([
    ['an address alone', 'no-reply@mail.example', 'mail.example'],
    ['a name with an address in it', '"sales@other.example" <no-reply@mail.example>', 'mail.example'],
    ['a quoted name with a comma', '"Acme, Inc." <no-reply@mail.example>', 'mail.example'],
    ['a name with angle brackets', '"Acme <best>" <no-reply@mail.example>', 'mail.example'],
    ['a comment behind the address', 'no-reply@mail.example (Acme)', 'mail.example'],
    ['a comment behind the brackets', 'Acme <no-reply@mail.example> (robots)', 'mail.example'],
    ['a domain in Unicode', 'Bücher <no-reply@bücher.example>', 'xn--bcher-kva.example'],
    ['a domain in capitals', 'NO-REPLY@MAIL.EXAMPLE', 'mail.example'],
    ['blanks around the address', 'Acme < no-reply@mail.example >', 'mail.example'],
  ])('has its Message-ID in the domain of the sender, who is written as %s', async (_what, from, domain) => {
    await using smtp = await startSmtp({}, '', from);
    expect(await smtp.driver.deliver(mail)).toEqual({ outcome: 'sent' });
    const [, id] = /^Message-ID: <(.+)>\r$/im.exec(smtp.messages[0]?.content ?? '') ?? [];
    expect(id).toBe(`a1b2c3@${domain}`);
  });

  it('reaches an address outside ASCII if the server accepts it (RFC 6531), and is given up otherwise', async () => {
    const to = 'zoë@xn--bcher-kva.test';
    await using smtp = await startSmtp();
    expect(await smtp.driver.deliver({ ...mail, to })).toEqual({ outcome: 'sent' });
    expect(smtp.messages.map(({ envelope }) => envelope)).toEqual([['zoë@bücher.test']]);
    await using plain = await startSmtp({
      hideSMTPUTF8: true,
      onRcptTo: (_to, _session, done) => done(refusal(553)),
    });
    expect(await plain.driver.deliver({ ...mail, to })).toEqual({
      outcome: 'refused',
      reason: 'smtp EENVELOPE 553 RCPT TO',
    });
  });

  it('does not let an address become a header or a second recipient', async () => {
    await using smtp = await startSmtp();
    await smtp.driver.deliver({ ...mail, to: 'ada@lovelace.test\r\nBcc: all@world.test' });
    await smtp.driver.deliver({ ...mail, to: 'ada@lovelace.test, all@world.test' });
    await smtp.driver.deliver({ ...mail, subject: 'x\r\nBcc: all@world.test' });
    for (const { envelope, content } of smtp.messages) {
      expect(envelope).toHaveLength(1);
      expect(content).not.toMatch(/^Bcc:/im);
    }
  });

  it.each<[string, SMTPServerOptions, string]>([
    ['greylists', { onRcptTo: (_to, _session, done) => done(refusal(451)) }, ''],
    ['is full', { onRcptTo: (_to, _session, done) => done(refusal(452)) }, ''],
    ['shuts the door', { onConnect: (_session, done) => done(refusal(554)) }, ''],
    ['does not let us send', { onMailFrom: (_from, _session, done) => done(refusal(550)) }, ''],
    ['does not know our password', { onAuth: (_auth, _session, done) => done(refusal(535)) }, 'user:wrong@'],
  ])('is retried when the server %s', async (_what, options, login) => {
    await using smtp = await startSmtp(options, login);
    expect(await smtp.driver.deliver(mail)).toMatchObject({ outcome: 'retry' });
    expect(smtp.messages).toEqual([]);
  });

  it('is given up when the server refuses the address or the mail for good', async () => {
    await using stranger = await startSmtp({ onRcptTo: (_to, _session, done) => done(refusal(550)) });
    expect(await stranger.driver.deliver(mail)).toMatchObject({ outcome: 'refused' });
    await using picky = await startSmtp({
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () => done(refusal(554)));
      },
    });
    expect(await picky.driver.deliver(mail)).toMatchObject({ outcome: 'refused' });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['hangs up', (socket) => void socket.destroy()],
    ['resets', (socket) => void socket.resetAndDestroy()],
    ['greets and stalls', (socket) => void socket.write('220 hello\r\n')],
    ['speaks another protocol', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('is retried, in time, when the server %s', async (_what, behave) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      behave(socket);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const startedAt = performance.now();
    expect(await driverAt(address.port).deliver(mail)).toMatchObject({ outcome: 'retry' });
    expect(performance.now() - startedAt).toBeLessThan(1500);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
