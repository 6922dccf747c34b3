import { insertAudit } from '@gatehouse/db/queries/audit-log';
import { createServingUser, createTestDatabase, seedTestDatabase } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { Command } from '../command.js';
import { migrate } from './database.js';
import { doctor } from './doctor.js';
import { grants } from './grants.js';
import { pruneAudit } from './prune-audit.js';

function operator(env: Readonly<Record<string, string>>) {
  return async (command: Command, ...args: string[]) => {
    const lines: string[] = [];
    const code = await command.run({
      args,
      env,
      say: (line) => void lines.push(line),
      draw: () => undefined,
    });
    return { code, lines };
  };
}

describe('an operator with two database users', () => {
  it('can let one user serve while the other migrates, and only the other prunes the audit log', async () => {
    await using own = await createTestDatabase('mysql');
    await seedTestDatabase(own.database);
    await insertAudit(own.database, { atMs: 1, action: 'long ago' });
    await using user = await createServingUser(own.url, { granted: false });
    const run = operator({ DATABASE_URL: user.url, MIGRATION_DATABASE_URL: own.url });
    const rightsSaid = async () =>
      (await run(doctor)).lines.filter((line) => line.includes(' rights: ')).map((line) => line.slice(0, 4));

    expect(await rightsSaid()).toEqual(['FIX ']);
    const statements = (await run(grants)).lines;
    expect(statements).toContain(
      `GRANT SELECT, INSERT ON \`${new URL(own.url).pathname.slice(1)}\`.\`audit_log\` TO '${user.account.split('@')[0]}'@'%';`,
    );
    expect(await run(migrate)).toEqual({
      code: 0,
      lines: [
        'Nothing to apply: the database is up to date.',
        `${user.account} may serve: no table, and no line of the audit log, is theirs to change.`,
      ],
    });
    expect(await rightsSaid()).toEqual(['ok  ', 'ok  ', 'ok  ']);

    await expect(operator({ DATABASE_URL: user.url })(pruneAudit)).rejects.toMatchObject({ errno: 1142 });
    expect(await run(pruneAudit)).toEqual({ code: 0, lines: ['1 lines of more than 730 days removed.'] });
    const alone = await operator({ DATABASE_URL: own.url })(doctor);
    expect(alone.lines.filter((line) => line.startsWith('FIX  rights: '))).toHaveLength(2);
  });

  it('gets the statements for any account, and changes nothing as an unprivileged user', async () => {
    await using own = await createTestDatabase('mysql');
    await using migrating = await createServingUser(own.url);
    await using user = await createServingUser(own.url, { granted: false });
    const run = operator({ DATABASE_URL: user.url, MIGRATION_DATABASE_URL: migrating.url });
    await expect(run(migrate)).rejects.toThrow('denied');
    expect((await run(grants, '--for', 'somebody@10.%')).lines.at(-1)).toMatch(/ TO 'somebody'@'10\.%';$/);
    expect((await run(grants, '--for', 'somebody')).code).toBe(2);
  });
});
