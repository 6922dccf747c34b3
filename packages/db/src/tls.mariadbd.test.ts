import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  blockOf,
  createTestFolder,
  type PrivateMariadb,
  startPrivateMariadb,
} from '@gatehouse/testkit/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnavailableError } from './database-errors.js';
import { explainUnavailable } from './explain-unavailable.js';
import { openDatabase } from './open-database.js';
import { findMysqlAccount } from './rights/mysql-rights.js';

let folder: Awaited<ReturnType<typeof createTestFolder>>;
let server: PrivateMariadb;

const openssl = (...words: string[]) => promisify(execFile)('openssl', words);

/** An authority, a certificate of it for this machine's name and address, and the certificate of another authority. */
async function makeCertificates(at: string): Promise<void> {
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  for (const name of ['ca', 'other'])
    await openssl(
      'req',
      '-x509',
      ...ec,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${at}/${name}.key`,
      '-out',
      `${at}/${name}.pem`,
    );
  await openssl(
    'req',
    ...ec.slice(0, 5),
    '-subj',
    '/CN=database',
    '-keyout',
    `${at}/server.key`,
    '-out',
    `${at}/server.csr`,
  );
  await writeFile(`${at}/names`, 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const signed = ['-days', '2', '-CAcreateserial', '-extfile', `${at}/names`];
  const authority = ['-CA', `${at}/ca.pem`, '-CAkey', `${at}/ca.key`];
  const files = ['-in', `${at}/server.csr`, '-out', `${at}/server.pem`];
  await openssl('x509', '-req', ...signed, ...authority, ...files);
}

beforeAll(async () => {
  folder = await createTestFolder();
  await makeCertificates(folder.path);
  const [own, other] = await Promise.all(
    ['ca', 'other'].map((name) => readFile(`${folder.path}/${name}.pem`, 'utf8')),
  );
  await writeFile(`${folder.path}/both.pem`, `${other}${own}`);
  await writeFile(`${folder.path}/windows.pem`, `\uFEFF${own?.replaceAll('\n', '\r\n')}`);
  await writeFile(`${folder.path}/my ca.pem`, String(own));
  server = await startPrivateMariadb({
    settings: [
      // The certificate names the first of these addresses, but not the second.
      '--bind-address=127.0.0.1,127.0.0.2',
      `--ssl-ca=${folder.path}/ca.pem`,
      `--ssl-cert=${folder.path}/server.pem`,
      `--ssl-key=${folder.path}/server.key`,
    ],
  });
  await server.createSchema('gatehouse');
  await server.ask("create user 'tls_only'@'%' identified by 's3cret' require ssl");
  await server.ask("grant all on gatehouse.* to 'tls_only'@'%'");
  await server.ask('set global require_secure_transport = on');
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const urlWith = (query: string, host = 'localhost', user = 'root') =>
  `mysql://${user}@${host}:${server.port}/gatehouse?${query}`.replace(/\?$/, '');
const ca = (name = 'ca') => `ssl-ca=${encodeURIComponent(`${folder.path}/${name}.pem`)}`;

/** The cipher of a statement's connection, or the sentence for the operator. */
async function cipherOrSentence(url: string): Promise<string> {
  const db = await openDatabase(url, { queryTimeoutMs: 3_000 });
  try {
    const [[, cipher] = []] = await db.readRows("show session status like 'Ssl_cipher'", []);
    return `cipher ${String(cipher)}`;
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    return explainUnavailable(error, url);
  } finally {
    await db.close();
  }
}

describe('a server that demands TLS', () => {
  it('is named together with a wrong password, because MariaDB answers both alike, with what to add to the URL', async () => {
    for (const sentence of [
      await cipherOrSentence(urlWith('')),
      await cipherOrSentence(urlWith('ssl-mode=DISABLED')),
    ]) {
      expect(sentence).toContain('add ?ssl-mode=REQUIRED to it if the server demands TLS');
    }
  });

  it.each([
    ['REQUIRED', 'ssl-mode=REQUIRED', 'localhost'],
    ['REQUIRED in small letters', 'ssl-mode=required', '127.0.0.1'],
    ['REQUIRED with the authority', () => `ssl-mode=REQUIRED&${ca()}`, '127.0.0.1'],
    ['VERIFY_CA by another name', () => `ssl-mode=VERIFY_CA&${ca()}`, '127.0.0.2'],
    ['a file that holds two authorities', () => `ssl-mode=VERIFY_IDENTITY&${ca('both')}`, 'localhost'],
    [
      'a file with the line ends of Windows and a byte-order mark',
      () => `ssl-mode=VERIFY_CA&${ca('windows')}`,
      'localhost',
    ],
    ['a file with a blank in its name', () => `ssl-mode=VERIFY_CA&${ca('my ca')}`, 'localhost'],
    ['VERIFY_CA', () => `ssl-mode=VERIFY_CA&${ca()}`, '127.0.0.1'],
    ['VERIFY_IDENTITY by name', () => `ssl-mode=VERIFY_IDENTITY&${ca()}`, 'localhost'],
    ['VERIFY_IDENTITY by address', () => `ssl-mode=VERIFY_IDENTITY&${ca()}`, '127.0.0.1'],
  ])('is reached with %s', async (_, query, host) => {
    const url = urlWith(typeof query === 'string' ? query : query(), host);
    expect(await cipherOrSentence(url)).toMatch(/^cipher \S*(?:AES|CHACHA20)/);
    expect(await findMysqlAccount(url)).toMatchObject({ database: 'gatehouse' });
  });

  it('is reached with the URL of the guide to operations', async () => {
    const url = blockOf('docs/operations.md', 'ssl-mode=VERIFY_IDENTITY')
      .trim()
      .replace('gatehouse:PASSWORD@db.example.com', `root@localhost:${server.port}`)
      .replace('/etc/gatehouse/database-ca.pem', `${folder.path}/ca.pem`);
    expect(await cipherOrSentence(url)).toMatch(/^cipher \S*(?:AES|CHACHA20)/);
  });

  it.each([
    ['another authority', () => `ssl-mode=VERIFY_CA&${ca('other')}`, 'localhost'],
    [
      'another authority, though only encryption is asked for',
      () => `ssl-mode=REQUIRED&${ca('other')}`,
      'localhost',
    ],
    ['no authority that this machine knows', () => 'ssl-mode=VERIFY_IDENTITY', 'localhost'],
    ['another name', () => `ssl-mode=VERIFY_IDENTITY&${ca()}`, '127.0.0.2'],
  ])('is refused, with an explanation, when its certificate is of %s', async (_, query, host) => {
    const sentence = await cipherOrSentence(urlWith(query(), host));
    expect(sentence).toContain('no certificate that is trusted');
    expect(sentence).toContain('DATABASE_URL');
  });

  it('accepts a user who must use TLS, and does not recommend TLS after a wrong password over TLS', async () => {
    expect(await cipherOrSentence(urlWith('ssl-mode=REQUIRED', 'localhost', 'tls_only:s3cret'))).toMatch(
      /^cipher \S/,
    );
    const sentence = await cipherOrSentence(urlWith('ssl-mode=REQUIRED', 'localhost', 'tls_only:wr0ng'));
    expect(sentence).toMatch(
      /denies access to user tls_only .*: correct user and password in DATABASE_URL\.$/,
    );
  });
});

describe('the URL of a database', () => {
  it.each([
    ['sslmode=require', 'sslmode is not known: write ssl-mode=REQUIRED'],
    ['tls=true', 'tls is not known'],
    ['useSSL=true', 'useSSL is not known'],
    ['ssl=true', 'ssl is not known'],
    ['ssl-mode=PREFERRED', 'ssl-mode is DISABLED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY'],
    ['ssl-mode=', 'ssl-mode is DISABLED'],
    ['ssl-mode=VERIFY_CA&ssl-ca=/no/such/file', 'ssl-ca names no file that can be read'],
    ['sslMode=REQUIRED', 'sslMode is not known'],
    ['SSL-MODE=REQUIRED', 'SSL-MODE is not known'],
    ['ssl_mode=REQUIRED', 'ssl_mode is not known'],
    ['ssl-mode=Verify-Identity', 'ssl-mode is DISABLED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY'],
    ['requireSSL=true', 'requireSSL is not known'],
    ['ssl-mode=REQUIRED&ssl-mode=DISABLED', 'ssl-mode is there twice'],
    ['ssl-mode=TRUE', 'ssl-mode is DISABLED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY'],
    ['ssl-mode=VERIFY_CA&ssl-ca=/tmp', 'ssl-ca names no file that can be read'],
    ['ssl-ca=/dev/null', 'ssl-ca, ssl-cert and ssl-key need ssl-mode'],
  ])(
    'is refused with %s, which would send the password in the clear or fail later',
    async (query, sentence) => {
      await expect(cipherOrSentence(urlWith(query))).rejects.toThrow(sentence);
    },
  );
});
