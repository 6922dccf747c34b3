import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/**
 * Notifies an inviter that the invited person has joined. Names that look like links or addresses are left
 * out.
 */
export const invitationAccepted: MailKind<{
  memberName: string | undefined;
  email: string;
  accountName: string | undefined;
  atMs: number;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 100,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ memberName, email, accountName, atMs, link }) => ({
      subject: `${memberName ?? 'A new member'} joined ${accountName === undefined ? 'your organization' : `“${accountName}”`}`,
      paragraphs: [
        `${memberName === undefined ? email : `${memberName} (${email})`} accepted your invitation to ${
          accountName === undefined ? 'an organization' : `the organization “${accountName}”`
        } on ${englishTime(atMs)}.`,
      ],
      action: { label: 'Open team', link },
      closing: ['They are now a member. You can change their role or remove them at any time.'],
    }),
    de: ({ memberName, email, accountName, atMs, link }) => ({
      subject: `${memberName ?? 'Ein neues Mitglied'} gehört jetzt zu ${accountName === undefined ? 'deiner Organisation' : `„${accountName}“`}`,
      paragraphs: [
        `${memberName === undefined ? email : `${memberName} (${email})`} hat deine Einladung in ${
          accountName === undefined ? 'eine Organisation' : `die Organisation „${accountName}“`
        } am ${germanTime(atMs)} angenommen.`,
      ],
      action: { label: 'Team öffnen', link },
      closing: [
        'Die Person gehört jetzt zur Organisation. Du kannst ihre Rolle jederzeit ändern oder sie entfernen.',
      ],
    }),
  },
};
