import type { Database } from '@gatehouse/db/database';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { isProven } from '@gatehouse/db/queries/member-columns';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { createTestDatabase, insertTestMember, type TestDialect } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { canonicalAddresses } from './canonical-addresses.js';
import { doctor } from './doctor.js';

const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

async function run(command: typeof doctor, url: string, ...args: string[]) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const env = { DATABASE_URL: url, NODE_ENV: 'development', DATA_ENCRYPTION_KEY: 'k'.repeat(32) };
  const code = await command.run({ args, env, say, draw: () => undefined });
  return { code, lines };
}

/** Adds a member whose addresses are stored as a copy wrote them. */
async function addStored(
  db: Database,
  address: string,
  { key = address, sid = address }: { key?: string; sid?: string } = {},
): Promise<number> {
  const { id } = await insertTestMember(db, { isConfirmed: true, isProven: true, withSession: false });
  const sidKey = sid === address ? key : sid;
  const sql = 'update members set sid = ?, sid_key = ?, email = ?, email_key = ? where id = ?';
  await db.write({ toSQL: () => ({ sql, params: [sid, sidKey, address, key, id] }) });
  return id;
}

const storedOf = async (db: Database, id: number) => {
  const rows = await db.select().from(db.tables.members);
  const row = rows.find((each) => each.id === id);
  return [row?.sid, row?.sidKey, row?.email, row?.emailKey, row !== undefined && isProven(row)];
};

describe.each(DIALECTS)('canonical-addresses on %s', (dialect) => {
  it('lists what can be written, writes it with --apply, once, and keeps proven addresses proven', async () => {
    await using own = await createTestDatabase(dialect);
    const { database, url } = own;
    await database.migrate();
    const upper = await addStored(database, 'Owner@Acme.Test', { key: 'owner@acme.test' });
    const unicode = await addStored(database, 'zoe@bücher.example');
    const named = await addStored(database, 'Kim@Acme.test', { key: 'kim@acme.test', sid: 'google:1234' });
    const fine = await addStored(database, 'fine@xn--bcher-kva.example');
    const many = [];
    for (let index = 0; index < 120; index += 1)
      many.push(await addStored(database, `M${index}@Many.Test`, { key: `m${index}@many.test` }));
    expect(await findCredential(database, 'zoe@xn--bcher-kva.example')).toBeUndefined();

    const dry = await run(canonicalAddresses, url);
    expect(dry.code).toBe(1);
    expect(dry.lines).toContain(`member ${upper}: can be written in canonical form`);
    expect(dry.lines.join('\n')).not.toContain(`member ${fine}:`);
    expect(dry.lines.at(-1)).toBe('Nothing was written. 123 can be written with --apply, 0 are for staff.');
    expect(await storedOf(database, upper)).toContain('Owner@Acme.Test');
    expect((await run(doctor, url)).lines).toContain(
      'FIX  addresses: 123 not in canonical form; run gatehouse canonical-addresses',
    );

    const applied = await run(canonicalAddresses, url, '--apply');
    expect([applied.code, applied.lines.at(-1)]).toEqual([0, '123 written, 0 left for staff.']);
    const owner = 'owner@acme.test';
    expect(await storedOf(database, upper)).toEqual([owner, owner, owner, owner, true]);
    const zoe = 'zoe@xn--bcher-kva.example';
    expect(await storedOf(database, unicode)).toEqual([zoe, zoe, zoe, zoe, true]);
    expect((await findCredential(database, zoe))?.id).toBe(unicode);
    const kim = 'kim@acme.test';
    expect(await storedOf(database, named)).toEqual(['google:1234', 'google:1234', kim, kim, true]);
    const audit = await listAudit(database, { action: 'addresses.respelled' }, { limit: 9 });
    expect(audit.map(({ after }) => after)).toEqual([{ count: 23 }, { count: 100 }]);

    const again = await run(canonicalAddresses, url, '--apply');
    expect([again.code, again.lines.at(-1)]).toEqual([0, '0 written, 0 left for staff.']);
    expect(await listAudit(database, { action: 'addresses.respelled' }, { limit: 9 })).toHaveLength(2);
    expect((await run(doctor, url)).lines).toContain('ok   addresses: all that can be are in canonical form');
  });

  it('leaves members who would share an address, and those whose canonical form is another mailbox', async () => {
    await using own = await createTestDatabase(dialect);
    const { database, url } = own;
    await database.migrate();
    const left = [
      // Two members whose canonical addresses are the same, and one whose canonical address belongs to somebody else.
      await addStored(database, 'zoe@bücher.example'),
      await addStored(database, 'zoe@bu\u0308cher.example'),
      await addStored(database, 'ann@BÜCHER.example', { key: 'ann@bücher.example' }),
      // A login name that is another member's address.
      await addStored(database, 'bea@BÜCHER.example', { key: 'bea@bücher.example' }),
      // Other mailboxes: one is that of jose@, the other is not an address.
      await addStored(database, 'joſe@acme.test', { key: 'jose@acme.test' }),
      await addStored(database, '"Two words"@acme.test', { key: '"two words"@acme.test' }),
    ];
    const ann = await addStored(database, 'ann@xn--bcher-kva.example');
    const bea = await addStored(database, 'other@acme.test', { sid: 'bea@xn--bcher-kva.example' });
    const written = await addStored(database, 'Well@Acme.Test', { key: 'well@acme.test' });
    const before = await Promise.all([...left, ann, bea].map((id) => storedOf(database, id)));
    const [zoe, otherZoe, nextAnn, nextBea, jose, quoted] = left;

    const { code, lines } = await run(canonicalAddresses, url, '--apply');
    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith('member ')).toSorted()).toEqual(
      [
        `member ${zoe}: would have the address of member ${otherZoe}; staff can change one of them`,
        `member ${otherZoe}: would have the address of member ${zoe}; staff can change one of them`,
        `member ${nextAnn}: would have the address of member ${ann}; staff can change one of them`,
        `member ${nextBea}: would have the address of member ${bea}; staff can change one of them`,
        `member ${jose}: has no canonical address, or one of another mailbox; staff can change it`,
        `member ${quoted}: has no canonical address, or one of another mailbox; staff can change it`,
      ].toSorted(),
    );
    expect(lines.at(-1)).toBe('1 written, 6 left for staff.');
    expect(await Promise.all([...left, ann, bea].map((id) => storedOf(database, id)))).toEqual(before);
    expect(await storedOf(database, written)).toContain('well@acme.test');
    expect((await run(doctor, url)).lines).toContainEqual(
      expect.stringMatching(/^FIX {2}addresses: 4 would be the address of another member .*, 2 have none/),
    );
  });
});
