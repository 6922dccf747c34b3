import { ConfigError, kitConfigShape, readConfig } from '@gatehouse/api-kit';
import { countPlainPasswords, type Database } from '@gatehouse/db';
import type { Command } from '../command.js';
import { withDatabase } from '../with-database.js';

interface Finding {
  readonly isWell: boolean;
  readonly text: string;
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'check configuration, database, migrations and passwords, and say what to do',
  async run(context) {
    const findings = [...configurationFindings(context.env)];
    try {
      findings.push(...(await withDatabase(context, databaseFindings)));
    } catch (error) {
      findings.push({
        isWell: false,
        text: `database: cannot be asked (${error instanceof Error ? error.name : 'error'})`,
      });
    }
    for (const { isWell, text } of findings) context.say(`${isWell ? 'ok  ' : 'FIX '} ${text}`);
    return findings.every(({ isWell }) => isWell) ? 0 : 1;
  },
};

function configurationFindings(env: Readonly<Record<string, string | undefined>>): Finding[] {
  try {
    readConfig(kitConfigShape, env);
    return [{ isWell: true, text: 'configuration: every variable is valid' }];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((text) => ({ isWell: false, text: `configuration: ${text}` }));
  }
}

async function databaseFindings(db: Database): Promise<Finding[]> {
  await db.ping();
  const findings: Finding[] = [{ isWell: true, text: `database: answers (${db.dialect})` }];
  const pending = await db.pendingMigrations();
  if (pending.length > 0) {
    findings.push({ isWell: false, text: `migrations: ${pending.length} pending; run gatehouse migrate` });
    return findings;
  }
  findings.push({ isWell: true, text: 'migrations: all applied' });
  const plain = await countPlainPasswords(db);
  findings.push(
    plain === 0
      ? { isWell: true, text: 'passwords: none in plain text' }
      : { isWell: false, text: `passwords: ${plain} in plain text; run gatehouse hash-passwords` },
  );
  return findings;
}
