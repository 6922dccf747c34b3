import type { Locale } from '@gatehouse/db/tables/member-tables';
import type { Config } from '../core/config.js';
import { appLink, signInLink } from './app-link.js';
import { mailBrand } from './mail-brand.js';
import { MAIL_KINDS, type MailData, type MailKindName } from './mail-kinds.js';
import { type RenderedMail, renderMail } from './render-mail.js';

/**
 * Every kind of mail as its reader sees it, with example content. Links lead to `APP_URL` and have no effect.
 */
export function previewMails(
  config: Pick<Config, 'APP_URL'> & Partial<Pick<Config, 'PORTAL_BRAND'>>,
  locale: Locale,
): Record<MailKindName, RenderedMail> {
  const brand = mailBrand({ PORTAL_BRAND: config.PORTAL_BRAND });
  const atMs = Date.UTC(2026, 0, 5, 9, 30);
  const accounts = config.APP_URL;
  const forgot = appLink(config, 'forgot');
  const reset = appLink(config, 'reset', 'made-up');
  const key = { keyName: 'Nightly import', machineName: 'Importer', accountName: 'Acme Studio' };
  const examples: MailData = {
    accountClosed: { accountName: 'Acme Studio', atMs, erasesAtMs: atMs + 30 * 86_400_000, link: accounts },
    activation: { link: appLink(config, 'confirm', 'made-up') },
    addressAgreed: {
      pendingEmail: 'm***@acme.test',
      effectiveAtMs: atMs + 3_600_000,
      link: appLink(config, 'email-approval', 'made-up'),
    },
    addressApproval: { link: appLink(config, 'email-approval', 'made-up') },
    addressChanged: { atMs, link: forgot, isNew: true },
    addressChanging: { atMs, link: forgot },
    certificateEnding: {
      isForStaff: false,
      accountName: 'Acme Studio',
      connectionName: 'Acme Okta',
      endsAtMs: atMs + 7 * 86_400_000,
      link: accounts,
    },
    comeBack: { erasesAtMs: atMs, link: appLink(config, 'restore', 'made-up') },
    domainUnproven: {
      accountName: 'Acme Studio',
      domain: 'acme.test',
      lapsesAtMs: atMs + 4 * 86_400_000,
      isSilent: false,
      link: accounts,
    },
    endpointFailing: { host: 'hooks.acme.test', fault: 'failing', sinceMs: atMs, link: accounts },
    factorChanged: { change: 'totpAdded', atMs, device: 'Firefox on Linux', link: forgot },
    impersonationStarted: { atMs, expiresAtMs: atMs + 30 * 60_000, isReadOnly: true, link: accounts },
    invitation: {
      link: appLink(config, 'invitation', 'made-up'),
      inviterName: 'Olivia Marsh',
      inviterEmail: 'olivia@acme.test',
      accountName: 'Acme Studio',
      expiresAtMs: atMs + 7 * 86_400_000,
    },
    invitationAccepted: {
      memberName: 'Mina Sato',
      email: 'mina@acme.test',
      accountName: 'Acme Studio',
      atMs,
      link: accounts,
    },
    listedPassword: { link: forgot },
    mailedCode: { code: '01234567', minutes: 10 },
    memberDeleted: { erasesAtMs: atMs, link: appLink(config, 'restore', 'made-up') },
    memberReturned: {
      accountName: 'Acme Studio',
      memberName: 'Mina Sato',
      isWaiting: true,
      atMs,
      link: config.APP_URL,
    },
    moreNotices: { events: [['A backup code was used', 3]], link: forgot },
    newConnection: { providerName: 'GitHub', atMs, link: forgot },
    oneTimePassword: { password: '0a1b2c', minutes: 10 },
    ownershipMoved: {
      accountName: 'Acme Studio',
      ownerName: 'Ada Byron',
      isNewOwner: false,
      atMs,
      link: forgot,
    },
    passwordChanged: { atMs, link: forgot },
    passwordReset: { link: reset, minutes: 30 },
    recovery: {
      stage: 'opened',
      atMs,
      effectiveAtMs: atMs + 86_400_000,
      link: appLink(config, 'recovery', 'made-up'),
    },
    recoveryTicket: { ticket: 'made-up', expiresAtMs: atMs + 86_400_000 },
    removedFromAccount: { accountName: 'Acme Studio', atMs },
    roleChanged: { accountName: 'Acme Studio', role: 'Contributor', atMs },
    signInCode: { code: '01234567', link: signInLink(config, 'made-up'), minutes: 10 },
    signInNotice: { sign: 'newDevice', atMs, device: 'Firefox on Linux', link: forgot },
    signInsEnded: { atMs, link: forgot, hasHeld: true },
    keyExpiring: { ...key, atMs, link: accounts },
    keyLeaked: { ...key, atMs, link: accounts },
    scimTokenExpiring: { tokenName: 'Entra ID', accountName: 'Acme Studio', atMs, link: accounts },
    policyChanged: { accountName: 'Example Ltd', level: 2, fromMs: atMs, link: config.APP_URL },
    ssoBypassed: {
      accountName: 'Acme Studio',
      memberName: 'Olivia Marsh',
      atMs,
      link: accounts,
    },
    staffAccessChanged: { role: 'Account Manager', atMs },
    staffInvitation: { link: reset, hours: 72 },
    staffTicketIssued: { email: 'ada@example.com', atMs, endsFactors: true },
    tokenReused: { application: 'Wiki', atMs, link: config.APP_URL },
  };
  const preview = <Name extends MailKindName>(name: Name) =>
    renderMail(MAIL_KINDS[name], examples[name], { locale, brand });
  return {
    accountClosed: preview('accountClosed'),
    activation: preview('activation'),
    addressAgreed: preview('addressAgreed'),
    addressApproval: preview('addressApproval'),
    addressChanged: preview('addressChanged'),
    addressChanging: preview('addressChanging'),
    certificateEnding: preview('certificateEnding'),
    comeBack: preview('comeBack'),
    domainUnproven: preview('domainUnproven'),
    endpointFailing: preview('endpointFailing'),
    factorChanged: preview('factorChanged'),
    impersonationStarted: preview('impersonationStarted'),
    invitation: preview('invitation'),
    invitationAccepted: preview('invitationAccepted'),
    keyExpiring: preview('keyExpiring'),
    scimTokenExpiring: preview('scimTokenExpiring'),
    keyLeaked: preview('keyLeaked'),
    listedPassword: preview('listedPassword'),
    mailedCode: preview('mailedCode'),
    memberDeleted: preview('memberDeleted'),
    memberReturned: preview('memberReturned'),
    moreNotices: preview('moreNotices'),
    newConnection: preview('newConnection'),
    oneTimePassword: preview('oneTimePassword'),
    ownershipMoved: preview('ownershipMoved'),
    passwordChanged: preview('passwordChanged'),
    passwordReset: preview('passwordReset'),
    recovery: preview('recovery'),
    recoveryTicket: preview('recoveryTicket'),
    removedFromAccount: preview('removedFromAccount'),
    roleChanged: preview('roleChanged'),
    signInCode: preview('signInCode'),
    signInNotice: preview('signInNotice'),
    signInsEnded: preview('signInsEnded'),
    policyChanged: preview('policyChanged'),
    ssoBypassed: preview('ssoBypassed'),
    staffAccessChanged: preview('staffAccessChanged'),
    staffInvitation: preview('staffInvitation'),
    staffTicketIssued: preview('staffTicketIssued'),
    tokenReused: preview('tokenReused'),
  };
}
