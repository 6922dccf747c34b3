import { readableAddress, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { renewInvitation } from '@gatehouse/db/queries/invitations';
import { findMailReader } from '@gatehouse/db/queries/list-mails';
import { isProven } from '@gatehouse/db/queries/member-columns';
import type { InvitationRow } from '@gatehouse/db/queries/read-invitations';
import { findMember, findMemberByAddress } from '@gatehouse/db/queries/read-members';
import type { LimitStore } from '@gatehouse/runtime/limits/limit-store';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import type { Services } from '../core/context.js';
import { personName } from '../core/member-view.js';
import { appLink } from '../mail/app-link.js';
import { consumeMailLimit, storeHeldMail } from '../mail/limit-mails.js';
import { mailName } from '../mail/mail-name.js';
import { writeMail } from '../mail/queue-mail.js';

/** Counters for `enforceLimit` that are part of a transaction. */
export function limitsWithin(
  tx: Database,
  { limits }: { readonly limits: LimitStore },
): { readonly limits: Pick<LimitStore, 'consume'> } {
  return { limits: { consume: (limit) => limits.consume(limit, tx) } };
}

const DAY_MS = 86_400_000;

const DAY_SECONDS = 86_400;

const MAILS_OF_ACCOUNT = 100;

const MAILS_TO_ADDRESS = 5;

/** How long the link of an expired invitation still says that it has expired. */
const TELLING_DAYS = 30;

/** The content of the next mail of an invitation. */
interface InvitationMail {
  readonly accountName: string;
  readonly inviterId: number;
  readonly roleType: number;
  readonly customRoleId: number | null;
  readonly days: number;
}

/**
 * Creates a new link of an invitation, which replaces the earlier ones, and mails it. If the address has
 * reached its daily limit, no mail is written and the invitation is held.
 * @returns the invitation afterwards
 * @throws {AppError} `rate_limited` if the account has reached its limit
 */
export async function sendInvitation(
  tx: Database,
  services: Services,
  invitation: InvitationRow,
  { accountName, days, nowMs, ...offer }: InvitationMail & { readonly nowMs: number },
): Promise<InvitationRow> {
  const { id, accountId, email, emailKey } = invitation;
  const { limits, tokens, config } = services;
  const payload = { type: 'invitation', invitationId: id } as const;
  const { token, tokenKey } = tokens.sealOneUse(payload, (days + TELLING_DAYS) * DAY_SECONDS);
  const expiresAtMs = nowMs + days * DAY_MS;
  const daily = {
    key: `invitation-mails:to:${sha256Hex(emailKey)}`,
    most: MAILS_TO_ADDRESS,
    windowMs: DAY_MS,
  };
  let mailId: number | null = null;
  if ((await limits.consume(daily, tx)).isAllowed) {
    const key = `invitation-mails:account:${accountId}`;
    const limit = { key, name: 'invitation-mails', most: MAILS_OF_ACCOUNT, windowMs: DAY_MS };
    await enforceLimit(limitsWithin(tx, services), limit);
    const inviter = await findMember(tx, offer.inviterId);
    const address = inviter !== undefined && isProven(inviter) ? inviter.email : null;
    const inviterEmail = address === null ? undefined : readableAddress(address);
    const recipient = await findMemberByAddress(tx, emailKey);
    const { locale = 'en' } = (await findMailReader(tx, offer.inviterId)) ?? {};
    const mail = {
      kind: 'invitation',
      to: email,
      ...(recipient?.isConfirmed ? { memberId: recipient.id } : {}),
      locale,
      data: {
        link: appLink(config, 'invitation', token),
        inviterName: inviter && mailName(personName(inviter)),
        inviterEmail,
        accountName: mailName(accountName),
        expiresAtMs,
      },
    } as const;
    // To the inviter, a mail above the limit of all strangers looks queued, so that they learn nothing about the others.
    mailId = (await consumeMailLimit(tx, services, mail))
      ? await writeMail(tx, services, mail)
      : ((await storeHeldMail(tx, services, mail)) ?? null);
  }
  await renewInvitation(tx, { ...offer, invitationId: id, tokenKey, mailId, expiresAtMs, nowMs });
  return { ...invitation, ...offer, tokenKey, mailId, expiresAtMs };
}
