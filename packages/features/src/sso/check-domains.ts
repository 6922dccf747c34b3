import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { listDueSsoDomains, type SsoDomain, setSsoDomainChecked } from '@gatehouse/db/queries/sso-domains';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { recordAudit } from '../audit/record-audit.js';
import type { Services } from '../core/context.js';
import { managersOf } from '../core/managers-of.js';
import { screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';
import { DAY_MS, lookForRecord } from './sso-domains.js';

const AT_ONCE = 10;

/** The time until name servers that did not answer are asked again. */
const HOUR_MS = 3_600_000;

/** After this many days without its record a domain is no longer verified. */
const LAPSES_AFTER_DAYS = 7;

/** The days on which the owners get mail. */
const MAILED_DAYS: ReadonlySet<number> = new Set([1, 3, 6, LAPSES_AFTER_DAYS]);

/** After this many days in which no name server has said whether the record exists, a domain is no longer verified. */
const LAPSES_AFTER_SILENT_DAYS = 30;

/** How many days before that the owners get mail. */
const MAILED_BEFORE_SILENT_END: readonly number[] = [7, 3, 1, 0];

/** Looks for the records of verified domains once a day, and notifies the owners before one lapses. */
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

/** What has to be written after a check, and what the owners are told; undefined for nothing. */
interface Verdict {
  readonly next: Parameters<typeof setSsoDomainChecked>[1];
  readonly told?: { readonly lapsesAtMs: number | null; readonly isSilent: boolean } | undefined;
}

async function check(services: Services, row: SsoDomain): Promise<void> {
  const { id, accountId, domain, checkDueAtMs: dueAtMs } = row;
  if (dueAtMs === null) return;
  const { isFound, answer } = await lookForRecord(services, row);
  const nowMs = services.now();
  const due = { ...row, dueAtMs, nowMs };
  const { next, told } = 'failure' in answer ? afterSilence(due) : afterAnswer(due, { isFound });
  const isLapsing = next.state === 'lapsed';
  await changeAccess(services.db, isLapsing ? { accounts: [accountId] } : {}, async (tx) => {
    if (!(await setSsoDomainChecked(tx, next))) return;
    if (told) {
      const account = await findAccount(tx, accountId);
      const data = {
        accountName: account && mailName(account.name),
        domain,
        ...told,
        link: screenLink(services.config, `a/${accountId}/settings/directory`),
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

type DueDomain = SsoDomain & { readonly dueAtMs: number; readonly nowMs: number };

const LAPSED = { state: 'lapsed', verifiedDomain: null, checkDueAtMs: null } as const;

function afterAnswer(
  { id, dueAtMs, nowMs, failedDays: before }: DueDomain,
  { isFound }: { isFound: boolean },
): Verdict {
  const failedDays = isFound ? 0 : before + 1;
  const isLapsing = failedDays >= LAPSES_AFTER_DAYS;
  const lapsesAtMs = isLapsing ? null : nowMs + (LAPSES_AFTER_DAYS - failedDays) * DAY_MS;
  return {
    next: {
      id,
      dueAtMs,
      failedDays,
      answeredAtMs: nowMs,
      ...(isLapsing ? LAPSED : { checkDueAtMs: nowMs + DAY_MS }),
    },
    told: !isFound && MAILED_DAYS.has(failedDays) ? { lapsesAtMs, isSilent: false } : undefined,
  };
}

/** No server said that the record is missing. A domain whose servers do not answer for weeks is lost or abandoned. */
function afterSilence({ id, dueAtMs, nowMs, answeredAtMs, verifiedAtMs, failedDays }: DueDomain): Verdict {
  const sinceMs = answeredAtMs ?? verifiedAtMs ?? nowMs;
  const endsAtMs = sinceMs + LAPSES_AFTER_SILENT_DAYS * DAY_MS;
  const isLapsing = nowMs >= endsAtMs;
  // The previous check was made an hour before this one was due, so that each mail is sent by only one of the two.
  const isMailed = MAILED_BEFORE_SILENT_END.some((days) => {
    const atMs = endsAtMs - days * DAY_MS;
    return dueAtMs - HOUR_MS < atMs && atMs <= nowMs;
  });
  return {
    next: { id, dueAtMs, failedDays, ...(isLapsing ? LAPSED : { checkDueAtMs: nowMs + HOUR_MS }) },
    told: isMailed ? { lapsesAtMs: isLapsing ? null : endsAtMs, isSilent: true } : undefined,
  };
}
