import { probeMysqlRights } from '@gatehouse/db';
import { configShape } from '@gatehouse/features/app/config';
import { pingRedis } from '@gatehouse/runtime/limits/ping-redis';
import type { Command, CommandContext } from '../command.js';
import { configurationFindings } from '../doctor/configuration-findings.js';
import { databaseFindings } from '../doctor/database-findings.js';
import type { Finding } from '../doctor/finding.js';
import { rightsFindings } from '../doctor/rights-findings.js';
import { withDatabase } from '../with-database.js';

export const doctor: Command = {
  name: 'doctor',
  summary: 'check configuration, secrets, database, clock, Redis and passwords, and say what to do',
  async run(context) {
    const findings = [
      ...configurationFindings(context.env, Date.now()),
      ...(await reachable('database', 'start it, or correct DATABASE_URL and its rights', () =>
        withDatabase(context, (db) => databaseFindings(db, auditRetentionDays(context), Date.now())),
      )),
      ...(await rightsOfServices(context)),
      ...(await redisFindings(context)),
    ];
    for (const { isWell, text } of findings) context.say(`${isWell ? 'ok  ' : 'FIX '} ${text}`);
    return findings.every(({ isWell }) => isWell) ? 0 : 1;
  },
};

/** Asked with a connection of its own, since most of what it tries is to be refused. */
async function rightsOfServices(context: CommandContext): Promise<Finding[]> {
  const url = context.env['DATABASE_URL'] ?? '';
  if (!url.startsWith('mysql://')) return [];
  return reachable('rights', 'correct DATABASE_URL', async () => rightsFindings(await probeMysqlRights(url)));
}

function auditRetentionDays({ env }: CommandContext): number {
  const { AUDIT_RETENTION_DAYS } = configShape;
  return (
    AUDIT_RETENTION_DAYS.safeParse(env['AUDIT_RETENTION_DAYS'] || undefined).data ??
    AUDIT_RETENTION_DAYS.parse(undefined)
  );
}

async function redisFindings({ env }: CommandContext): Promise<Finding[]> {
  const url = env['REDIS_URL'];
  if (url === undefined || !URL.canParse(url)) return [];
  const advice = 'start it, or correct REDIS_URL; until then each node counts limits by itself';
  return reachable('redis', advice, async () => {
    await pingRedis(url);
    return [{ isWell: true, text: 'redis: answers' }];
  });
}

/** Messages of drivers may quote what they were given, so only the kind of failure is told. */
async function reachable(what: string, advice: string, ask: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await ask();
  } catch (error) {
    const kind = error instanceof Error ? error.name : 'error';
    return [{ isWell: false, text: `${what}: cannot be asked (${kind}); ${advice}` }];
  }
}
