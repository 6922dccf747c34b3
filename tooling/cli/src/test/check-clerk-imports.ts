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
  it('1,000 users of Clerk sign in with their old password and authenticator app the first time', {
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

  it("users from Clerk's Backend API and JSON export sign in with their password, authenticator app and providers", {
    timeout: 120_000,
  }, async () => {
    await using world = await startForeignImportWorld(dialect);
    const people = makeForeignPeople(200);
    const hashes = await hashEach();
    const users = people.map((person) => ({
      object: 'user',
      id: person.id,
      username: null,
      first_name: person.firstName,
      last_name: person.lastName,
      primary_email_address_id: 'idn_1',
      email_addresses: [
        {
          id: 'idn_0',
          email_address: `second-${person.id}@old.example`,
          verification: { status: 'verified' },
        },
        {
          id: 'idn_1',
          email_address: person.email,
          verification: { status: person.isConfirmed ? 'verified' : 'unverified' },
        },
      ],
      external_accounts: [
        ...Object.entries(person.providers).map(([provider, id]) =>
          account(`oauth_${provider}`, id, 'verified'),
        ),
        account('oauth_google', `unproven-${person.id}`, 'unverified'),
        ...(person.oddity === 'plain' ? [account('oauth_apple', '7', 'verified')] : []),
      ],
      banned: person.isDisabled,
      created_at: 1_614_834_367_000,
      password_digest: hashes.get(person.oddity) ?? null,
      password_hasher: 'bcrypt',
      totp_secret: person.totp ?? null,
    }));
    const damaged = { ...users[0], id: 'damaged', external_accounts: [{ provider: 7 }] };
    const brought = await world.bring(
      {
        'users.json': JSON.stringify([...users, 'nobody', { id: 7, email_addresses: [] }, damaged], null, 1),
      },
      '--from',
      'clerk',
    );
    expect(brought.counts).toEqual([180, 0, 22, 0]);
    expect(brought.said).toContain('has external_accounts in a form that cannot be read');
    expect(brought.said).toMatch(/sign-in through "oauth_apple", which is no provider here/);
    for (const person of oneOfEach(people)) await expectSignIn(world, person);
    const { members, socialConnections } = world.db.tables;
    const connections = await world.db.select().from(socialConnections);
    expect(connections.filter(({ providerUserId }) => providerUserId.startsWith('unproven'))).toEqual([]);
    expect((await world.db.select().from(members))[0]).toMatchObject({ createdAtMs: 1_614_834_367_000 });

    const [first] = users;
    const flat = {
      id: 'flat',
      first_name: 'Flat',
      last_name: 'Person',
      primary_email_address: 'flat@old.example',
      verified_email_addresses: ['flat@old.example'],
      password_digest: first?.password_digest,
      password_hasher: 'bcrypt',
    };
    const lines = await world.bring({ 'users.ndjson': linesOf([flat]) }, '--from', 'clerk');
    expect(lines.counts).toEqual([1, 0, 0, 0]);
  });
}

const account = (provider: string, id: string, status: string) => ({
  object: 'external_account',
  id: `eac_${id}`,
  provider,
  provider_user_id: id,
  email_address: `${id}@social.example`,
  first_name: 'Ada',
  last_name: '',
  verification: { status, strategy: provider },
});
