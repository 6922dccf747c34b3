import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Names in the mail; each is omitted if it looks like a link. */
export interface TokenNames {
  readonly tokenName: string | undefined;
  readonly accountName: string | undefined;
}

/** Tells the owners of an account that a token of their directory ends soon. */
export const scimTokenExpiring: MailKind<TokenNames & { atMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link, ...names }) => ({
      subject: 'The provisioning token expires soon',
      paragraphs: [
        `${english(names)} expires on ${englishTime(atMs)}.`,
        'Your directory cannot add or remove people after that. Create a new token, enter it in your directory, and revoke the old one.',
      ],
      action: { label: 'Open settings', link },
      closing: [],
    }),
    de: ({ atMs, link, ...names }) => ({
      subject: 'Das Token deines Verzeichnisses läuft bald ab',
      paragraphs: [
        `${german(names)} läuft am ${germanTime(atMs)} ab.`,
        'Dein Verzeichnis kann danach niemanden mehr hinzufügen oder entfernen. Erstelle ein neues Token, trage es in deinem Verzeichnis ein und widerrufe das alte.',
      ],
      action: { label: 'Einstellungen öffnen', link },
      closing: [],
    }),
  },
};

function english({ tokenName, accountName }: TokenNames): string {
  const token = tokenName === undefined ? 'A provisioning token' : `The provisioning token “${tokenName}”`;
  return accountName === undefined ? token : `${token} of the organization “${accountName}”`;
}

function german({ tokenName, accountName }: TokenNames): string {
  const token = tokenName === undefined ? 'Ein Token' : `Das Token „${tokenName}“`;
  const place = accountName === undefined ? '' : ` der Organisation „${accountName}“`;
  return `${token} für das Verzeichnis${place}`;
}
