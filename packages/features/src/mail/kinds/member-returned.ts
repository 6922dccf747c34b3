import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells the owners of an account that a deleted member is back, and whether that needs their approval. */
export const memberReturned: MailKind<{
  /** Names are omitted if they look like a link. */
  accountName: string | undefined;
  memberName: string | undefined;
  /** Whether they have no access until an owner gives them a role. */
  isWaiting: boolean;
  atMs: number;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, memberName, isWaiting, atMs, link }) => {
      const account = accountName === undefined ? 'an account of yours' : `the account “${accountName}”`;
      const member = memberName ?? 'A member';
      return {
        subject: isWaiting ? 'A deleted member is back and needs your approval' : 'A deleted member is back',
        paragraphs: [
          `${member}, whose profile was deleted, came back on ${englishTime(atMs)}.`,
          isWaiting
            ? `They have no access to ${account} yet, because the role they had there would not be given to them now. Give them a role on the members page, or remove them.`
            : `They have access to ${account} again, with the role they had.`,
        ],
        closing: [`Members: ${link}`],
      };
    },
    de: ({ accountName, memberName, isWaiting, atMs, link }) => {
      const account = accountName === undefined ? 'ein Konto von dir' : `das Konto „${accountName}“`;
      const member = memberName ?? 'Ein Mitglied';
      return {
        subject: isWaiting
          ? 'Ein gelöschtes Mitglied ist zurück und braucht deine Zustimmung'
          : 'Ein gelöschtes Mitglied ist zurück',
        paragraphs: [
          `${member} war gelöscht und ist seit ${germanTime(atMs)} zurück.`,
          isWaiting
            ? `Zugriff auf ${account} besteht noch nicht, weil die frühere Rolle heute nicht mehr vergeben würde. Vergib auf der Seite der Mitglieder eine Rolle, oder entferne das Mitglied.`
            : `Zugriff auf ${account} besteht wieder, mit der früheren Rolle.`,
        ],
        closing: [`Mitglieder: ${link}`],
      };
    },
  },
};
