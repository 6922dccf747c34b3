import { hashPassword } from '@gatehouse/auth-core';
import { isProven } from '@gatehouse/db/queries/member-columns';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { socialSession } from '@gatehouse/features/test/social-session';
import type { TestDialect } from '@gatehouse/testkit';
import { insertTestMember, testEnvironment } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { importLines } from '../import/import-lines.js';
import { createForeignResolver } from '../import/resolve-foreign-lines.js';
import { rolesIn } from '../with-database.js';
import { csvOf } from './csv-of.js';
import { expectSignIn } from './expect-foreign-sign-in.js';
import { startForeignImportWorld } from './foreign-import-world.js';
import { comers, hashEach, makeForeignPeople, oneOfEach } from './foreign-people.js';

/** JSON lines. */
const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** What `gatehouse import --from` guarantees, on one database. */
export function checkForeignImports(dialect: TestDialect): void {
  describe('an import from a table of people', () => {
    it('adds 1,000 people with all kinds of unusual data, who sign in with their old password the first time', {
      timeout: 120_000,
    }, async () => {
      await using world = await startForeignImportWorld(dialect);
      const people = makeForeignPeople(1000);
      const hashes = await hashEach();
      const file = csvOf([
        ['id', 'email', 'confirmed', 'firstName', 'lastName', 'password', 'disabled'],
        ...people.map((each) => [
          each.id,
          each.email,
          each.isConfirmed,
          each.firstName,
          each.lastName,
          hashes.get(each.oddity),
          each.isDisabled ? 1 : '',
        ]),
      ]);
      const rehearsed = await world.bring({ 'people.csv': file }, '--from', 'csv', '--dry-run');
      expect(await world.db.select().from(world.db.tables.members)).toEqual([]);
      const brought = await world.bring({ 'people.csv': file }, '--from', 'csv');
      expect(brought.counts).toEqual([900, 0, 100, 0]);
      expect(rehearsed.counts).toEqual(brought.counts);
      expect(brought.code).toBe(1);
      expect(brought.said).toMatch(
        /line 9: member \d+ has this e-mail address; --merge confirmed, which needs --confirmed-is-proven, joins/,
      );
      expect(brought.said).toContain('names cut to 255 characters');
      expect(brought.said).toMatch(/bytes █+ 100 %/);

      for (const person of oneOfEach(people))
        await expectSignIn(world, { ...person, totp: undefined, providers: {} });
      const { mailOutbox, members } = world.db.tables;
      expect(await world.db.select().from(mailOutbox)).toEqual([]);
      const rows = await world.db.select().from(members);
      expect(rows.filter(({ emailConfirmedAtMs }) => emailConfirmedAtMs === null)).toHaveLength(100);
      expect(
        rows.filter(({ bannedRoleType, roleType }) => bannedRoleType === 5 && roleType === 11),
      ).toHaveLength(100);
      expect(rows.filter(({ username }) => /@/.test(username))).toEqual([]);
      expect(rows.slice(0, 4).map(({ username }) => username)).toEqual([
        `Ada Miller ${rows[0]?.id}`,
        `Jürgen Groß ${rows[1]?.id}`,
        `Zoë Éloïse Åström-Nuñez ${rows[2]?.id}`,
        `Member ${rows[3]?.id}`,
      ]);

      const again = await world.bring({ 'people.csv': file }, '--from', 'csv');
      expect(again.counts).toEqual([0, 900, 100, 0]);
      expect(await world.db.select().from(members)).toHaveLength(comers(people).length);
    });

    it('overwrites no existing member, and merges a person with a member only when both sides have confirmed the address', async () => {
      await using world = await startForeignImportWorld(dialect);
      const make = (options: object) => insertTestMember(world.db, { withSession: false, ...options });
      const proven = await make({ isConfirmed: true });
      const unproven = await make({ isConfirmed: true, isProven: false });
      const staff = await make({ isConfirmed: true, isPersonnel: true });
      const { members, foreignIds } = world.db.tables;
      const all = async () => world.db.select().from(members);
      const before = await all();
      const file = csvOf([
        ['id', 'email', 'confirmed', 'name'],
        ['a', proven.email, 1, 'Other Name'],
        ['b', unproven.email, 1, 'Other Name'],
        ['c', staff.email, 1, 'Other Name'],
        ['d', proven.email.toUpperCase(), 0, 'Other Name'],
      ]);
      const refused = await world.bring({ 'people.csv': file }, '--from', 'csv');
      expect(refused.counts).toEqual([0, 0, 4, 0]);
      const merge = ['--from', 'csv', '--merge', 'confirmed'];
      const joined = await world.bring({ 'people.csv': file }, ...merge, '--confirmed-is-proven');
      expect(joined.counts).toEqual([1, 0, 3, 0]);
      expect(joined.said).toContain(
        `line 3: member ${unproven.id} has this e-mail address, and its owner has not`,
      );
      expect(joined.said).toContain(`line 4: member ${staff.id} has this e-mail address, and is staff`);
      expect(joined.said).toContain('line 5: ');
      expect(await all()).toEqual(before);
      expect(await world.db.select().from(foreignIds)).toMatchObject([
        { kind: 'member', source: 'csv', foreignId: 'a', memberId: proven.id },
      ]);
      for (const clicked of [[], ['--no-confirmed-is-proven']])
        await expect(world.bring({ 'people.csv': file }, ...merge, ...clicked)).rejects.toThrow(
          '--merge confirmed joins nobody where a click may have confirmed an address',
        );
    });

    it('treats nobody as proven unless told so, and a new provider then ends the old password', async () => {
      await using world = await startForeignImportWorld(dialect);
      const hash = await hashPassword('Known-Before-1');
      const fileOf = (name: string) =>
        csvOf([
          ['id', 'email', 'confirmed', 'password'],
          [name, `${name}@old.example`, 1, hash],
        ]);
      await world.bring({ 'people.csv': fileOf('clicked') }, '--from', 'csv');
      await world.bring({ 'people.csv': fileOf('proven') }, '--from', 'csv', '--confirmed-is-proven');
      const rows = await world.db.select().from(world.db.tables.members);
      expect(rows.map((row) => [row.email, isProven(row), row.emailConfirmedAtMs !== null])).toEqual([
        ['clicked@old.example', false, true],
        ['proven@old.example', true, true],
      ]);
      for (const [name, after] of [
        ['clicked', 401],
        ['proven', 200],
      ] as const) {
        const email = `${name}@old.example`;
        const signIn = () =>
          world.service.send('/v1/signIn/password', { body: { email, password: 'Known-Before-1' } });
        expect([name, (await signIn()).status]).toEqual([name, 200]);
        await socialSession(world.service, 'google', { id: `g-${name}`, email });
        expect([name, (await signIn()).status]).toEqual([name, after]);
      }
    });

    it('accepts no address as a username, and leaves a username to the person who has it here', async () => {
      await using world = await startForeignImportWorld(dialect);
      const file = csvOf([
        ['id', 'email', 'username', 'name'],
        ['named', 'named@old.example', '', 'Ada Miller'],
        ['has-it', 'has-it@old.example', 'Ada Miller', ''],
        ['planter', '', 'victim@old.example', 'Planter'],
        ['other', 'other@old.example', 'victim@old.example', 'Other'],
        ['own', 'own@old.example', 'Own@old.example', 'Own'],
        ['victim', 'victim@old.example', '', 'Victim'],
      ]);
      const rehearsed = await world.bring({ 'people.csv': file }, '--from', 'csv', '--dry-run');
      const brought = await world.bring({ 'people.csv': file }, '--from', 'csv');
      expect(brought.counts).toEqual([4, 0, 2, 0]);
      expect(rehearsed.counts).toEqual(brought.counts);
      for (const line of [4, 5])
        expect(brought.said).toContain(
          `line ${line}: has a username that holds an @, but is not the person's own address`,
        );
      const rows = await world.db.select().from(world.db.tables.members);
      expect(rows.map(({ sid, username }) => [sid, username.replace(/ \d+$/, ' N')])).toEqual([
        ['named@old.example', 'Ada Miller N'],
        ['has-it@old.example', 'Ada Miller'],
        ['own@old.example', 'Own N'],
        ['victim@old.example', 'Victim N'],
      ]);
    });

    it('reports an identity that another member has at each run, and imports nothing else of that person', async () => {
      await using world = await startForeignImportWorld(dialect);
      const google = (user_id: string) => ({ provider: 'google-oauth2', user_id });
      const person = (id: string, identities: readonly object[], more: object = {}) => ({
        user_id: id,
        email: `${id}@old.example`,
        email_verified: true,
        identities,
        ...more,
      });
      const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
      const filesWith = (later: object) => ({
        'users.ndjson': linesOf([
          person('first', [google('1')]),
          person('second', [google('1'), { provider: 'github', user_id: 2 }], later),
        ]),
        'organizations.ndjson': linesOf([{ id: 'org_1', name: 'Old Mill' }]),
        'members.ndjson': linesOf([
          { organization_id: 'org_1', user_id: 'second', roles: ['boss'] },
          { organization_id: 'org_1', user_id: 'first', roles: ['boss'] },
        ]),
      });
      await world.write('roles.yaml', 'boss: owner\n');
      const options = ['--from', 'auth0', '--map', 'roles.yaml'];
      const problem = /users.ndjson, line 2: member \d+ has this identity at the provider/;
      const { memberships, socialConnections, totpFactors, members } = world.db.tables;
      const rehearsed = await world.bring(filesWith({}), ...options, '--dry-run');
      const brought = await world.bring(filesWith({}), ...options);
      for (const { said, counts } of [rehearsed, brought]) {
        expect(said).toMatch(problem);
        expect(counts).toEqual([4, 0, 1, 0]);
      }
      expect(await world.db.select().from(memberships)).toHaveLength(2);
      expect(await world.db.select().from(socialConnections)).toHaveLength(2);

      const later = filesWith({ mfa_factors: [{ totp: { secret } }] });
      const again = await world.bring(later, ...options);
      expect(again.said).toMatch(problem);
      expect(again.counts).toEqual([0, 4, 1, 0]);
      const [, second] = await world.db.select().from(members);
      expect(await world.db.select().from(totpFactors)).toMatchObject([{ memberId: second?.id }]);

      // The owner of the mailbox signed in, which ended the earlier credentials.
      await socialSession(world.service, 'google', { id: 'new', email: 'first@old.example' });
      const [first] = await world.db.select().from(members);
      const connectionsOf = async () =>
        (await world.db.select().from(socialConnections))
          .filter(({ memberId }) => memberId === first?.id)
          .map(({ providerUserId }) => providerUserId);
      expect(await connectionsOf()).toEqual(['new']);
      await world.bring(later, ...options);
      expect(await connectionsOf()).toEqual(['new']);
    });

    it('restores no connection that a member removed here', async () => {
      await using world = await startForeignImportWorld(dialect);
      const { socialConnections } = world.db.tables;
      const files = {
        'users.ndjson': linesOf([
          {
            user_id: 'third',
            email: 'third@old.example',
            email_verified: true,
            identities: [{ provider: 'google-oauth2', user_id: '3' }],
          },
        ]),
      };
      await world.bring(files, '--from', 'auth0');
      await socialSession(world.service, 'google', { id: '3', email: 'third@old.example' });
      await world.db.write(world.db.delete(socialConnections));
      expect((await world.bring(files, '--from', 'auth0')).counts).toEqual([0, 1, 0, 0]);
      expect(await world.db.select().from(socialConnections)).toEqual([]);
    });

    it('merges nobody with a member who became staff, or got another address, after the line was read', async () => {
      await using world = await startForeignImportWorld(dialect);
      const { db } = world;
      const make = () => insertTestMember(db, { withSession: false, isConfirmed: true });
      const [stays, promoted, moved] = [await make(), await make(), await make()];
      const run = {
        args: [],
        env: testEnvironment(),
        say: () => undefined,
        draw: () => undefined,
        isDry: false,
        isConfirmedProven: true,
        advance: () => undefined,
      };
      const resolve = createForeignResolver({
        db,
        roles: rolesIn(run),
        source: 'csv',
        map: new Map(),
        joins: true,
        wrapsWeak: false,
        isDry: false,
        whereIs: ({ number }) => `line ${number}`,
        note: () => undefined,
      });
      const lines = await resolve(
        [stays, promoted, moved].map(({ email }, at) => ({
          file: 'people.csv',
          number: at + 1,
          person: {
            id: `p-${at}`,
            email,
            isConfirmed: true,
            connections: [{ provider: 'google', id: `g-${at}` }],
          },
        })),
      );
      expect(lines.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined]);
      await changeColumn(db, { table: 'members', column: 'is_personnel', id: promoted.id }, 1);
      await changeColumn(db, { table: 'members', column: 'email_key', id: moved.id }, 'else@old.example');
      const said: string[] = [];
      async function* once() {
        yield { lines, read: 1 };
      }
      expect(await importLines(db, once(), { ...run, say: (line) => void said.push(line) })).toBe(1);
      for (const { id } of [promoted, moved]) expect(said.join('\n')).toContain(`member ${id} has changed`);
      const { foreignIds, socialConnections } = db.tables;
      for (const table of [foreignIds, socialConnections])
        expect(await db.select().from(table)).toMatchObject([{ memberId: stays.id }]);
    });

    it('assigns roles as the map says, and names each line that it cannot read', async () => {
      await using world = await startForeignImportWorld(dialect);
      const file = [
        'id;email;role;createdAt',
        '1;one@old.example;writer;2020-01-02T03:04:05Z',
        '2;two@old.example;reader;',
        '3;three@old.example;',
        ';four@old.example;;',
        '5;"five@old.example;;',
      ].join('\n');
      await world.write('roles.yaml', '# theirs: ours\nwriter: contributor\n"reader": 4 # by number\n');
      const brought = await world.bring(
        { 'people.csv': file },
        '--from',
        'csv',
        '--source',
        'Old Mill',
        '--map',
        'roles.yaml',
      );
      expect(brought.counts).toEqual([2, 0, 3, 0]);
      expect(brought.said).toContain('line 4: has 3 fields, and the first line names 4');
      expect(brought.said).toContain('line 5: has no id');
      expect(brought.said).toContain('line 6: ');
      const { foreignIds, members } = world.db.tables;
      expect(await world.db.select().from(members)).toMatchObject([
        { roleType: 3, createdAtMs: Date.parse('2020-01-02T03:04:05Z') },
        { roleType: 4 },
      ]);
      await world.write('wrong.json', '{ "writer": "boss" }');
      await expect(
        world.bring({ 'people.csv': file }, '--from', 'csv', '--map', 'wrong.json'),
      ).rejects.toThrow('wrong.json: writer is mapped to boss, which is no role here');
      expect(await world.db.select().from(foreignIds)).toMatchObject([
        { source: 'Old Mill', foreignId: '1' },
        { source: 'Old Mill', foreignId: '2' },
      ]);
    });

    it('skips a record of more than 1 MB up to its end, and names its line', async () => {
      await using world = await startForeignImportWorld(dialect);
      const people = [
        'id,email,name',
        '1,one@old.example,One',
        `2,two@old.example,"${'many ""lines"",\n'.repeat(100_000)}"`,
        '3,three@old.example,Three',
      ].join('\n');
      const users = ['one', 'two', 'three'].map((name, at) => ({
        id: `k-${name}`,
        username: `k-${name}`,
        email: `k-${name}@old.example`,
        attributes: { about: ['x'.repeat(at === 1 ? 2_000_000 : 1)] },
      }));
      const realm = `{ "realm": "old", "users": [\n${users.map((user) => JSON.stringify(user)).join(',\n')}\n] }`;
      const lines = linesOf(
        users.map(({ id, username: _username, email, ...user }) => ({
          ...user,
          user_id: id,
          email: `a-${email}`,
        })),
      );
      for (const [kind, name, file] of [
        ['csv', 'people.csv', people],
        ['keycloak', 'realm.json', realm],
        ['auth0', 'users.ndjson', lines],
      ] as const) {
        const brought = await world.bring({ [name]: file }, '--from', kind);
        expect([kind, ...brought.counts]).toEqual([kind, 2, 0, 1, 0]);
        expect(brought.said).toContain(`line ${kind === 'auth0' ? 2 : 3}: has more than 1 MB`);
      }
    });

    it('imports nothing when the names of the columns or a line of passwords cannot be read', async () => {
      await using world = await startForeignImportWorld(dialect);
      const header = 'id,email,näme\n';
      const long = `"${'x'.repeat(2_000_000)}",email\n`;
      for (const first of [long, header])
        await expect(
          world.bring(
            { 'people.csv': Buffer.from(`${first}1,one@old.example,One\n`, 'latin1') },
            '--from',
            'csv',
          ),
        ).rejects.toThrow(/people\.csv, line 1: (has more than 1 MB|is not UTF-8)/);
      const passwords = `${JSON.stringify({ _id: 'a', passwordHash: 'x'.repeat(2_000_000) })}\n`;
      await expect(
        world.bring(
          {
            'users.ndjson': linesOf([{ user_id: 'auth0|a', email: 'a@old.example' }]),
            'passwords.ndjson': passwords,
          },
          '--from',
          'auth0',
        ),
      ).rejects.toThrow('passwords.ndjson, line 1: has more than 1 MB');
      expect(await world.db.select().from(world.db.tables.members)).toEqual([]);
    });
  });
}
