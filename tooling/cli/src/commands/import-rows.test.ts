import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import {
  createDataCipher,
  hashPassword,
  readStoredPassword,
  verifyForeignHash,
  verifyPassword,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import { isProven } from '@gatehouse/db/queries/member-columns';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { searchPeople } from '@gatehouse/db/queries/search-people';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { memberCipher } from '@gatehouse/features/audit/member-cipher';
import { FOREIGN_PASSWORDS } from '@gatehouse/features/test/foreign-passwords';
import { runHashJob } from '@gatehouse/runtime/passwords/run-hash-job';
import { FOREIGN_VECTORS } from '@gatehouse/runtime/test/foreign-vectors';
import { createTestFolder, insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { importRows } from './import-rows.js';

interface Operator extends AsyncDisposable {
  readonly database: Database;
  /** Runs the command over these lines. */
  bring(...lines: (object | string)[]): Promise<{ code: number; said: string }>;
  /** The same, with --no-confirmed-is-proven. */
  bringClicked(...lines: (object | string)[]): Promise<{ code: number; said: string }>;
  /** The same, with --wrap-weak. */
  bringWeak(...lines: object[]): Promise<{ code: number; said: string }>;
  /** The same, with these lines in the file of --accept-lines. */
  bringAccepting(accepted: string, ...lines: (object | string)[]): Promise<{ code: number; said: string }>;
  /** The same, over a file of these bytes. */
  bringBytes(bytes: Buffer): Promise<{ code: number; said: string }>;
  /** The same, with --dry-run. */
  rehearse(...lines: (object | string)[]): Promise<{ code: number; said: string }>;
  /** The same in production, whose variables have no secrets. */
  rehearseWithoutKey(...lines: object[]): Promise<{ code: number; said: string }>;
}

async function sitDown(): Promise<Operator> {
  const folder = await createTestFolder();
  const url = `file:${folder.path}/cli.db`;
  const database = await openDatabase(url);
  await database.migrate();
  const run = (lines: readonly (object | string)[], ...options: string[]) => {
    return runOver(textOf(lines), options);
  };
  const runOver = async (
    content: string | Buffer,
    options: readonly string[] = [],
    { NODE_ENV = 'development' } = {},
  ) => {
    await writeFile(`${folder.path}/rows.ndjson`, content);
    const said: string[] = [];
    const code = await importRows.run({
      args: [...options, 'rows.ndjson'],
      // The operator's working folder, as pnpm reports it.
      env: { DATABASE_URL: url, INIT_CWD: folder.path, NODE_ENV },
      say: (line) => void said.push(line),
      draw: () => undefined,
    });
    return { code, said: said.join('\n') };
  };
  return {
    database,
    bring: (...lines) => run(lines),
    bringClicked: (...lines) => run(lines, '--no-confirmed-is-proven'),
    bringWeak: (...lines) => run(lines, '--wrap-weak'),
    async bringAccepting(accepted, ...lines) {
      await writeFile(`${folder.path}/accepted.txt`, accepted);
      return run(lines, '--accept-lines', 'accepted.txt');
    },
    bringBytes: (bytes) => runOver(bytes),
    rehearse: (...lines) => run(lines, '--dry-run'),
    rehearseWithoutKey: (...lines) => runOver(textOf(lines), ['--dry-run'], { NODE_ENV: 'production' }),
    async [Symbol.asyncDispose]() {
      await database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A line of JSON for each object, and lines as they are. */
function textOf(lines: readonly (object | string)[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

const member = (id: number, more: object = {}) => ({
  member: {
    id,
    sid: `m${id}@old.test`,
    username: `Member ${id}`,
    role_type: 5,
    ...('password' in more ? {} : { plainPassword: `Old-${id}` }),
    ...more,
  },
});

const numbersOf = (said: string) =>
  said.split('\n').flatMap((line) => Number(/^line (\d+)/.exec(line)?.[1] ?? Number.NaN) || []);

/** Those of the foreign passwords that have a form that is taken. */
const TAKEN: ReadonlySet<string> = new Set([
  'Django pbkdf2',
  'argon2id',
  'argon2i',
  'argon2d',
  'scrypt (PHC)',
  'phpass',
  'phpBB3',
  'sha256crypt',
  'Werkzeug pbkdf2',
  'Werkzeug scrypt',
  'Better Auth',
  'ASP.NET Identity v2',
]);

/** Of `Known-Before-1`, made by Python's bcrypt. */
const OF_WORDPRESS = '$wp$2y$11$abcdefghijklmnopqrstuuIpoWxMw1GUmz9Y8oHHZZ8UhrGG6K/zG';

/** Of `Lantern-Harbor-42`, made by Python's hashlib. */
const WEAK_DIGESTS = [
  ['MD5', 'ce72cef21dab05fb474063dd22f97b79'],
  ['SHA-1 in capitals', 'EDC98B5F1414C3D1D3007187E754B6FDA7B59A25'],
  ['SHA-256', '2b49c48c882015f33751801140434a66965f80e01868a13c60c5e7df5d043071'],
  ['MD5 of LDAP', '{MD5}znLO8h2rBftHQGPdIvl7eQ=='],
  ['SHA-1 of LDAP', '{SHA}7cmLXxQUw9HTAHGH51S2/ae1miU='],
  ['salted MD5 of LDAP', '{SMD5}pntOLrErivRwIhn+tPoZCU5hQ2xOYUNs'],
  ['salted SHA-1 of LDAP', '{SSHA}BWH8wQwZpIJusG6CF6iboi48xQtOYUNsTmFDbA=='],
  ['salted SHA-256 of LDAP', '{SSHA256}p/D77FUg2bGLnTCeoGv7Z2365JrNyhPcNTPxjjgfTRFOYUNsTmFDbA=='],
] as const;

describe('a dry run of an import', () => {
  const lines = [
    member(1),
    member(2, { username: 'MEMBER  1' }),
    member(3, { isPersonnel: true }),
    member(3),
    member(91, { sid: 'other@old.test' }),
    member(4, { email: 'm1@old.test' }),
    { account: { id: 1, name: 'One', ownerId: 1 } },
    { account: { id: 1, name: 'One', ownerId: 1 } },
    { account: { id: 2, name: 'Two', ownerId: 2 } },
    { account: { id: 3, name: 'Three', ownerId: 9 } },
    { account: { id: 5, name: 'Five', ownerId: 90 } },
    { membership: { memberId: 1, accountId: 1, roleType: 5 } },
    { membership: { memberId: 90, accountId: 1, roleType: 5 } },
    { membership: { memberId: 1, accountId: 8, roleType: 5 } },
    { membership: { memberId: 3, accountId: 5, roleType: 5 } },
    { personnelAccess: { personnelId: 3, accountId: 1 } },
    { personnelAccess: { personnelId: 90, accountId: 1 } },
    { subscription: { accountId: 5, state: 'active' } },
    { subscription: { accountId: 2, state: 'active' } },
    'no json',
  ];

  it('says line by line what the import will do, and writes nothing', async () => {
    await using operator = await sitDown();
    await operator.bring(member(90), member(91));
    const before = await everything(operator.database);
    const rehearsed = await operator.rehearse(...lines);
    expect(await everything(operator.database)).toEqual(before);
    const brought = await operator.bring(...lines);
    expect(rehearsed.code).toBe(1);
    const told = (said: string) =>
      said
        .split('\n')
        .filter((line) => line.startsWith('line ') && !/would be added$|stays as it is$/.test(line));
    expect(told(rehearsed.said)).toEqual(told(brought.said));
    expect(rehearsed.said).toContain('line 1: member 1 would be added');
    expect(rehearsed.said).toContain('line 2: member 1 has this username, or one that looks like it');
    expect(rehearsed.said).toContain('line 4: member 3 is there, and stays as it is');
    expect(rehearsed.said).toContain('line 12: member 1 in account 1 would be added');
    const counts = (said: string) => said.split('\n').at(-1)?.match(/\d+/g);
    expect(counts(rehearsed.said)).toEqual(counts(brought.said));
    expect(rehearsed.said).toContain('Nothing was written. ');
    expect((await operator.rehearse(member(1))).said).toContain(
      'line 1: member 1 is there, and stays as it is',
    );
  });
});

async function everything(db: Database): Promise<number[]> {
  const { members, accounts, memberships, personnelGrants, subscriptions, auditLog, accessChanges } =
    db.tables;
  const tables = [members, accounts, memberships, personnelGrants, subscriptions, auditLog, accessChanges];
  return Promise.all(tables.map(async (table) => (await db.select().from(table)).length));
}

describe('import', () => {
  it('asks for the key of secrets even in a dry run, if a line has one', async () => {
    await using operator = await sitDown();
    expect((await operator.rehearseWithoutKey(member(1))).code).toBe(0);
    for (const line of [
      { totp: { memberId: 1, secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' } },
      { partner: { name: 'Nordwind', appUrl: 'https://nordwind.example' } },
    ])
      await expect(operator.rehearseWithoutKey(member(1), line)).rejects.toThrow('DATA_ENCRYPTION_KEY');
  });

  it('writes no secrets under a different key than the one the services have used', async () => {
    await using operator = await sitDown();
    const totp = (memberId: number) => ({ totp: { memberId, secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' } });
    expect((await operator.bring(member(1), totp(1), member(2))).code).toBe(0);
    const cipher = createDataCipher({ key: randomBytes(32).toString('base64') });
    await memberCipher(operator.database, { cipher, now: Date.now }, 1);
    const refusal = 'DATA_ENCRYPTION_KEY is not the one of the services on this database';
    await expect(operator.rehearse(member(3), totp(2))).rejects.toThrow(refusal);
    await expect(operator.bring(member(3), totp(2))).rejects.toThrow(refusal);
    expect((await operator.bring(member(3))).code).toBe(0);
  });

  it('treats the owners of confirmed addresses as proven, unless a click confirmed them', async () => {
    await using operator = await sitDown();
    await operator.bring(member(1), member(2, { confirmed: 0 }), member(3, { email: null }));
    await operator.bringClicked(member(4));
    const { members } = operator.database.tables;
    const rows = await operator.database.select().from(members);
    expect(rows.map((row) => [row.id, isProven(row)])).toEqual([
      [1, true],
      [2, false],
      [3, false],
      [4, false],
    ]);
    expect(rows.at(-1)?.emailConfirmedAtMs).not.toBeNull();
  });

  it('adds people with their ids and passwords, accounts, and memberships', async () => {
    await using operator = await sitDown();
    const hash = await hashPassword('Known-Before-1', 4);
    const { code, said } = await operator.bring(
      member(70, { sid: 'Zoë@old.test', username: 'Zoë', role_type: 1, password: hash, firstName: 'Zoë' }),
      member(71, { isDeleted: 1 }),
      member(72, { role_type: 6, isPersonnel: 1 }),
      { account: { id: 40, name: 'Old Mill', ownerId: 70, createdAt: '2020-02-03T04:05:06Z' } },
      { membership: { memberId: 70, accountId: 40, roleType: 1 } },
      { membership: { memberId: 71, accountId: 40, roleType: 5, isDeleted: 1 } },
      { personnelAccess: { personnelId: 72, accountId: 40 } },
      { subscription: { accountId: 40, state: 'active', provider: 'stripe', providerCustomerId: 'cus_1' } },
    );
    expect(said).toContain(
      '8 added, 0 were there before, 0 lines with a problem, 0 left out because of them.',
    );
    expect(code).toBe(0);

    const zoe = await findCredential(operator.database, 'zoë@old.test');
    expect(zoe).toMatchObject({ id: 70, username: 'Zoë', roleType: 1, role: 'Owner', email: 'zoë@old.test' });
    expect(zoe?.password).toMatch(/^\$wrapped\$2b\$04\$/);
    expect(await verifyPassword('Known-Before-1', zoe?.password)).toBe(true);
    expect(await findAccessSnapshot(operator.database, 70, Date.now())).toMatchObject({
      memberships: [{ accountId: 40, roleType: 1 }],
    });
    expect(await findAccessSnapshot(operator.database, 72, Date.now())).toMatchObject({ grants: [40] });
    expect((await findAccessSnapshot(operator.database, 71, Date.now()))?.isDeleted).toBe(true);
    expect(await findSubscription(operator.database, 40)).toMatchObject({
      state: 'active',
      providerCustomerId: 'cus_1',
    });
    for (const scope of [{ all: true }, { all: false, accountIds: [40] }] as const) {
      const words = [{ nameKey: 'oe', emailKey: 'oe', id: undefined }];
      const page = { after: 0, limit: 9, deadlineMs: Number.POSITIVE_INFINITY };
      const { rows } = await searchPeople(operator.database, scope, { words }, page);
      expect(rows.map(({ id }) => id)).toEqual([70]);
    }
    const [line] = await listAudit(operator.database, { action: 'rows.imported' }, { limit: 1 });
    expect(line?.after).toEqual({
      member: 3,
      account: 1,
      membership: 2,
      personnelAccess: 1,
      subscription: 1,
    });
  });

  it('wraps hashes of low cost, keeps those of cost 10 to 12 and of WordPress, and refuses others', async () => {
    await using operator = await sitDown();
    const [low, own, strong] = await Promise.all(
      [9, 10, 12].map((cost) => hashPassword('Known-Before-1', cost)),
    );
    const { code, said } = await operator.bring(
      member(1, { password: low?.replace('$2b$', '$2y$') }),
      member(2, { password: own }),
      member(3, { password: strong }),
      member(4, { password: own?.replace('$10$', '$13$') }),
      member(5, { password: own?.replace('$2b$', '$2x$') }),
      member(6, { password: OF_WORDPRESS }),
    );
    expect(code).toBe(1);
    expect(said).toContain('4 added');
    for (const line of [4, 5])
      expect(said).toContain(`line ${line}: member.password: is no hash in a form that is taken`);
    expect(said).not.toContain(own?.slice(30));
    const stored = [];
    for (const id of [1, 2, 3, 6]) stored.push(await findCredential(operator.database, `m${id}@old.test`));
    expect(stored.map((each) => each?.passwordRounds)).toEqual([1536, null, 4096, 2048]);
    expect(stored.slice(1).map((each) => each?.password)).toEqual([own, strong, OF_WORDPRESS]);
    for (const each of stored) expect(await verifyPassword('Known-Before-1', each?.password)).toBe(true);
  });

  it('marks a hash of another system with its kind, keeps its parameters, and accepts it again from a copy', async () => {
    await using operator = await sitDown();
    const vectors = FOREIGN_VECTORS.filter(([, password]) => password === 'Lantern-Harbor-42');
    const lines = vectors.map(([, , password], at) => member(at + 1, { password }));
    expect(await operator.bring(...lines)).toMatchObject({ code: 0 });
    for (const [at, [kind, password, text]] of vectors.entries()) {
      const row = await findCredential(operator.database, `m${at + 1}@old.test`);
      expect(row).toMatchObject({ password: `$foreign$${kind}$${text}`, passwordRounds: null });
      expect(row?.passwordDelayMs).toBeGreaterThan(0);
      const read = readStoredPassword(row?.password ?? '');
      if (read.kind !== 'foreign') expect.unreachable();
      expect([text, await verifyForeignHash(password, read.foreign, runHashJob)]).toEqual([text, true]);
    }
    const marked = `$foreign$${vectors[0]?.[0]}$${vectors[0]?.[2]}`;
    expect(await operator.bring(member(301, { password: marked }))).toMatchObject({ code: 0 });
    expect((await findCredential(operator.database, 'm301@old.test'))?.password).toBe(marked);
  });

  it('refuses a hash of another system that costs more than the maximum, or as little as a bare digest', async () => {
    await using operator = await sitDown();
    const key = 'A'.repeat(43);
    const lines = [
      `$argon2id$v=19$m=65537,t=1,p=1$${key}$${key}`,
      `$scrypt$ln=18,r=8,p=1$${key}$${key}`,
      `pbkdf2_sha256$2000001$salt$${key}=`,
      `$argon2id$v=19$m=8,t=1,p=1$${key}$${key}`,
      `$scrypt$ln=1,r=8,p=1$${key}$${key}`,
      `pbkdf2_sha256$1$salt$${key}=`,
    ].map((password, at) => member(at + 1, { password }));
    const { code, said } = await operator.bring(...lines);
    expect([code, numbersOf(said)]).toEqual([1, [1, 2, 3, 4, 5, 6]]);
    expect(said).toContain('or its cost is out of bounds');
  });

  it('says that it accepts no bare digest', async () => {
    await using operator = await sitDown();
    const digests = ['ce72cef21dab05fb474063dd22f97b79', '{SSHA}BWH8wQwZpIJusG6CF6iboi48xQtOYUNsTmFDbA=='];
    const { code, said } = await operator.bring(
      ...digests.map((password, at) => member(at + 1, { password })),
    );
    expect(code).toBe(1);
    for (const line of [1, 2]) expect(said).toContain(`line ${line}: member.password: is a bare digest`);
  });

  it.each(WEAK_DIGESTS)('accepts %s only with --wrap-weak, inside bcrypt', async (_, digest) => {
    await using operator = await sitDown();
    const line = member(1, { password: digest });
    const refused = await operator.bring(line);
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('--wrap-weak takes it')]);
    expect(refused.said).not.toContain(digest);
    expect(await operator.bringWeak(line)).toMatchObject({ code: 0 });
    const stored = (await findCredential(operator.database, 'm1@old.test'))?.password ?? '';
    expect(stored).toMatch(/^\$digest\$(?:md5|sha1|sha256)\$[\w+/=]*\$2b\$10\$/);
    expect(await verifyPassword('Lantern-Harbor-42', stored)).toBe(true);
    const bytes = Buffer.from(digest.replace(/^\{.*\}/, ''), digest.startsWith('{') ? 'base64' : 'hex');
    for (const wrong of [
      digest,
      stored,
      bytes.toString('base64'),
      bytes.toString('hex'),
      '',
      'Lantern-Harbor-43',
    ])
      expect(await verifyPassword(wrong, stored)).toBe(false);
  });

  it('refuses a digest that is damaged, of another kind or salted another way, even with --wrap-weak', async () => {
    await using operator = await sitDown();
    const [, whole] = WEAK_DIGESTS[6];
    const lines = [
      WEAK_DIGESTS[0][1].slice(1),
      `${WEAK_DIGESTS[0][1].slice(1)}A`,
      'a'.repeat(56),
      'a'.repeat(128),
      whole.replace('{SSHA}', '{SHA}'),
      whole.replace('{SSHA}', '{SSHA512}'),
      whole.replace('{SSHA}', '{ssha}'),
      whole.slice(0, -1),
      `${whole}=`,
      WEAK_DIGESTS[4][1].replace('{SHA}', '{SSHA}'),
      `md5$${WEAK_DIGESTS[0][1]}`,
    ].map((password, at) => member(at + 1, { password }));
    const { code, said } = await operator.bringWeak(...lines);
    expect([code, numbersOf(said)]).toEqual([1, lines.map((__, at) => at + 1)]);
  });

  it('accepts a password in plain text only as plainPassword, and reports a text that is not a known hash', async () => {
    await using operator = await sitDown();
    const hash = await hashPassword('Known-Before-1');
    const lines = [
      ...FOREIGN_PASSWORDS.filter(([name]) => !TAKEN.has(name)).map(([, password], at) =>
        member(at + 1, { password }),
      ),
      member(201, { password: 'Known-Before-1' }),
      member(202, { password: '' }),
      member(203, { plainPassword: '' }),
      member(204, { plainPassword: hash }),
      member(205, { password: hash, plainPassword: 'Known-Before-1' }),
      member(206, { plainPassword: 'ﷺ'.repeat(8) }),
    ];
    const rehearsed = await operator.rehearse(...lines);
    expect(numbersOf(rehearsed.said)).toEqual(lines.map((_, at) => at + 1));
    const { code, said } = await operator.bring(
      ...lines,
      member(301, { plainPassword: 'Known-Before-1' }),
      member(302, { password: hash, plainPassword: null }),
      member(303, { plainPassword: 'Zoë-Before-1'.normalize('NFD') }),
    );
    expect([code, numbersOf(said)]).toEqual([1, lines.map((_, at) => at + 1)]);
    expect(said).toContain('3 added');
    const zoe = await findCredential(operator.database, 'm303@old.test');
    expect(await verifyPassword('Zoë-Before-1'.normalize('NFC'), zoe?.password)).toBe(true);
    for (const name of ['m301', 'm302']) {
      const row = await findCredential(operator.database, `${name}@old.test`);
      expect([name, await verifyPassword('Known-Before-1', row?.password)]).toEqual([name, true]);
      expect(row?.passwordIsPlain).toBe(false);
    }
  });

  it('lists each plain password that looks like a digest, and accepts those that the operator accepts', async () => {
    await using operator = await sitDown();
    const short = FOREIGN_PASSWORDS.filter(([, text]) => Buffer.byteLength(text) <= 72);
    const lines = short.map(([, plainPassword], at) => member(at + 1, { plainPassword }));
    const refused = await operator.bring(...lines);
    expect(numbersOf(refused.said)).toEqual(lines.map((_, at) => at + 1));
    expect(refused.said).toContain('looks like a hash');
    for (const [, text] of short) if (text.length > 20) expect(refused.said).not.toContain(text);
    const accepted = await operator.bringAccepting(
      '\uFEFF# looked at\r\n2\r\nline 3: member.plainPassword\n',
      ...lines,
    );
    expect(numbersOf(accepted.said)).toEqual(
      lines.map((_, at) => at + 1).filter((at) => at !== 2 && at !== 3),
    );
    for (const at of [2, 3]) {
      const row = await findCredential(operator.database, `m${at}@old.test`);
      expect(await verifyPassword(short[at - 1]?.[1] ?? '', row?.password)).toBe(true);
    }
    await expect(operator.bringAccepting('2\nmany\n', ...lines)).rejects.toThrow(
      'accepted.txt, line 2: does not begin with a number.',
    );
  });

  it('reads a file with byte-order marks, with any line ends, and with the line separators of Unicode in passwords', async () => {
    await using operator = await sitDown();
    const passwords = ['Old\u2028Mill-1', 'Old\u2029Mill-1', 'Old\u0085Mill-1', 'Müller-1', 'Miller-1'];
    const lines = passwords.map((plainPassword, at) => JSON.stringify(member(at + 1, { plainPassword })));
    const text = `\uFEFF${lines[0]}\r\n${lines[1]}\n\uFEFF${lines[2]}\r${lines[3]}\n\n${lines[4]}`;
    const { code, said } = await operator.bringBytes(Buffer.from(text));
    expect([code, said]).toEqual([0, expect.stringContaining('5 added')]);
    for (const [at, password] of passwords.entries()) {
      const row = await findCredential(operator.database, `m${at + 1}@old.test`);
      expect([password, await verifyPassword(password, row?.password)]).toEqual([password, true]);
    }
  });

  it('names each line that is not UTF-8, writes nothing from it, and imports the others', async () => {
    await using operator = await sitDown();
    const line = (id: number, more: object = {}) => textOf([member(id, more)]);
    const bytes = Buffer.concat([
      Buffer.from(line(1, { lastName: 'Müller' })),
      Buffer.from(line(2, { lastName: 'Müller' }), 'latin1'),
      Buffer.from(line(3, { plainPassword: 'Schlüssel-42' }), 'latin1'),
      Buffer.from(line(4)),
    ]);
    const { code, said } = await operator.bringBytes(bytes);
    expect([code, numbersOf(said)]).toEqual([1, [2, 3]]);
    expect(said).toContain('line 2: is not UTF-8, perhaps Latin-1: save the file as UTF-8');
    expect(said).not.toContain('ssel-42');
    const { members } = operator.database.tables;
    const rows = await operator.database.select().from(members);
    expect(rows.map(({ id }) => id)).toEqual([1, 4]);
  });

  it.each([
    ['with its mark', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['in the other order', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['without a mark', (text: string) => Buffer.from(text, 'utf16le')],
  ])('names UTF-16 and imports nothing: %s', async (_, encode) => {
    await using operator = await sitDown();
    await expect(operator.bringBytes(encode(textOf([member(1)])))).rejects.toThrow(
      'rows.ndjson is UTF-16, or no text: save it as UTF-8.',
    );
    expect(await findCredential(operator.database, 'm1@old.test')).toBeUndefined();
  });

  it('names a line of more than 1 MB, and imports those after it', async () => {
    await using operator = await sitDown();
    const person = (id: number) => ({
      member: { id, sid: `m${id}`, username: `Member ${id}`, role_type: 5 },
    });
    const long = { member: { ...person(2).member, lastName: 'x'.repeat(3_000_000) } };
    const { code, said } = await operator.bring(person(1), long, person(3));
    expect(code).toBe(1);
    expect(said).toContain('line 2: has more than 1 MB');
    const { members } = operator.database.tables;
    expect((await operator.database.select().from(members)).map(({ id }) => id)).toEqual([1, 3]);
  });

  it("refuses a username that is another person's address", async () => {
    await using operator = await sitDown();
    const lines = [
      member(1, { isPersonnel: 1, role_type: 0 }),
      member(2, { username: 'M1@old.test' }),
      member(3, { username: 'nobody＠else.test' }),
      member(4, { username: 'm4@old.test' }),
      member(5, { sid: 'google:5', username: 'm5@old.test' }),
    ];
    const brought = await operator.bring(...lines);
    expect(numbersOf(brought.said)).toEqual([2, 3, 5]);
    expect(brought.said).toContain(
      "line 2: member.username: holds an @, but is not the member's own address",
    );
    expect(brought.said).not.toContain('else.test');
    expect(numbersOf((await operator.rehearse(...lines.slice(1))).said)).toEqual(
      expect.arrayContaining([1, 2, 4]),
    );
  });

  it('keeps the password of staff whose confirmed address is proven, and no other password of staff', async () => {
    await using operator = await sitDown();
    const { database } = operator;
    const staff = { isPersonnel: 1, role_type: 6 };
    const given = [
      member(1, staff),
      member(2, { ...staff, confirmed: 0 }),
      member(3, { ...staff, email: null }),
    ];
    const without = member(4, { ...staff, password: null });
    expect((await operator.bring(...given, without)).code).toBe(0);
    expect((await operator.bringClicked(member(5, staff))).code).toBe(0);
    const { members } = database.tables;
    const rows = await database.select().from(members);
    const found = await Promise.all(
      rows.map(async (row) => ({
        id: row.id,
        opens: await verifyPassword(`Old-${row.id}`, row.password),
        hasPassword: row.hasPassword,
        isProven: isProven(row),
      })),
    );
    expect(found).toEqual([
      { id: 1, opens: true, hasPassword: true, isProven: true },
      { id: 2, opens: false, hasPassword: false, isProven: false },
      { id: 3, opens: false, hasPassword: false, isProven: false },
      { id: 4, opens: false, hasPassword: false, isProven: true },
      { id: 5, opens: false, hasPassword: false, isProven: false },
    ]);
  });

  it('signs out staff who get another account, mails nobody, and grants nothing to an unproven member', async () => {
    await using operator = await sitDown();
    const { database } = operator;
    await operator.bring(member(1), { account: { id: 40, name: 'Mill', ownerId: 1 } });
    const staff = { isPersonnel: true, roleType: 6 };
    const proven = await insertTestMember(database, staff);
    const unproven = await insertTestMember(database, { ...staff, isProven: false });
    const grants = [proven, unproven].map(({ id }) => ({
      personnelAccess: { personnelId: id, accountId: 40 },
    }));
    const { said } = await operator.bring(...grants);
    expect(numbersOf(said)).toEqual([2]);
    expect(said).toContain(`nobody has proven the address of member ${unproven.id}`);
    const nowMs = Date.now();
    expect(await findAccessSnapshot(database, proven.id, nowMs)).toMatchObject({
      grants: [40],
      sessionEpoch: 1,
    });
    expect(await findAccessSnapshot(database, unproven.id, nowMs)).toMatchObject({
      grants: [],
      sessionEpoch: 0,
    });
    expect(await database.select().from(database.tables.mailOutbox)).toEqual([]);
    await operator.bring(...grants);
    expect(await findAccessSnapshot(database, proven.id, nowMs)).toMatchObject({ sessionEpoch: 1 });
  });

  it('keeps existing rows when it runs again, and adds the rest', async () => {
    await using operator = await sitDown();
    const lines = [
      member(1),
      { account: { id: 1, name: 'One', ownerId: 1 } },
      { membership: { memberId: 1, accountId: 1, roleType: 1 } },
    ];
    await operator.bring(...lines);
    const before = await findCredential(operator.database, 'm1@old.test');
    const { code, said } = await operator.bring(
      member(1, { plainPassword: 'Another-1', firstName: 'Changed' }),
      ...lines.slice(1),
      member(2),
    );
    expect(code).toBe(0);
    expect(said).toContain('1 added, 3 were there before');
    const noted = await listAudit(operator.database, { action: 'rows.imported' }, { limit: 9 });
    expect(noted.map(({ after }) => after)).toEqual([
      { member: 1 },
      { member: 1, account: 1, membership: 1 },
    ]);
    expect(await findCredential(operator.database, 'm1@old.test')).toEqual(before);
  });

  it('notifies running nodes of the accounts whose subscription it adds', async () => {
    await using operator = await sitDown();
    const { accessChanges } = operator.database.tables;
    await operator.bring(member(70), { account: { id: 40, name: 'Mill', ownerId: 70 } });
    const before = await operator.database.select().from(accessChanges);
    await operator.bring({ subscription: { accountId: 40, state: 'active' } });
    const told = (await operator.database.select().from(accessChanges)).slice(before.length);
    expect(told).toMatchObject([{ accountId: 40 }]);
  });

  it('refuses ids that leave no room for those of the service', async () => {
    await using operator = await sitDown();
    const { code, said } = await operator.bring(member(2 ** 47 + 1), member(2 ** 47));
    expect([code, said]).toEqual([1, expect.stringMatching(/^line 1\b.*\bid\b/m)]);
    expect(await findCredential(operator.database, `m${2 ** 47}@old.test`)).toBeDefined();
  });

  it('names each line it cannot import, never its values, and imports the others', async () => {
    await using operator = await sitDown();
    const { code, said } = await operator.bring(
      member(1),
      member(2, { username: 'MEMBER  1' }),
      member(3, { sid: 'M1@OLD.test', email: null }),
      member(4, { plainPassword: `Secret${'x'.repeat(70)}` }),
      member(5, { role_type: 99 }),
      member(6, { nickname: 'six' }),
      'no json with Secret',
      { account: { id: 1, name: 'One', ownerId: 9 } },
      { account: { id: 2, name: 'Two', ownerId: 1 } },
      { membership: { memberId: 1, accountId: 1, roleType: 5 } },
      { membership: { memberId: 8, accountId: 2, roleType: 5 } },
      { personnelAccess: { personnelId: 1, accountId: 2 } },
      { subscription: { accountId: 1, state: 'active' } },
      '',
      member(7),
      member(7, { sid: 'other@old.test' }),
    );
    expect(code).toBe(1);
    expect(numbersOf(said)).toEqual([2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 8]);
    expect(said).toContain('line 2: member 1 has this username, or one that looks like it');
    expect(said).toContain('line 3: member 1 has this login identifier');
    expect(said).toContain('line 8: its owner, member 9, is not there');
    expect(said).toContain('line 8: 2 more left out, because they name account 1');
    expect(said).not.toContain('Secret');
    expect(said).toContain(
      '3 added, 0 were there before, 10 lines with a problem, 2 left out because of them.',
    );
  });

  it('accepts only addresses in their normal form, and lists those that collide in it', async () => {
    await using operator = await sitDown();
    const { code, said } = await operator.bring(
      member(1, { email: 'zoe@bücher.example' }),
      member(2, { email: 'Zoe@xn--bcher-kva.example' }),
      member(3, { email: 'joſe@acme.example' }),
      member(4, { sid: 'joſe@acme.example' }),
      member(5, { sid: 'jose＠acme.example', email: null }),
      member(6, { sid: 'ZOE@BÜCHER.EXAMPLE' }),
      member(7, { sid: 'Jose@Bücher.example' }),
    );
    expect([code, numbersOf(said)]).toEqual([1, [2, 3, 4, 5, 6]]);
    expect(said).toContain('line 2: member 1 has this e-mail address');
    expect(said).toContain('line 3: member.email: must be an email address in its normal form');
    expect(await findCredential(operator.database, 'jose@acme.example')).toBeUndefined();
    expect(await findCredential(operator.database, 'zoe@xn--bcher-kva.example')).toMatchObject({
      id: 1,
      email: 'zoe@xn--bcher-kva.example',
    });
    expect(await findCredential(operator.database, 'jose@xn--bcher-kva.example')).toMatchObject({
      id: 7,
      sid: 'jose@xn--bcher-kva.example',
      email: 'jose@xn--bcher-kva.example',
    });
  });

  it('reports problems in the order of the lines, however many transactions they take', async () => {
    await using operator = await sitDown();
    const people = Array.from({ length: 250 }, (_, at) =>
      member(
        at + 1,
        at % 40 === 7
          ? { role_type: 99 }
          : { password: null, ...(at % 40 === 9 ? { username: 'Member 1' } : {}) },
      ),
    );
    const { said } = await operator.bring(...people);
    const numbers = numbersOf(said);
    expect(numbers).toHaveLength(14);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  });

  it('writes nothing that refers to a refused line, and reports that there, even in later transactions', async () => {
    await using operator = await sitDown();
    await operator.bring(member(70, { sid: 'somebody.else@old.test', username: 'Somebody else' }));
    const crowd = Array.from({ length: 150 }, (_, at) => member(at + 100, { password: null }));
    const { code, said } = await operator.bring(
      member(70),
      member(71, { role_type: 99 }),
      { account: { id: 40, name: 'Old Mill', ownerId: 70 } },
      ...crowd,
      { account: { id: 41, name: 'New Mill', ownerId: 100 } },
      { membership: { memberId: 70, accountId: 41, roleType: 1 } },
      { membership: { memberId: 100, accountId: 40, roleType: 1 } },
      { membership: { memberId: 71, accountId: 41, roleType: 1 } },
      { subscription: { accountId: 40, state: 'active' } },
    );
    expect(code).toBe(1);
    expect(said.split('\n').filter((line) => line.startsWith('line '))).toEqual([
      'line 1: member 70 is there already, with another login identifier',
      'line 2: member: 99 is the number of no role',
      'line 1: 4 more left out, because they name member 70',
      'line 2: 1 more left out, because they name member 71',
    ]);
    expect(said).toContain(
      '151 added, 0 were there before, 2 lines with a problem, 5 left out because of them.',
    );
    expect(await findAccessSnapshot(operator.database, 70, Date.now())).toMatchObject({ memberships: [] });
  });

  it('says how fast it is, and that it is complete', async () => {
    await using operator = await sitDown();
    const people = Array.from({ length: 100 }, (_, at) => member(at + 1, { password: null }));
    const { said } = await operator.bring(...people);
    expect(said.split('\n')).toEqual([
      expect.stringMatching(/^lines █+ 100 % {2}100 of 100 {2}[\d,]+\/s {2}took \d+:\d\d$/),
      expect.stringMatching(/^100 added/),
    ]);
  });

  it('explains its usage', async () => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    expect(await importRows.run({ args: [], env: {}, say, draw: say })).toBe(2);
    expect(said.join()).toContain('usage: gatehouse import');
  });
});
