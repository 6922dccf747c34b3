import { asciiDomain } from '@gatehouse/auth-core';

/** Public mailbox hosts, by their name under whatever public suffix. */
const FREE_MAIL_NAMES: ReadonlySet<string> = new Set([
  'aol',
  'fastmail',
  'freenet',
  'gmail',
  'gmx',
  'googlemail',
  'hotmail',
  'icloud',
  'laposte',
  'libero',
  'mailbox',
  'mailinator',
  'msn',
  'orange',
  'outlook',
  'posteo',
  'proton',
  'protonmail',
  'qq',
  'rediffmail',
  't-online',
  'tuta',
  'tutanota',
  'wanadoo',
  'yahoo',
  'yandex',
  'ymail',
  'zoho',
]);

/** Others whose name could also be that of a company. */
const FREE_MAIL_DOMAINS: ReadonlySet<string> = new Set([
  '126.com',
  '163.com',
  'bluewin.ch',
  'free.fr',
  'hey.com',
  'live.com',
  'live.de',
  'live.co.uk',
  'live.fr',
  'mac.com',
  'mail.com',
  'mail.ru',
  'me.com',
  'pm.me',
  'web.de',
]);

/**
 * The canonical form of a domain that an account may prove; undefined for a text that is not a domain, a public suffix, and a
 * public mailbox host or a name below it.
 */
export async function provableDomain(text: string): Promise<string | undefined> {
  const domain = asciiDomain(text.normalize('NFKC').trim().replace(/\.$/, ''));
  if (domain === undefined) return undefined;
  // Its list of suffixes is large, and few processes need it.
  const { parse } = await import('tldts');
  // Those of private registries are included: anybody can register a name below them.
  const { domain: registered, domainWithoutSuffix: name } = parse(domain, { allowPrivateDomains: true });
  if (registered === null || name === null) return undefined;
  return FREE_MAIL_NAMES.has(name) || FREE_MAIL_DOMAINS.has(registered) ? undefined : domain;
}
