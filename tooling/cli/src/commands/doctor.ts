import { pingRedis } from '@gatehouse/api-kit';
import type { Command, CommandContext } from '../command.js';
import { configurationFindings } from '../doctor/configuration-findings.js';
import { databaseFindings } from '../doctor/database-findings.js';
import type { Finding } from '../doctor/finding.js';
import { withDatabase } from '../with-database.js';

export const doctor: Command = {
  name: 'doctor',
  summary: 'check configuration, secrets, database, clock, Redis and passwords, and say what to do',
  async run(context) {
    const findings = [
      ...configurationFindings(context.env, Date.now()),
      ...(await reachable('database', 'start it, or correct DATABASE_URL and its rights', () =>
        withDatabase(context, databaseFindings),
      )),
      ...(await redisFindings(context)),
    ];
    for (const { isWell, text } of findings) context.say(`${isWell ? 'ok  ' : 'FIX '} ${text}`);
    return findings.every(({ isWell }) => isWell) ? 0 : 1;
  },
};

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
