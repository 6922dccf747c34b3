import { randomId } from '@gatehouse/auth-core';
import {
  type DueLogout,
  listDueLogouts,
  moveLogout,
  removeApplicationLogin,
  removeExpiredLogins,
} from '@gatehouse/db/queries/application-logins';
import { findApplicationById } from '@gatehouse/db/queries/applications';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../../core/context.js';
import { retryWaitMs } from '../../endpoint/delivery-outcome.js';
import { openProvider } from './open-provider.js';
import { sidOf } from './with-own-sessions.js';

const AT_ONCE = 16;

/** Another node may try again after this, if the one that tries dies. */
const LEASE_MS = 60_000;

/** An application that does not answer for this long is no longer notified. */
const GIVEN_UP_AFTER_MS = 86_400_000;

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** Notifies applications that a session has ended in which a member signed in to them, again until they answer, for a day. */
export const backchannelLogout: Job<Services> = {
  name: 'backchannel-logout',
  everyMs: 1_000,
  async run(services) {
    const { db, now, stopping } = services;
    let done = 0;
    while (!stopping.signal.aborted) {
      const due = await listDueLogouts(db, { nowMs: now(), limit: AT_ONCE });
      if (due.length === 0) break;
      await Promise.all(due.map((each) => tellOnce(services, each)));
      done += due.length;
    }
    return done;
  },
};

const EXPIRED_AT_ONCE = 1_000;

/** Forgets sign-ins to applications whose session expired. */
export const applicationLoginRetention: Job<Services> = {
  name: 'application-login-retention',
  everyMs: 3_600_000,
  restsBetweenRuns: true,
  run: ({ db }) => removeExpiredLogins(db, EXPIRED_AT_ONCE),
};

async function tellOnce(services: Services, due: DueLogout): Promise<void> {
  const { db, now } = services;
  const { id, endedAtMs, failures } = due;
  const until = now() + LEASE_MS;
  if (!(await moveLogout(db, { id, from: due.dueAtMs, to: until, failures: failures + 1 }))) return;
  const again = now() + retryWaitMs(failures + 1);
  const isOver = (await tell(services, due)) || again > endedAtMs + GIVEN_UP_AFTER_MS;
  if (isOver) await removeApplicationLogin(db, id);
  else await moveLogout(db, { id, from: until, to: again, failures: failures + 1 });
}

/** Sends a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.5). True if the application took it, or is gone. */
async function tell(services: Services, { applicationId, memberId, familyId }: DueLogout): Promise<boolean> {
  const { config, db, outbound } = services;
  const application = await findApplicationById(db, applicationId);
  const uri = application?.backchannelLogoutUri ?? null;
  const { provider } = await openProvider(services);
  const client = application && (await provider.Client.find(application.clientId));
  if (application === undefined || client === undefined || uri === null) return true;
  const { clientId, accountId } = application;
  const token = new provider.IdToken({ sub: String(memberId) }, { client });
  Reflect.set(token, 'mask', { sub: null });
  token.set('events', EVENTS);
  token.set('jti', randomId());
  token.set('sid', sidOf(config, { clientId, uid: `${familyId}.${memberId}` }));
  const body = new URLSearchParams({ logout_token: await token.issue({ use: 'logout' }) });
  const answer = await outbound.post(uri, {
    // Applications of the deployment may be in the private networks that the operator allows.
    reach: accountId === null ? 'private' : 'public',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Gatehouse' },
    body: body.toString(),
  });
  return 'status' in answer && answer.status >= 200 && answer.status < 300;
}
