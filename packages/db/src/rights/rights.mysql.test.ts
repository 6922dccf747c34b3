import { createServingUser, createTestDatabase } from '@gatehouse/testkit';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../open-database.js';
import { insertAudit } from '../queries/audit-log.js';
import { findMysqlAccount, grantStatements, probeMysqlRights, tableRights } from './mysql-rights.js';

const DENIED = { errno: 1142 };

describe('the rights of the services in MySQL', () => {
  it('are listed for every table', async () => {
    await using own = await createTestDatabase('mysql');
    const connection = await createConnection(own.url);
    const [rows] = await connection.query<RowDataPacket[]>('show tables');
    await connection.end();
    const tables = rows.map((row) => String(Object.values(row)[0])).sort();
    expect(tableRights().map(({ table }) => table)).toEqual(tables);
  });

  it('let them read and write every table, and only add to the audit log', async () => {
    await using own = await createTestDatabase('mysql');
    await using user = await createServingUser(own.url);
    expect(await probeMysqlRights(user.url)).toEqual({
      mayChangeSchema: false,
      mayChangeAudit: false,
      missing: [],
    });
    const database = await openDatabase(user.url);
    await insertAudit(database, { atMs: 1, action: 'kept' });
    expect(await database.pendingMigrations()).toEqual([]);
    const { auditLog } = database.tables;
    await expect(database.write(database.update(auditLog).set({ action: 'changed' }))).rejects.toMatchObject(
      DENIED,
    );
    await expect(database.write(database.delete(auditLog))).rejects.toMatchObject(DENIED);
    await database.close();
    const connection = await createConnection(user.url);
    for (const statement of [
      'truncate table audit_log',
      'drop table audit_log',
      'alter table audit_log add column x int',
      'rename table audit_log to other_log',
      "replace into audit_log (id, action, at_ms) values (1, 'changed', 2)",
      "insert into audit_log (id, action, at_ms) values (1, 'x', 2) on duplicate key update action = 'changed'",
      'create table mine (id int)',
      'create trigger t before insert on audit_log for each row set new.action = 1',
      'create or replace view audit as select * from audit_log',
      "update gatehouse_migrations set sha256 = ''",
      "insert into gatehouse_migrations values ('x', 'x', 1)",
      'grant delete on audit_log to current_user()',
    ]) {
      await expect(connection.query(statement), statement).rejects.toMatchObject({
        // 1419: MySQL with a binary log refuses triggers of users without SUPER before it looks at the grants of the table.
        errno: expect.toSatisfy((errno: number) => [1142, 1044, 1143, 1227, 1410, 1419].includes(errno)),
      });
    }
    await connection.end();
    expect(await own.database.select().from(own.database.tables.auditLog)).toMatchObject([
      { action: 'kept', atMs: 1 },
    ]);
  });

  it('are reported as too wide or missing, whichever grant gives them', async () => {
    await using own = await createTestDatabase('mysql');
    await using user = await createServingUser(own.url);
    const { account, database } = await findMysqlAccount(user.url);
    expect(account).toBe(user.account);
    const server = await createConnection(own.url);
    const [name, host] = account.split('@');
    await server.query('revoke update on ??.members from ?@?', [database, name, host]);
    await server.query('revoke select on ??.gatehouse_migrations from ?@?', [database, name, host]);
    expect(await probeMysqlRights(user.url)).toMatchObject({
      mayChangeSchema: false,
      missing: ['SELECT on gatehouse_migrations', 'UPDATE on members'],
    });
    for (const statement of grantStatements(database, account)) await server.query(statement);
    await server.query('grant delete on ??.* to ?@?', [database, name, host]);
    expect(await probeMysqlRights(user.url)).toEqual({
      mayChangeSchema: false,
      mayChangeAudit: true,
      missing: [],
    });
    await server.query('grant all privileges on ??.* to ?@?', [database, name, host]);
    expect(await probeMysqlRights(user.url)).toEqual({
      mayChangeSchema: true,
      mayChangeAudit: true,
      missing: [],
    });
    await server.end();
  });

  it('are granted by statements in which no name of an account or a database is executed', () => {
    const [statement] = grantStatements('a`b', "o'x\\y@%");
    expect(statement).toMatch(/ON `a``b`\.`\w+` TO 'o''x\\\\y'@'%'$/);
  });
});
