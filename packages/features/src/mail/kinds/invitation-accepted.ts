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
}> = {
  countedAs: 'notice',
  mostPerHour: 100,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ memberName, email, accountName, atMs }) => ({
      subject: 'Your invitation was accepted',
      paragraphs: [
        `${memberName === undefined ? email : `${memberName} (${email})`} accepted your invitation to ${
          accountName === undefined ? 'an account' : `the account “${accountName}”`
        } on ${englishTime(atMs)}.`,
      ],
      closing: ['They are among its members now. Whoever manages the members can change that at any time.'],
    }),
    de: ({ memberName, email, accountName, atMs }) => ({
      subject: 'Deine Einladung wurde angenommen',
      paragraphs: [
        `${memberName === undefined ? email : `${memberName} (${email})`} hat deine Einladung in ${
          accountName === undefined ? 'ein Konto' : `das Konto „${accountName}“`
        } am ${germanTime(atMs)} angenommen.`,
      ],
      closing: [
        'Sie gehören jetzt zu den Mitgliedern. Wer die Mitglieder verwaltet, kann das jederzeit ändern.',
      ],
    }),
  },
};
