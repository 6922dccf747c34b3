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
      const account = accountName === undefined ? 'your organization' : `the organization “${accountName}”`;
      const member = memberName ?? 'A member';
      return {
        subject: isWaiting ? 'A deleted member is back and needs your approval' : 'A deleted member is back',
        paragraphs: [
          `${member} restored their deleted account on ${englishTime(atMs)}.`,
          isWaiting
            ? `They don't have access to ${account} yet, because their earlier role needs your approval. Give them a role on the team page, or remove them.`
            : `They have access to ${account} again, with their earlier role.`,
        ],
        action: { label: 'Open team', link },
        closing: [],
      };
    },
    de: ({ accountName, memberName, isWaiting, atMs, link }) => {
      const account = accountName === undefined ? 'deine Organisation' : `die Organisation „${accountName}“`;
      const member = memberName ?? 'Ein Mitglied';
      return {
        subject: isWaiting
          ? 'Ein gelöschtes Mitglied ist zurück und braucht deine Zustimmung'
          : 'Ein gelöschtes Mitglied ist zurück',
        paragraphs: [
          `${member} hat am ${germanTime(atMs)} das gelöschte Konto wiederhergestellt.`,
          isWaiting
            ? `Das Mitglied hat noch keinen Zugriff auf ${account}, weil die frühere Rolle deine Zustimmung braucht. Vergib auf der Team-Seite eine Rolle, oder entferne das Mitglied.`
            : `Das Mitglied hat wieder Zugriff auf ${account}, mit der früheren Rolle.`,
        ],
        action: { label: 'Team öffnen', link },
        closing: [],
      };
    },
  },
};
