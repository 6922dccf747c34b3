import type { TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { csvOf } from './csv-of.js';
import { expectSignIn } from './expect-foreign-sign-in.js';
import { startForeignImportWorld } from './foreign-import-world.js';
import { hashEach, makeForeignPeople, oneOfEach } from './foreign-people.js';

const COLUMNS = [
  'id',
  'first_name',
  'last_name',
  'username',
  'primary_email_address',
  'primary_phone_number',
  'verified_email_addresses',
  'unverified_email_addresses',
  'verified_phone_numbers',
  'unverified_phone_numbers',
  'totp_secret',
  'password_digest',
  'password_hasher',
];

const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const membership = (accountId: string, userId: string, role: string) => ({
  object: 'organization_membership',
  organization: { id: accountId, name: accountId },
  public_user_data: { user_id: userId },
  role,
});

/** What an import from Clerk guarantees, on one database. */
export function checkClerkImports(dialect: TestDialect): void {
  it('1,000 users of Clerk sign in with their old password and authenticator app at the first try', {
    timeout: 120_000,
  }, async () => {
    await using world = await startForeignImportWorld(dialect);
    // The export does not say who is banned, and has no providers.
    const people = makeForeignPeople(1000).map((person) => ({ ...person, isDisabled: false, providers: {} }));
    const hashes = await hashEach();
    const users = people.map((person) => [
      person.id,
      person.firstName,
      person.lastName,
      person.oddity === 'right to left' ? `name-${person.id}` : '',
      person.email,
      person.oddity === 'plain' ? '+4930123456' : '',
      person.isConfirmed ? [person.email, `second-${person.id}@old.example`].join('|') : '',
      person.isConfirmed ? '' : person.email,
      '',
      '',
      person.totp,
      hashes.get(person.oddity),
      'bcrypt',
    ]);
    const [first = []] = users;
    const strangers = [
      first.with(0, 'peppered').with(4, 'pepper@old.example').with(12, 'bcrypt_peppered'),
      first.with(0, ''),
    ];
    const files = {
      'users.csv': csvOf([COLUMNS, ...users, ...strangers]),
      'organizations.ndjson': linesOf([
        { id: 'org_1', name: 'Old Mill', slug: 'old-mill', created_at: 1_614_834_367_000 },
        { id: 'org_2', name: 'Nobody’s' },
      ]),
      'memberships.ndjson': linesOf([
        membership('org_1', 'u-1', 'org:member'),
        membership('org_1', 'u-0', 'org:admin'),
        membership('org_1', 'u-2', 'org:unheard_of'),
        membership('org_2', 'u-1', 'org:member'),
      ]),
    };
    const rehearsed = await world.bring(files, '--from', 'clerk', '--dry-run');
    const { accounts, members, memberships, mailOutbox } = world.db.tables;
    expect(await world.db.select().from(members)).toEqual([]);
    const brought = await world.bring(files, '--from', 'clerk');
    // 900 people, an organization and two of its members; the twins, two strangers, an organization and an unknown role.
    expect(brought.counts).toEqual([903, 0, 104, 1]);
    expect(rehearsed.counts).toEqual(brought.counts);
    expect(brought.said).toContain('users.csv, line 1002: has a password that "bcrypt_peppered" made');
    expect(brought.said).toContain('users.csv, line 1003: has no id');
    expect(brought.said).toMatch(/and \d+ more: more addresses than one/);
    expect(brought.said).toMatch(/line 2 and 99 more: telephone numbers/);
    for (const person of oneOfEach(people)) await expectSignIn(world, person);
    const [ada, juergen] = await world.db.select().from(members);
    expect(await world.db.select().from(accounts)).toMatchObject([{ name: 'Old Mill', ownerId: ada?.id }]);
    expect(await world.db.select().from(memberships)).toMatchObject([
      { memberId: juergen?.id, roleType: 5 },
      { memberId: ada?.id, roleType: 1 },
    ]);
    expect(await world.db.select().from(mailOutbox)).toEqual([]);
    expect((await world.bring(files, '--from', 'clerk')).counts).toEqual([0, 903, 104, 1]);
  });
}
