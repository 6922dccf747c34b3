import { isProven } from '@gatehouse/db/queries/member-columns';
import type { TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { startForeignImportWorld } from './foreign-import-world.js';
import { makeForeignPeople, oneOfEach } from './foreign-people.js';

const HEADER =
  'cognito:username,sub,enabled,name,given_name,family_name,email,email_verified,cognito:mfa_enabled,phone_number,updated_at';

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** What an import from Cognito guarantees, on one database. */
export function checkCognitoImports(dialect: TestDialect): void {
  it('1,000 users of Cognito are imported without passwords, and no password signs them in', {
    timeout: 120_000,
  }, async () => {
    await using world = await startForeignImportWorld(dialect);
    const people = makeForeignPeople(1000);
    const rows = people.map(({ id, firstName, lastName, email, isConfirmed, isDisabled, totp }) =>
      [
        id,
        id,
        String(!isDisabled),
        quoted(`${firstName} ${lastName}`.trim()),
        quoted(firstName),
        quoted(lastName),
        email,
        isConfirmed ? 'true' : 'false',
        totp === undefined ? 'FALSE' : 'TRUE',
        '',
        '',
      ].join(','),
    );
    const files = { 'pool.csv': `\uFEFF${[HEADER, ...rows].join('\r\n')}` };
    const rehearsed = await world.bring(files, '--from', 'cognito', '--dry-run');
    const { mailOutbox, members } = world.db.tables;
    expect(await world.db.select().from(members)).toEqual([]);
    const brought = await world.bring(files, '--from', 'cognito');
    expect(brought.counts).toEqual([900, 0, 100, 0]);
    expect(rehearsed.counts).toEqual(brought.counts);
    expect(brought.said).toContain('line 4 and 99 more: second factors, which Cognito does not give');
    for (const person of oneOfEach(people)) {
      const { email, password } = person;
      const { status } = await world.service.send('/webauthenticate', { body: { email, password } });
      expect([person.oddity, status]).toEqual([person.oddity, 401]);
    }
    const rowsThere = await world.db.select().from(members);
    expect(rowsThere.filter(isProven)).toEqual([]);
    expect(rowsThere.filter(({ emailConfirmedAtMs }) => emailConfirmedAtMs !== null)).toHaveLength(800);
    expect(rowsThere.filter(({ bannedRoleType }) => bannedRoleType !== null)).toHaveLength(100);
    expect(rowsThere[0]?.username).toBe(`Ada Miller ${rowsThere[0]?.id}`);
    expect(await world.db.select().from(mailOutbox)).toEqual([]);
    expect((await world.bring(files, '--from', 'cognito')).counts).toEqual([0, 900, 100, 0]);
  });
}
