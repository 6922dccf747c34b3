import { readFile } from 'node:fs/promises';
import { createDataCipher, verifyPassword } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { openAuditRows } from '@gatehouse/features/audit/list-audit';
import { createTestFolder, seedTestDatabase, testConfig } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createPersonnel } from './create-personnel.js';

interface Operator extends AsyncDisposable {
  readonly database: Database;
  create(...args: string[]): Promise<{ code: number; said: string }>;
}

async function sitDown(env: Readonly<Record<string, string>> = {}): Promise<Operator> {
  const folder = await createTestFolder();
  const url = `file:${folder.path}/cli.db`;
  const database = await openDatabase(url);
  await database.migrate();
  await seedTestDatabase(database);
  return {
    database,
    async create(...args) {
      const lines: string[] = [];
      const code = await createPersonnel.run({
        args,
        env: { DATABASE_URL: url, DATA_ENCRYPTION_KEY: testConfig().DATA_ENCRYPTION_KEY, ...env },
        say: (line) => void lines.push(line),
        draw: () => undefined,
      });
      return { code, said: lines.join('\n') };
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const ADA = ['--email', 'ada@gatehouse.test', '--first-name', 'Ada', '--last-name', 'Byron'];

/** The arguments of the command in a document. */
async function documentedArguments(path: string): Promise<string[]> {
  const text = await readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8');
  return /create-personnel (--.+)$/m.exec(text)?.[1]?.split(' ') ?? [];
}

describe('create-personnel', () => {
  it.each(['compose.yaml', 'README.md', 'docs/operations.md', 'docs/kubernetes.md'])(
    'creates the first administrator as %s says',
    async (path) => {
      await using operator = await sitDown();
      const { code, said } = await operator.create(...(await documentedArguments(path)));
      expect(said).toContain('Added ada@example.com');
      expect(code).toBe(0);
    },
  );

  it('creates staff with grants, shows a password once, and writes an audit entry without it', async () => {
    await using operator = await sitDown();
    const { code, said } = await operator.create(...ADA, '--role', '6', '--accounts', '2,3');
    expect(code).toBe(0);
    const password = /shown only now: (\S+)/.exec(said)?.[1] ?? '';
    const member = await findCredential(operator.database, 'ada@gatehouse.test');
    expect(member).toMatchObject({
      roleType: 6,
      role: 'Account Manager',
      isPersonnel: true,
      username: 'ada',
    });
    expect(await verifyPassword(password, member?.password ?? '')).toBe(true);
    const snapshot = await findAccessSnapshot(operator.database, member?.id ?? 0, Date.now());
    expect(snapshot?.grants).toEqual([2, 3]);
    const [entry] = await listAudit(operator.database, { action: 'personnel.added' }, { limit: 1 });
    expect(entry).toMatchObject({
      actorId: null,
      onBehalfOfId: member?.id,
      after: { roleType: 6, accountIds: [2, 3] },
    });
    expect(JSON.stringify(entry)).not.toContain(password);
  });

  it("stores the person's data in the audit log under the person's own key", async () => {
    await using operator = await sitDown();
    const { database: db } = operator;
    expect((await operator.create(...ADA, '--role', '6')).code).toBe(0);
    const lines = await listAudit(db, { action: 'personnel.added' }, { limit: 1 });
    expect(JSON.stringify(lines)).not.toMatch(/ada@gatehouse\.test|Byron/);
    const cipher = createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY });
    const [opened] = await openAuditRows({ db, cipher }, lines);
    expect(opened?.after).toMatchObject({ email: 'ada@gatehouse.test', lastName: 'Byron', roleType: 6 });
  });

  it('adds nobody without the key of the deployment', async () => {
    await using operator = await sitDown({ DATA_ENCRYPTION_KEY: '' });
    await expect(operator.create(...ADA, '--role', '6')).rejects.toThrow('DATA_ENCRYPTION_KEY');
    expect(await findCredential(operator.database, 'ada@gatehouse.test')).toBeUndefined();
  });

  it('writes nothing for a taken address, missing accounts, or a role that is not one of staff', async () => {
    await using operator = await sitDown();
    const taken = ADA.with(1, 'owner@birch.test');
    expect(await operator.create(...taken, '--role', '0')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/taken/) as string,
    });
    expect(await operator.create(...ADA, '--role', '6', '--accounts', '2,99')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/no such account/) as string,
    });
    for (const role of ['11', '7', '-1']) {
      expect(await operator.create(...ADA, `--role=${role}`)).toMatchObject({
        code: 1,
        said: expect.stringMatching(/not a staff role/) as string,
      });
    }
    for (const args of [[], ADA, [...ADA, '--role', 'chief'], [...ADA, '--role', '6', '--accounts', 'x']]) {
      expect((await operator.create(...args)).code).toBe(2);
    }
    expect(await findCredential(operator.database, 'ada@gatehouse.test')).toBeUndefined();
  });

  it('uses the configured numbers of roles', async () => {
    await using operator = await sitDown({ ACCOUNT_MANAGER: '16' });
    expect((await operator.create(...ADA, '--role', '6')).code).toBe(1);
    expect((await operator.create(...ADA, '--role', '16')).code).toBe(0);
    expect(await findCredential(operator.database, 'ada@gatehouse.test')).toMatchObject({ roleType: 16 });
  });
});
