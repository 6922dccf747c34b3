import { describe, expect, it } from 'vitest';
import type { UnavailableReason } from './database-errors.js';
import { describeMysqlError } from './dialect/mysql/describe-mysql-error.js';
import { explainUnavailable } from './explain-unavailable.js';

const SERVER = 'mysql://ada:s3cret%23@db.acme.test/gatehouse';
const FILE = 'file:/data/g.db';
const REASONS: readonly UnavailableReason[] = [
  'refused',
  'lost',
  'timeout',
  'overloaded',
  'denied',
  'full',
  'busy',
  'unmigrated',
  'closed',
];

describe('the sentence about a database that is unavailable', () => {
  it.each(REASONS)('names the place and what to do, and no password: %s', (reason) => {
    for (const [url, place] of [
      [SERVER, 'db.acme.test:3306'],
      [FILE, '/data/g.db'],
    ] as const) {
      const sentence = explainUnavailable({ reason, code: 'CODE' }, url);
      expect(sentence).toContain(place);
      expect(sentence).toContain('(CODE): ');
      expect(sentence).not.toMatch(/s3cret|undefined|\n/);
    }
  });

  it('distinguishes a wrong password, a missing database and a missing right to it', () => {
    const told = (code: string) =>
      explainUnavailable({ reason: 'denied', code }, SERVER, 'MIGRATION_DATABASE_URL');
    expect(told('ER_ACCESS_DENIED_ERROR')).toContain('correct user and password in MIGRATION_DATABASE_URL');
    expect(told('ER_BAD_DB_ERROR')).toContain('gatehouse is not there at db.acme.test:3306');
    expect(told('ER_DBACCESS_DENIED_ERROR')).toContain('is closed to user ada');
  });

  it('distinguishes a server that demands TLS, one that offers none and an untrusted certificate', () => {
    const told = (code: string) => explainUnavailable({ reason: 'denied', code }, SERVER);
    expect(told('ER_SECURE_TRANSPORT_REQUIRED')).toContain('at db.acme.test:3306 demands TLS');
    expect(told('HANDSHAKE_NO_SSL_SUPPORT')).toContain('offers no TLS');
    expect(told('HANDSHAKE_SSL_ERROR')).toContain('ssl-ca in DATABASE_URL');
  });
});

describe('the explanation of an error of a MySQL server', () => {
  it.each([
    [1021, 'Disk full (/tmp/#sql); waiting for someone to free some space'],
    [1114, "The table 'members' is full"],
    [1026, 'Error writing file \'./binlog\' (errno: 28 "No space left on device")'],
    [1030, 'Got error 28 "No space left on device" from storage engine InnoDB'],
  ])('reports a full disk: %i', (errno, message) => {
    const error = Object.assign(new Error(message), { errno });
    expect(describeMysqlError(error)).toMatchObject({ reason: 'full' });
  });

  it.each([
    ['self-signed certificate in certificate chain', 'denied'],
    ["Hostname/IP does not match certificate's altnames", 'denied'],
    ['read ECONNRESET', 'lost'],
    ['Client network socket disconnected before secure TLS connection was established', 'lost'],
  ])(
    'distinguishes a refused certificate from a network failure during the handshake: %s',
    (message, reason) => {
      const error = Object.assign(new Error(message), { code: 'HANDSHAKE_SSL_ERROR' });
      expect(describeMysqlError(error)).toMatchObject({ reason });
    },
  );

  it('does not report a full disk after another failure of a file', () => {
    const error = Object.assign(new Error('Got error 128 from storage engine'), { errno: 1030 });
    expect(describeMysqlError(error)).toBe(error);
  });
});
