import { ConfigError, kitConfigShape, readConfig } from '@gatehouse/api-kit';
import { countPlainPasswords, type Database, listDeadMails } from '@gatehouse/db';
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
    const { NODE_ENV, RESEND_API_KEY, SMTP_URL } = readConfig(kitConfigShape, env);
    const findings: Finding[] = [{ isWell: true, text: 'configuration: every variable is valid' }];
    if (NODE_ENV === 'production' && RESEND_API_KEY === undefined && SMTP_URL === undefined) {
      findings.push({ isWell: false, text: 'mail: reaches nobody; set RESEND_API_KEY or SMTP_URL' });
    }
    return findings;
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
  const [dead] = await listDeadMails(db, 1);
  findings.push(
    dead === undefined
      ? { isWell: true, text: 'mails: none was given up' }
      : { isWell: false, text: 'mails: some were given up; run gatehouse mails list' },
  );
  return findings;
}
