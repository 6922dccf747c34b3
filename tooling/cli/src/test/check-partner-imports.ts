import { listAudit } from '@gatehouse/db/queries/audit-log';
import type { TestDialect } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { OLD_SECRET, startPartnerImportWorld } from './partner-import-world.js';

const nordwind = {
  name: 'Nordwind GmbH',
  appUrl: 'https://nordwind.example/',
  partnerId: 4711,
  secretKey: OLD_SECRET,
};
const partner = (more: object = {}) => ({ partner: { ...nordwind, ...more } });
const COUNTS = /^(\d+) added, (\d+) were there before, (\d+) lines with a problem/;
const countsIn = (said: readonly string[]) =>
  COUNTS.exec(said.at(-1) ?? '')
    ?.slice(1)
    .map(Number);

/** The guarantees of the import of partners, on one database. */
export function checkPartnerImports(dialect: TestDialect): void {
  describe('the import of partners', () => {
    it('lets the systems of a partner sign on as before, with their partnerId and secretKey', async () => {
      await using world = await startPartnerImportWorld(dialect);
      const { code, said } = await world.bring(partner());
      expect([code, said]).toEqual([
        0,
        ['1 added, 0 were there before, 0 lines with a problem, 0 left out because of them.'],
      ]);
      for (const partnerId of [4711, '4711', 'nordwind gmbh'])
        expect([partnerId, (await world.authenticate(partnerId, OLD_SECRET)).status]).toEqual([
          partnerId,
          200,
        ]);
      expect((await world.authenticate(4711, `${OLD_SECRET}x`)).status).toBe(401);

      const { token } = await world.authenticate(4711, OLD_SECRET);
      const send = (path: string, body: object) => world.service.send(path, { bearer: token, body });
      const person = { email: 'ada@nordwind.example', firstName: 'Ada', lastName: 'Byron' };
      expect((await send('/partnerAuth/registerUser', person)).status).toBe(200);
      const signedOn = await send('/partnerAuth/singleSignOn', { email: person.email });
      const { loginUrl } = (await signedOn.json()) as { loginUrl: string };
      const [, loginToken] = /^https:\/\/nordwind\.example\/#login\?token=([\w.-]+)$/.exec(loginUrl) ?? [];
      const login = await world.service.send('/webauthenticate', {
        body: { tempLogin: true, token: loginToken },
      });
      expect(login.status).toBe(200);
      const audit = await listAudit(world.db, {}, { limit: 50 });
      const lines = audit.filter(({ action }) => action === 'partner.added' || action === 'rows.imported');
      expect(lines.map(({ action, after }) => [action, after])).toEqual([
        ['rows.imported', { partner: 1 }],
        ['partner.added', { name: 'Nordwind GmbH', appUrl: 'https://nordwind.example', externalId: '4711' }],
      ]);
    });

    it('shows a generated secretKey once, and never one that was given', async () => {
      await using world = await startPartnerImportWorld(dialect);
      const lines = [partner(), { partner: { name: 'südwind', appUrl: 'https://suedwind.example' } }];
      expect((await world.rehearse(...lines)).said).toEqual([
        'line 1: partner Nordwind GmbH would be added',
        'line 2: partner südwind would be added',
        'Nothing was written. 2 would be added, 0 are there, 0 lines with a problem, 0 left out because of them.',
      ]);
      const first = await world.bring(...lines);
      const [, secretKey = ''] =
        /^line 2: partner südwind is added\. Its secretKey, shown only now: (\S+)$/.exec(
          first.said[0] ?? '',
        ) ?? [];
      expect(first.said.length).toBe(2);
      expect((await world.authenticate('südwind', secretKey)).status).toBe(200);
      const again = await world.bring(...lines);
      expect([again.code, countsIn(again.said)]).toEqual([0, [0, 2, 0]]);
      expect(again.said.join('\n')).not.toContain(secretKey);
      for (const { said } of [first, again]) expect(said.join('\n')).not.toContain(OLD_SECRET);
      const { partners, partnerSecrets } = world.db.tables;
      expect((await world.db.select().from(partners)).length).toBe(3);
      const stored = (await world.db.select().from(partnerSecrets)).map(({ secret }) => secret);
      expect(stored.filter((each) => each === OLD_SECRET || each === secretKey)).toEqual([]);
    });

    it('names the line of an existing partner with other content, and does not change the partner', async () => {
      await using world = await startPartnerImportWorld(dialect);
      await world.bring(partner(), partner({ name: 'Südwind', partnerId: 'S-1', secretKey: undefined }));
      const before = await world.db.select().from(world.db.tables.partners);
      const lines = [
        partner(),
        partner({ secretKey: null }),
        partner({ appUrl: 'https://other.example' }),
        partner({ secretKey: `${OLD_SECRET}, another` }),
        partner({ partnerId: null }),
        partner({ name: 'nordwind gmbh', partnerId: '815' }),
        partner({ name: 'Other' }),
        partner({ partnerId: 'S-1' }),
        partner({ name: 'S-1', partnerId: null }),
        partner({ name: 'Ostwind', partnerId: 'südwind' }),
        partner({ name: 'Westwind', partnerId: 'W' }),
        partner({ name: 'Westwind', partnerId: 'W' }),
        partner({ name: 'Westwind', partnerId: 'W', secretKey: `${OLD_SECRET}, another` }),
        partner({ name: 'Westwind 2', partnerId: 'W' }),
      ];
      const problems = [
        'line 3: partner Nordwind GmbH is there already, with another appUrl',
        'line 4: partner Nordwind GmbH is there already, with another secretKey',
        'line 5: partner Nordwind GmbH is there already, with another partnerId',
        'line 6: partner Nordwind GmbH is there already, with another name, partnerId',
        'line 7: partner Nordwind GmbH has this name or partnerId',
        'line 8: partner Nordwind GmbH is there already, with another partnerId',
        'line 9: partner Südwind has this name or partnerId',
        'line 10: partner Südwind has this name or partnerId',
        'line 13: partner Westwind is there already, with another secretKey',
        'line 14: partner Westwind has this name or partnerId',
      ];
      const rehearsed = await world.rehearse(...lines);
      expect(rehearsed.said.filter((line) => /has this|with another/.test(line))).toEqual(problems);
      const { code, said } = await world.bring(...lines);
      expect([code, said.slice(0, -1), countsIn(said)]).toEqual([1, problems, [1, 3, 10]]);
      const after = await world.db.select().from(world.db.tables.partners);
      expect(after.filter(({ name }) => name !== 'Westwind')).toEqual(before);
    });

    it('names the field of a line that is not a partner, without its value, and adds the others', async () => {
      await using world = await startPartnerImportWorld(dialect);
      const ours = world.service.services.config.JWT_SECRET_KEY;
      const lines = [
        partner({ name: '4711' }),
        partner({ appUrl: 'http://nordwind.example' }),
        partner({ partnerId: ' 4711' }),
        partner({ partnerId: -1 }),
        partner({ secretKey: 'short-of-32' }),
        partner({ secretKey: ours }),
        partner({ active: true }),
        '{"partner":{"name":"cut',
      ];
      const { code, said } = await world.bring(...lines, partner());
      expect([code, countsIn(said)]).toEqual([1, [1, 0, lines.length]]);
      const fields = ['name', 'appUrl', 'partnerId', 'partnerId', 'secretKey', 'secretKey'];
      for (const [at, field] of fields.entries())
        expect(said[at]).toMatch(new RegExp(`^line ${at + 1}: partner\\.${field}: `));
      expect(said[6]).toMatch(/^line 7: partner: .*active/);
      expect(said[7]).toMatch(/^line 8: is no JSON object with one field: .*partner/);
      for (const text of ['short-of-32', ours, OLD_SECRET]) expect(said.join('\n')).not.toContain(text);
      expect((await world.authenticate(4711, OLD_SECRET)).status).toBe(200);
    });

    it('reads a file with a byte-order mark, and refuses a name in another encoding', async () => {
      await using world = await startPartnerImportWorld(dialect);
      const line = (more: object) => `${JSON.stringify(partner(more))}\r\n`;
      const { code, said } = await world.bringBytes(
        Buffer.concat([
          Buffer.from(`\uFEFF${line({})}`),
          Buffer.from(line({ name: 'Südwind', partnerId: 2 }), 'latin1'),
          Buffer.from(line({ name: 'Ostwind\u2028GmbH', partnerId: 3 })),
          Buffer.from(line({ name: 'Westwind', partnerId: 3 })),
        ]),
      );
      expect([code, countsIn(said)?.[0]]).toEqual([1, 2]);
      expect(said.slice(0, -1).map((text) => text.split(':')[0])).toEqual(['line 2', 'line 3']);
      for (const partnerId of [4711, 3])
        expect((await world.authenticate(partnerId, OLD_SECRET)).status).toBe(200);
    });

    it('adds each partner once when two run at the same time', async () => {
      await using world = await startPartnerImportWorld(dialect);
      const lines = Array.from({ length: 30 }, (_, at) =>
        partner({ name: `wind ${at}`, partnerId: `P${at}` }),
      );
      const runs = await Promise.all([world.bring(...lines), world.bring(...lines.toReversed())]);
      const counts = runs.map(({ said }) => countsIn(said) ?? []);
      expect(counts.map(([, , problems]) => problems)).toEqual([0, 0]);
      expect(counts.reduce((sum, [added = 0]) => sum + added, 0)).toBe(30);
      expect((await world.db.select().from(world.db.tables.partnerSecrets)).length).toBe(31);
      expect((await world.authenticate('P29', OLD_SECRET)).status).toBe(200);
    });
  });
}
