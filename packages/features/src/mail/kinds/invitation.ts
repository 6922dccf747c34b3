import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Asks somebody to join an account. The inviter's address replaces names that look like links, addresses or telephone numbers. */
export const invitation: MailKind<{
  link: string;
  inviterName: string | undefined;
  /** The address of the inviter, which they have proved. */
  inviterEmail: string | undefined;
  accountName: string | undefined;
  expiresAtMs: number;
}> = {
  countedAs: 'contact',
  lifeMs: 24 * 3_600_000,
  compose: {
    en: ({ link, inviterEmail = 'Someone', inviterName = inviterEmail, accountName, expiresAtMs }) => ({
      subject: `${inviterName} invited you to ${accountName === undefined ? 'an organization' : `“${accountName}”`}`,
      paragraphs: [
        accountName === undefined
          ? `${inviterName} invited you to join the organization of ${inviterEmail}.`
          : `${inviterName} invited you to join “${accountName}”.`,
        `Open the invitation to accept or decline it. It expires on ${englishTime(expiresAtMs)}.`,
      ],
      action: { label: 'View invitation', link },
      closing: ["If you weren't expecting this, you don't need to do anything."],
    }),
    de: ({ link, inviterEmail = 'Jemand', inviterName = inviterEmail, accountName, expiresAtMs }) => ({
      subject: `${inviterName} hat dich in ${accountName === undefined ? 'eine Organisation' : `„${accountName}“`} eingeladen`,
      paragraphs: [
        accountName === undefined
          ? `${inviterName} hat dich in die Organisation von ${inviterEmail} eingeladen.`
          : `${inviterName} hat dich in die Organisation „${accountName}“ eingeladen.`,
        `Öffne die Einladung, um sie anzunehmen oder abzulehnen. Sie gilt bis zum ${germanTime(expiresAtMs)}.`,
      ],
      action: { label: 'Einladung ansehen', link },
      closing: ['Wenn du das nicht erwartet hast, musst du nichts tun.'],
    }),
  },
};
