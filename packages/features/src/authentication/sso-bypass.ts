import { AppError, type CredentialKind } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findMembership } from '@gatehouse/db/queries/memberships';
import type { Credential } from '@gatehouse/db/queries/passwords';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { SsoOfDomain } from '@gatehouse/db/queries/sso-domains';
import type { Context, Services } from '../core/context.js';
import { managersOf } from '../core/managers-of.js';
import { findRequiredSso, ssoRequired } from '../core/required-sso.js';
import { screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';

/**
 * Whether a member may sign in another way although their account requires its identity provider: staff, and exempt owners as
 * long as they are owners of it.
 */
export async function mayBypass(
  { db, roles }: Pick<Services, 'db' | 'roles'>,
  { accountId, sso }: SsoOfDomain,
  { id: memberId, isPersonnel }: Pick<Credential, 'id' | 'isPersonnel'>,
): Promise<boolean> {
  if (isPersonnel) return true;
  const { admin, owner } = roles.id;
  const membership = await findMembership(db, { accountId, memberId });
  const isOwner = membership?.active === true && [admin, owner].includes(membership.roleType);
  return isOwner && sso.exemptIds.includes(memberId);
}

/** Notifies the owners of an account, in the transaction of the sign-in, that somebody signs in without its identity provider. */
async function tellOfBypass(
  tx: Database,
  services: Services,
  { accountId, memberId: id }: { readonly accountId: number; readonly memberId: number },
): Promise<void> {
  const account = await findAccount(tx, accountId);
  const member = await findMember(tx, id);
  const name = [member?.firstName, member?.lastName].filter(Boolean).join(' ');
  const data = {
    accountName: account && mailName(account.name),
    memberName: name === '' ? undefined : mailName(name),
    atMs: services.now(),
    link: screenLink(services.config, `a/${accountId}/settings/directory`),
  };
  for (const { memberId, email } of await managersOf(tx, accountId))
    await queueMail(tx, services, { kind: 'ssoBypassed', to: email, memberId, data });
}

/**
 * Requires, of a person who has proven their identity, that no account requires its identity provider for their address, or that
 * they may sign in otherwise.
 * @param withoutSso whether they say that they sign in otherwise
 * @throws {AppError} `sso_required`; `invalid_credentials` for those who say so and may not
 */
export async function requireOwnSignInOf(
  ctx: Context,
  member: Credential,
  { sent, withoutSso }: { sent?: CredentialKind | undefined; withoutSso: boolean },
): Promise<void> {
  const { services } = ctx;
  // Only staff sign in there, and no account's identity provider signs in staff.
  if (member.isPersonnel || services.deployment.application === 'admin') return;
  const required = await findRequiredSso(services, member.emailKey ?? '');
  if (required === undefined) return;
  if (!withoutSso) throw ssoRequired(services, required.sso);
  if (!(await mayBypass(services, required, member))) throw new AppError('invalid_credentials', { sent });
}

/**
 * Requires, of a person who continues something begun earlier, such as a mailed link or a first step, that no account requires
 * its identity provider for their address by now, unless they may sign in otherwise.
 * @returns what an exempt owner passes by; undefined where nothing is required
 * @throws {AppError} `sso_required`
 */
export async function requireOwnSignInStill(
  services: Pick<Services, 'db' | 'config' | 'roles'>,
  member: Pick<Credential, 'id' | 'isPersonnel' | 'emailKey'>,
): Promise<SsoOfDomain | undefined> {
  if (member.isPersonnel) return undefined;
  const required = await findRequiredSso(services, member.emailKey ?? '');
  if (required === undefined || (await mayBypass(services, required, member))) return required;
  throw ssoRequired(services, required.sso);
}

/**
 * The same in the transaction of a sign-in, whatever its proof was. The owners get a mail when an exempt owner signs in.
 * @throws {AppError} `sso_required`
 */
export async function requireOwnSignInIn(
  tx: Database,
  services: Services,
  member: Pick<Credential, 'id' | 'isPersonnel' | 'emailKey'>,
): Promise<void> {
  const passed = await requireOwnSignInStill({ ...services, db: tx }, member);
  if (passed) await tellOfBypass(tx, services, { accountId: passed.accountId, memberId: member.id });
}
