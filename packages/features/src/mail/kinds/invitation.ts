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
    en: ({ link, inviterEmail = 'Somebody', inviterName = inviterEmail, accountName, expiresAtMs }) => ({
      subject: 'You are invited to an account',
      paragraphs: [
        accountName === undefined
          ? `${inviterName} invites you to the account of ${inviterEmail}.`
          : `${inviterName} invites you to the account “${accountName}”.`,
        `The link shows the invitation, until ${englishTime(expiresAtMs)}. Nothing happens before you accept it.`,
      ],
      action: { label: 'See the invitation', link },
      closing: ['If you did not expect this, you need not do anything. You can also decline by the link.'],
    }),
    de: ({ link, inviterEmail = 'Jemand', inviterName = inviterEmail, accountName, expiresAtMs }) => ({
      subject: 'Du bist in ein Konto eingeladen',
      paragraphs: [
        accountName === undefined
          ? `${inviterName} lädt dich in das Konto von ${inviterEmail} ein.`
          : `${inviterName} lädt dich in das Konto „${accountName}“ ein.`,
        `Der Link zeigt die Einladung, bis zum ${germanTime(expiresAtMs)}. Es geschieht nichts, bevor du annimmst.`,
      ],
      action: { label: 'Einladung ansehen', link },
      closing: [
        'Wenn du das nicht erwartet hast, musst du nichts tun. Du kannst über den Link auch ablehnen.',
      ],
    }),
  },
};
