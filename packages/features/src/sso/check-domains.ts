import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { listDueSsoDomains, type SsoDomain, setSsoDomainChecked } from '@gatehouse/db/queries/sso-domains';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { recordAudit } from '../audit/record-audit.js';
import type { Services } from '../core/context.js';
import { managersOf } from '../core/managers-of.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';
import { DAY_MS, lookForRecord } from './sso-domains.js';

const AT_ONCE = 10;

/** Name servers that do not answer are asked again so soon. */
const HOUR_MS = 3_600_000;

/** After so many days without its record a domain counts no longer. */
const LAPSES_AFTER_DAYS = 7;

/** The days of which the owners get mail. */
const MAILED_DAYS: ReadonlySet<number> = new Set([1, 3, 6, LAPSES_AFTER_DAYS]);

/** Looks for the records of verified domains once a day, and tells the owners before one lapses. */
export const ssoDomainChecks: Job<Services> = {
  name: 'sso-domain-checks',
  everyMs: 600_000,
  async run(services) {
    const due = await listDueSsoDomains(services.db, { nowMs: services.now(), limit: AT_ONCE });
    await Promise.all(due.map((domain) => check(services, domain)));
    if (due.length > 0) services.wakeups.wake('mail');
    return due.length;
  },
};

async function check(services: Services, row: SsoDomain): Promise<void> {
  const { id, accountId, domain, checkDueAtMs: dueAtMs } = row;
  if (dueAtMs === null) return;
  const { isFound, answer } = await lookForRecord(services, row);
  if ('failure' in answer) {
    // Nobody said that the record is not there.
    const again = { id, dueAtMs, checkDueAtMs: services.now() + HOUR_MS };
    await changeAccess(services.db, {}, (tx) => setSsoDomainChecked(tx, again));
    return;
  }
  const failedDays = isFound ? 0 : row.failedDays + 1;
  const isLapsing = failedDays >= LAPSES_AFTER_DAYS;
  const next = isLapsing
    ? { state: 'lapsed' as const, verifiedDomain: null, checkDueAtMs: null }
    : { checkDueAtMs: services.now() + DAY_MS };
  await changeAccess(services.db, isLapsing ? { accounts: [accountId] } : {}, async (tx) => {
    const nowMs = services.now();
    if (!(await setSsoDomainChecked(tx, { id, dueAtMs, failedDays, ...next }))) return;
    if (!isFound && MAILED_DAYS.has(failedDays)) {
      const account = await findAccount(tx, accountId);
      const data = {
        accountName: account && mailName(account.name),
        domain,
        lapsesAtMs: isLapsing ? null : nowMs + (LAPSES_AFTER_DAYS - failedDays) * DAY_MS,
        link: services.config.APP_URL,
      };
      for (const { memberId, email } of await managersOf(tx, accountId))
        await queueMail(tx, services, { kind: 'domainUnproven', to: email, memberId, data });
    }
    if (!isLapsing) return;
    await recordAudit(
      tx,
      { services },
      {
        atMs: nowMs,
        action: 'sso.domain-lapsed',
        actorId: null,
        accountId,
        subjectKind: 'ssoDomain',
        subjectId: id,
        before: { state: row.state },
        after: { domain, state: 'lapsed' },
      },
    );
  });
}
