import { describe, expect, it } from 'vitest';
import { databaseUrls } from './with-database.js';

const OLD = 'mysql://gatehouse_migrations:a@127.0.0.1/gatehouse';
const RESTORED = 'mysql://gatehouse:b@127.0.0.1/gatehouse_restored';
const urlsOf = (serving: string, migrating?: string) =>
  databaseUrls({
    env: { DATABASE_URL: serving, ...(migrating === undefined ? {} : { MIGRATION_DATABASE_URL: migrating }) },
  });

describe('the two URLs of the database', () => {
  it('may differ in user, server and spelling when they name the same database', () => {
    for (const [serving, migrating] of [
      ['mysql://gatehouse:b@127.0.0.1/gatehouse', OLD],
      ['mysql://gatehouse:b@proxy.internal:6033/gatehouse', OLD],
      ['mysql://gatehouse:b@127.0.0.1/gate%68ouse', OLD],
    ] as const)
      expect(urlsOf(serving, migrating)).toEqual({ serving, migrating, areTwo: true });
    expect(urlsOf(RESTORED)).toEqual({ serving: RESTORED, migrating: RESTORED, areTwo: false });
    expect(urlsOf(OLD, OLD).areTwo).toBe(false);
    expect(urlsOf('file:gatehouse.db').migrating).toBe('file:gatehouse.db');
  });

  it('are refused when only one of them was changed, whichever it is', () => {
    expect(() => urlsOf(RESTORED, OLD)).toThrow(
      'MIGRATION_DATABASE_URL names the database gatehouse, and DATABASE_URL the database gatehouse_restored: correct the one that is wrong.',
    );
    expect(() => urlsOf(OLD, RESTORED)).toThrow(
      'MIGRATION_DATABASE_URL names the database gatehouse_restored, and DATABASE_URL the database gatehouse:',
    );
    expect(() => urlsOf('mysql://gatehouse:b@127.0.0.1/Gatehouse', OLD)).toThrow('correct the one');
  });

  it('are refused when the services use the embedded database, even by default', () => {
    expect(() => urlsOf('file:gatehouse.db', OLD)).toThrow('and DATABASE_URL the embedded one: correct');
    expect(() => databaseUrls({ env: { MIGRATION_DATABASE_URL: OLD } })).toThrow('the embedded one');
  });
});
