import { sha256Hex } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { listDueMetadata, setMetadataSeen, takeMetadataTurn } from '@gatehouse/db/queries/saml';
import { findSsoConnection, PLATFORM, type SsoConnection } from '@gatehouse/db/queries/sso-connections';
import type { SamlCheck, SsoSettings } from '@gatehouse/db/tables/sso-tables';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { changedFields } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import type { Services } from '../core/context.js';
import { managersOf } from '../core/managers-of.js';
import { consoleLink, screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';
import { subjectOf } from './change-connections.js';
import { fetchSamlMetadata } from './fetch-saml-metadata.js';
import type { SamlMetadata } from './read-saml-metadata.js';
import { certificatesEndOf } from './saml-key.js';
import { renewedSamlKeys } from './saml-keys.js';

const DAY_MS = 86_400_000;

/** A response with an unknown key causes a new fetch, but only this often. */
const BETWEEN_TRIES_MS = 300_000;

/** The owners are warned this many days before a certificate ends. The date itself refuses nobody. */
const WARNED_DAYS = [1, 7, 30];

const AT_ONCE = 10;

/** Fetches the metadata of identity providers daily, keeps our own keys overlapping, and warns of certificates that end. */
export const samlMetadataChecks: Job<Services> = {
  name: 'saml-metadata-checks',
  everyMs: 600_000,
  async run(services) {
    const due = await listDueMetadata(services.db, { nowMs: services.now(), limit: AT_ONCE });
    await Promise.all(due.map((row) => lookAtMetadata(services, row)));
    if (due.length > 0) services.wakeups.wake('mail');
    return due.length;
  },
};

/**
 * Fetches the metadata of a connection, unless that was done within five minutes. The known metadata stays if it cannot be
 * fetched, or names another identity provider.
 * @returns whether it was fetched now
 */
export async function lookAtMetadata(services: Services, { id, accountId }: SsoConnection): Promise<boolean> {
  const nowMs = services.now();
  const turn = { id, nowMs, beforeMs: nowMs - BETWEEN_TRIES_MS, dueAtMs: nowMs + DAY_MS };
  if (!(await takeMetadataTurn(services.db, turn))) return false;
  const row = await findSsoConnection(services.db, { id, accountId });
  if (row === undefined) return false;
  const settings = await seen(services, row.settings);
  const live = row.live === null ? null : await seen(services, row.live);
  const secret = (await renewedSamlKeys(services, row)) ?? row.secret;
  const warning = warningOf(live?.settings ?? settings.settings, row.metadataCheck, nowMs);
  const check = { problem: live?.problem ?? settings.problem, warned: warning?.warned ?? null };
  await changeAccess(services.db, {}, async (tx) => {
    const isWritten = await setMetadataSeen(tx, {
      id,
      version: row.version,
      liveVersion: row.liveVersion,
      metadataCheck: check,
      settings: settings.settings,
      live: live?.settings ?? null,
      secret,
      liveSecret: row.live === null ? null : secret,
      certificatesEndAtMs: certificatesEndOf(live?.settings ?? settings.settings),
      ...(hasMoved(row.settings, settings.settings) ? { testedVersion: null } : {}),
    });
    if (!isWritten) return;
    const replaced = [
      changedFields(replacedBy(row.settings), replacedBy(settings.settings)),
      row.live && live ? changedFields(replacedBy(row.live), replacedBy(live.settings)) : undefined,
    ].filter((each) => each !== undefined);
    // Settings that were not changed since they were switched on have one line.
    const lines = new Map(replaced.map((each) => [JSON.stringify(each), each]));
    for (const fields of lines.values())
      await recordAudit(
        tx,
        { services },
        { atMs: nowMs, action: 'sso.connection-changed', actorId: null, ...subjectOf(row), ...fields },
      );
    if (warning?.isNew !== true) return;
    const isForStaff = accountId === PLATFORM;
    const account = isForStaff ? undefined : await findAccount(tx, accountId);
    const data = {
      isForStaff,
      accountName: account && mailName(account.name),
      connectionName: mailName(row.name),
      endsAtMs: warning.warned.endsAtMs,
      link: isForStaff
        ? consoleLink(services.config, 'single-sign-on/staff')
        : screenLink(services.config, `a/${accountId}/settings/directory`),
    };
    for (const { memberId, email } of await managersOf(tx, isForStaff ? null : accountId))
      await queueMail(tx, services, { kind: 'certificateEnding', to: email, memberId, data });
  });
  return true;
}

/** Settings with the current content of their metadata, and what was wrong with it. */
async function seen(
  services: Services,
  settings: SsoSettings,
): Promise<{ readonly settings: SsoSettings; readonly problem: string | null }> {
  if (settings.kind !== 'saml' || settings.metadataUrl === null) return { settings, problem: null };
  const fetched = await fetchSamlMetadata(services, settings.metadataUrl);
  if ('problem' in fetched) return { settings, problem: fetched.problem };
  const { metadata } = fetched;
  if (metadata.entityId !== settings.entityId)
    return { settings, problem: `It names another identity provider: ${metadata.entityId}` };
  return { settings: { ...settings, ...metadata }, problem: null };
}

/** The last of the certificates that a connection knows, if it ends soon, and whether the owners should be warned now. */
function warningOf(
  settings: SsoSettings,
  before: SamlCheck | null,
  nowMs: number,
): { readonly warned: NonNullable<SamlCheck['warned']>; readonly isNew: boolean } | undefined {
  const endsAtMs = certificatesEndOf(settings);
  if (endsAtMs === null) return undefined;
  const days = WARNED_DAYS.find((each) => nowMs < endsAtMs && endsAtMs <= nowMs + each * DAY_MS);
  if (days === undefined) return undefined;
  const warned = before?.warned?.endsAtMs === endsAtMs ? before.warned : undefined;
  return { warned: { endsAtMs, days }, isNew: warned === undefined || days < warned.days };
}

const certificatesOf = (settings: SsoSettings): SamlMetadata['certificates'] =>
  settings.kind === 'saml' ? settings.certificates : [];

/** What metadata replaces in settings, as the audit log has it. */
function replacedBy(settings: SsoSettings): Record<string, unknown> {
  if (settings.kind !== 'saml') return {};
  const { ssoUrl, logoutUrl, logoutAnswerUrl } = settings;
  return { signingKeys: keyNames(settings), ssoUrl, logoutUrl, logoutAnswerUrl };
}

/** Whether metadata replaced more than the signing keys. An earlier test then does not cover the new settings. */
function hasMoved(before: SsoSettings, after: SsoSettings): boolean {
  const { signingKeys: _before, ...rest } = replacedBy(before);
  const { signingKeys: _after, ...replaced } = replacedBy(after);
  return changedFields(rest, replaced) !== undefined;
}

/** What the audit log calls a key: the beginning of the digest of its certificate. */
const keyNames = (settings: SsoSettings): string[] =>
  certificatesOf(settings).map((certificate) => sha256Hex(certificate).slice(0, 16));
