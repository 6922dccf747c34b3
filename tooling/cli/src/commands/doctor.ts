import { parseUrl } from '@gatehouse/auth-core';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { probeMysqlRights } from '@gatehouse/db/rights/mysql-rights';
import { ConfigError, configShape } from '@gatehouse/features/core/config';
import { rootLevelOf } from '@gatehouse/features/core/guard/level';
import { pingRedis } from '@gatehouse/runtime/limits/ping-redis';
import { explainDelivery } from '@gatehouse/runtime/mail/mail-driver';
import { greetSmtp } from '@gatehouse/runtime/mail/smtp-driver';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { defineCommand } from '../define-command.js';
import {
  configurationFindings,
  mainUrlFindings,
  unknownVariables,
} from '../doctor/configuration-findings.js';
import { databaseFindings } from '../doctor/database-findings.js';
import { type Finding, finding } from '../doctor/finding.js';
import { legacyFindings } from '../doctor/legacy-findings.js';
import { rightsFindings } from '../doctor/rights-findings.js';
import { paymentFindings } from '../doctor/service-findings.js';
import { readRpId } from '../read-rp-id.js';
import { developmentEnvironment } from '../start/programs.js';
import { withDatabase } from '../with-database.js';
import { askingServices } from './billing.js';

/** How long the mail server may take to answer. */
const SMTP_TIMEOUT_MS = 5_000;

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'check configuration, secrets, database, clock, Redis, mail and passwords, and say what to do',
  usage: ['[--service api-main|api-admin]'],
  options: {
    service: {
      type: 'string',
      default: 'api-main',
      value: '<name>',
      about: 'whose variables these are: api-main, unless api-admin is named',
    },
  },
  async run(asked, { values: { service } }) {
    const context = { ...asked, env: checkedEnvironment(asked.env) };
    if (service !== 'api-main' && service !== 'api-admin') {
      context.say(`gatehouse doctor: there is no service ${service}; it is api-main or api-admin.`);
      return 2;
    }
    const database = await reachable('database', 'start it, or correct DATABASE_URL and its rights', () =>
      withDatabase(
        context,
        async (db) => {
          const findings = await databaseFindings(db, {
            auditRetentionDays: auditRetentionDays(context),
            rootLevel: rootLevel(context),
            factorsUntilMs: configShape.FACTORS_UNTIL.safeParse(context.env['FACTORS_UNTIL'] || undefined)
              .data,
            rpId: readRpId(context.env),
            nowMs: Date.now(),
          });
          const isCurrent = (await db.pendingMigrations()).length === 0;
          return isCurrent
            ? [...findings, ...(await paymentFindings(askingServices(context, db)))]
            : findings;
        },
        {
          tables: 'any',
        },
      ),
    );
    const findings = [
      ...configurationFindings(context.env, service, Date.now()),
      ...mainUrlFindings(context.env, service),
      ...unknownVariables(context.env),
      ...(await legacyFindings(context.env, Date.now())),
      ...database,
      ...(isUnreachable(database) ? [] : await rightsOfServices(context)),
      ...(await redisFindings(context)),
      ...(await mailFindings(context)),
    ];
    for (const { isWell, text } of findings) context.say(`${isWell ? 'ok  ' : 'FIX '} ${text}`);
    return findings.every(({ isWell }) => isWell) ? 0 : 1;
  },
});

/** The variables a service would run with: a development start adds defaults. */
function checkedEnvironment(env: CommandContext['env']): CommandContext['env'] {
  return env['NODE_ENV'] === 'development' ? developmentEnvironment(env, '.data') : env;
}

/** Uses a separate connection, because most of its statements should be refused. */
async function rightsOfServices(context: CommandContext): Promise<Finding[]> {
  const url = context.env['DATABASE_URL'] ?? '';
  if (!url.startsWith('mysql://')) return [];
  return reachable('rights', 'correct DATABASE_URL', async () => rightsFindings(await probeMysqlRights(url)));
}

/** Further findings about the database would only repeat this one. */
function isUnreachable(findings: readonly Finding[]): boolean {
  return findings.length === 1 && findings[0]?.isWell === false;
}

/** Skipped if mail is not sent over SMTP. */
async function mailFindings({ env }: CommandContext): Promise<Finding[]> {
  const url = configShape.SMTP_URL.safeParse(env['SMTP_URL'] || undefined).data;
  if (url === undefined || env['RESEND_API_KEY']) return [];
  const reason = await greetSmtp(url, SMTP_TIMEOUT_MS);
  return [
    finding(
      reason === undefined,
      'mail: the server of SMTP_URL answers; gatehouse mails test <address> sends one',
      `mail: ${explainDelivery(reason ?? '', { SMTP_URL: url })}`,
    ),
  ];
}

function auditRetentionDays({ env }: CommandContext): number {
  const { AUDIT_RETENTION_DAYS } = configShape;
  return (
    AUDIT_RETENTION_DAYS.safeParse(env['AUDIT_RETENTION_DAYS'] || undefined).data ??
    AUDIT_RETENTION_DAYS.parse(undefined)
  );
}

/** A wrong variable is a separate finding. */
function rootLevel({ env }: CommandContext): number {
  const { NODE_ENV, STAFF_LEVEL, STAFF_ROOT_LEVEL } = configShape;
  return rootLevelOf({
    NODE_ENV: NODE_ENV.safeParse(env['NODE_ENV'] || undefined).data ?? 'production',
    STAFF_LEVEL: STAFF_LEVEL.safeParse(env['STAFF_LEVEL'] || undefined).data ?? 1,
    STAFF_ROOT_LEVEL: STAFF_ROOT_LEVEL.safeParse(env['STAFF_ROOT_LEVEL'] || undefined).data,
  });
}

async function redisFindings({ env }: CommandContext): Promise<Finding[]> {
  const url = env['REDIS_URL'];
  if (url === undefined || parseUrl(url) === undefined) return [];
  const advice = 'start it, or correct REDIS_URL; until then each node counts limits by itself';
  return reachable('redis', advice, async () => {
    await pingRedis(url);
    return [{ isWell: true, text: 'redis: answers' }];
  });
}

function isAboutRights({ cause }: CommandError): boolean {
  return cause instanceof DatabaseUnavailableError && cause.code === 'ER_DBACCESS_DENIED_ERROR';
}

/** Driver messages may quote their input, so only the kind of failure is shown. */
async function reachable(what: string, advice: string, ask: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CommandError)
      return [{ isWell: false, text: `${isAboutRights(error) ? 'rights' : what}: ${error.message}` }];
    if (error instanceof ConfigError) return [];
    const kind = error instanceof Error ? error.name : 'error';
    return [{ isWell: false, text: `${what}: cannot be asked (${kind}); ${advice}` }];
  }
}
