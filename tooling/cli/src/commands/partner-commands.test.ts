import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import { findPartnerMember } from '@gatehouse/db/queries/partner-members';
import { findPartnerCredential } from '@gatehouse/db/queries/partner-secrets';
import { partnerNameIn } from '@gatehouse/features/core/guard/service-callers';
import { seedDemo } from '@gatehouse/features/deployment/seed-demo';
import { describe, expect, it } from 'vitest';
import type { Command } from '../command.js';
import { addPartner, deactivatePartner, linkPartnerMembers, rotatePartnerSecret } from './partners.js';

const KEY = Buffer.alloc(32, 9).toString('base64');

interface Operator extends AsyncDisposable {
  readonly database: Database;
  readonly folder: string;
  run(command: Command, ...args: string[]): Promise<{ code: number; said: string }>;
  secretsOf(name: string): Promise<string[]>;
}

async function sitDown(): Promise<Operator> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
  const env = { DATABASE_URL: `file:${folder}/cli.db`, DATA_ENCRYPTION_KEY: KEY };
  const database = await openDatabase(env.DATABASE_URL);
  await database.migrate();
  const cipher = createDataCipher({ key: KEY });
  await seedDemo(database, { cipher, nowMs: Date.now() });
  return {
    database,
    folder,
    async run(command, ...args) {
      const lines: string[] = [];
      const code = await command.run({
        args,
        env,
        say: (line) => void lines.push(line),
        draw: () => undefined,
      });
      return { code, said: lines.join('\n') };
    },
    async secretsOf(name) {
      const partner = await findPartnerCredential(database, { nameKey: name }, Date.now());
      return (partner?.secrets ?? []).map(({ sealed }) => cipher.open(sealed, `partner:${name}:secretKey`));
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

const secretIn = (said: string) => /shown only now: (\S+)/.exec(said)?.[1];

describe('the partner commands', () => {
  it('add a partner and show a secretKey that works', async () => {
    await using operator = await sitDown();
    const added = await operator.run(addPartner, 'nordwind', 'https://nordwind.example/');
    expect(added.code).toBe(0);
    expect(await operator.secretsOf('nordwind')).toEqual([secretIn(added.said)]);
    const again = await operator.run(addPartner, 'NORDWIND', 'https://nordwind.example');
    expect([again.code, again.said]).toEqual([1, 'A partner has this name.']);
  });

  it("keep the partnerId that a partner's systems send, apart from its name", async () => {
    await using operator = await sitDown();
    const add = (...words: string[]) => operator.run(addPartner, ...words);
    const added = await add('Nordwind GmbH', 'https://nordwind.example', '--id', '4711');
    expect(added.code).toBe(0);
    for (const sent of ['4711', 'nordwind gmbh']) {
      const found = await findPartnerCredential(operator.database, partnerNameIn(sent), Date.now());
      expect([sent, found]).toEqual([
        sent,
        expect.objectContaining({ name: 'Nordwind GmbH', externalId: '4711' }),
      ]);
    }
    const taken = 'A partner has this name.';
    expect(await add('other', 'https://other.example', '--id', '4711')).toEqual({ code: 1, said: taken });
    expect(await add('other', 'https://other.example', '--id', 'acme-partner')).toEqual({
      code: 1,
      said: taken,
    });
    expect((await add('other', 'https://other.example', '--id', ' 1')).code).toBe(2);
    expect((await operator.run(rotatePartnerSecret, '4711')).code).toBe(0);
  });

  it.each([
    [[]],
    [['nordwind']],
    [['4711', 'https://nordwind.example']],
    [['nordwind', 'http://nordwind.example']],
  ])('say what is wrong with %j', async (args) => {
    await using operator = await sitDown();
    const { code, said } = await operator.run(addPartner, ...args);
    expect(code).toBe(2);
    expect(said).not.toBe('');
  });

  it('rotate with an overlap, finish it, and rotate without one', async () => {
    await using operator = await sitDown();
    const [first] = await operator.secretsOf('acme-partner');
    const second = secretIn(
      (await operator.run(rotatePartnerSecret, 'acme-partner', '--overlap-days', '2')).said,
    );
    expect(await operator.secretsOf('acme-partner')).toEqual([first, second]);
    expect((await operator.run(rotatePartnerSecret, 'acme-partner', '--finish')).code).toBe(0);
    expect(await operator.secretsOf('acme-partner')).toEqual([second]);
    const third = secretIn((await operator.run(rotatePartnerSecret, '1', '--overlap-days', '0')).said);
    expect(await operator.secretsOf('acme-partner')).toEqual([third]);
    expect((await operator.run(rotatePartnerSecret, 'acme-partner', '--overlap-days', 'soon')).code).toBe(2);
    expect((await operator.run(rotatePartnerSecret, 'nobody')).code).toBe(1);
  });

  it('deactivate a partner', async () => {
    await using operator = await sitDown();
    expect((await operator.run(deactivatePartner, 'acme-partner')).code).toBe(0);
    const partner = await findPartnerCredential(operator.database, { nameKey: 'acme-partner' }, Date.now());
    expect(partner?.isActive).toBe(false);
    expect((await operator.run(deactivatePartner, 'nobody')).code).toBe(1);
  });

  it('link members in a file with the accounts made for them, and name the lines that they cannot link', async () => {
    await using operator = await sitDown();
    const file = join(operator.folder, 'members.csv');
    const lines = [
      '# from before',
      '',
      'OWNER@acme.test , 1',
      '8,2,3',
      'staff@gatehouse.test',
      'nobody@x.test',
      '7,one',
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const { code, said } = await operator.run(linkPartnerMembers, 'acme-partner', file);
    expect(code).toBe(1);
    expect(said.split('\n')).toEqual([
      "line 4: not the member's own, or another partner's: account 3",
      'line 5: there is no such member, or it is staff',
      'line 6: there is no such member, or it is staff',
      'line 7: an account is not a number',
      '2 linked, 0 linked before, 4 lines with a problem.',
    ]);
    for (const id of [3, 8])
      expect(await findPartnerMember(operator.database, 1, { id, nowMs: Date.now() })).toMatchObject({ id });
    const accounts = [1, 2, 3].map((id) => findAccountState(operator.database, id));
    expect((await Promise.all(accounts)).map((account) => account?.createdByPartnerId)).toEqual([1, 1, null]);

    await writeFile(file, 'owner@acme.test,1\n');
    const again = await operator.run(linkPartnerMembers, 'acme-partner', file);
    expect([again.code, again.said]).toEqual([0, '0 linked, 1 linked before, 0 lines with a problem.']);
  });

  it('link from a file with a byte-order mark, name lines that are not UTF-8, and refuse UTF-16', async () => {
    await using operator = await sitDown();
    const file = join(operator.folder, 'members.csv');
    const link = () => operator.run(linkPartnerMembers, 'acme-partner', file);
    await writeFile(
      file,
      Buffer.concat([Buffer.from('\uFEFFowner@acme.test,1\r\n'), Buffer.from('zoë@acme.test,1\n', 'latin1')]),
    );
    expect((await link()).said.split('\n')).toEqual([
      'line 2: is not UTF-8, perhaps Latin-1: save the file as UTF-8',
      '1 linked, 0 linked before, 1 lines with a problem.',
    ]);
    await writeFile(file, Buffer.from('\uFEFFowner@acme.test,1\n', 'utf16le'));
    await expect(link()).rejects.toThrow('is UTF-16, or no text: save it as UTF-8');
  });
});
