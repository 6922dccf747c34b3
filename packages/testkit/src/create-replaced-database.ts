import { randomBytes } from 'node:crypto';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { TEST_PREFIX, urlOfSchema, withServer } from './test-server.js';

/** A database as the replaced system has it, for one test. */
export interface ReplacedTestDatabase extends AsyncDisposable {
  /** Its URL, for a user who may only read. */
  readonly url: string;
  /** The same for a user who may do everything. */
  readonly ownersUrl: string;
  /** Runs a statement of the replaced system. */
  run(sql: string, values?: readonly unknown[]): Promise<unknown>;
  /** Inserts rows, whose first decides the columns. */
  insert(table: string, rows: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
}

/** Tables with the fields that are known of the replaced system, and likely ones where only a field's purpose is known. */
const TABLES = [
  `create table members (id int unsigned auto_increment primary key, sid varchar(320), username varchar(400),
    password varchar(255), role_type int not null, role varchar(64), firstName varchar(400), lastName varchar(400),
    access_token varchar(64), auth_token varchar(255), isDeleted tinyint(1) not null default 0,
    createdAt datetime)`,
  `create table accounts (id int unsigned auto_increment primary key, name varchar(255) not null,
    isDeleted tinyint(1) not null default 0, createdAt datetime)`,
  `create table account_members (id int unsigned auto_increment primary key, memberId int unsigned not null,
    accountId int unsigned not null, roleType int not null, isDeleted tinyint(1) not null default 0,
    active tinyint(1) not null default 1, key (memberId), key (accountId))`,
  `create table personnel_accounts (id int unsigned auto_increment primary key, personnelId int unsigned not null,
    accountId int unsigned not null, isDeleted tinyint(1) not null default 0, active tinyint(1) not null default 1,
    key (personnelId))`,
  `create table social_connections (id int unsigned auto_increment primary key, memberId int unsigned not null,
    provider_Id int not null, accessToken text, refresh_token text, token_status varchar(16), FbAccounts json,
    IgAccounts json, LnAccounts json, TwtAccounts json, detail text)`,
  `create table partners (partnerId varchar(64) primary key, partnerName varchar(128) not null, secretKey varchar(255),
    appUrl varchar(500), pToken text, pTokenExpiry datetime)`,
  `create table subscriptions (id int unsigned auto_increment primary key, accountId int unsigned not null,
    status varchar(32), trialEnd datetime, provider varchar(16), customerId varchar(255), subscriptionId varchar(255))`,
  `create table subjects (id int unsigned auto_increment primary key, accountId int unsigned not null,
    name varchar(255), isDeleted tinyint(1) not null default 0)`,
  `create table conversations (id int unsigned auto_increment primary key, accountId int unsigned not null,
    subjectId int unsigned, title varchar(255), isDeleted tinyint(1) not null default 0, createdAt datetime)`,
  `create table conversation_members (id int unsigned auto_increment primary key,
    conversationId int unsigned not null, memberId int unsigned not null)`,
  `create table messages (id int unsigned auto_increment primary key, conversationId int unsigned not null,
    memberId int unsigned not null, message text, createdAt datetime)`,
  `create table affiliates (id int unsigned auto_increment primary key, memberId int unsigned not null,
    affiliateCode varchar(64), commission decimal(5,2))`,
  `create table webhook_log (id int unsigned auto_increment primary key, type varchar(64), body text, status varchar(16))`,
];

/**
 * Makes the tables of the replaced system, without rows, on the server of TEST_MYSQL_URL.
 * @throws Error without a server
 */
export async function createReplacedDatabase(): Promise<ReplacedTestDatabase> {
  const schema = `${TEST_PREFIX}old_${randomBytes(6).toString('hex')}`;
  const user = `reader_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await withServer(async (server) => {
    await server.query('create database ?? character set utf8mb4', [schema]);
    await server.query('create user ?@? identified by ?', [user, '%', password]);
    await server.query('grant select on ??.* to ?@?', [schema, user, '%']);
  });
  const connection = await createConnection({ uri: urlOfSchema(schema), timezone: 'Z' });
  for (const table of TABLES) await connection.query(table);
  const url = new URL(urlOfSchema(schema));
  url.username = user;
  url.password = password;
  return {
    url: url.href,
    ownersUrl: urlOfSchema(schema),
    async run(sql, values = []) {
      const [rows] = await connection.query<RowDataPacket[]>(sql, [...values]);
      return rows;
    },
    async insert(table, rows) {
      const [first] = rows;
      if (first === undefined) return;
      const columns = Object.keys(first);
      const values = rows.map((row) => columns.map((column) => row[column] ?? null));
      await connection.query('insert into ?? (??) values ?', [table, columns, values]);
    },
    async [Symbol.asyncDispose]() {
      await connection.end();
      await withServer(async (server) => {
        await server.query('drop database ??', [schema]);
        await server.query('drop user ?@?', [user, '%']);
      });
    },
  };
}
