import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Notifies a member who deleted themselves until when they can come back, and how. */
export const memberDeleted: MailKind<{ erasesAtMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ erasesAtMs, link }) => ({
      subject: 'Your account was deleted',
      paragraphs: [
        'You deleted your account. Signing in is no longer possible.',
        `Your data is permanently erased on ${englishTime(erasesAtMs)}. Until then, you can restore your account and your organizations with this link.`,
      ],
      action: { label: 'Restore account', link },
      closing: ["If this wasn't you, restore your account and set a new password."],
    }),
    de: ({ erasesAtMs, link }) => ({
      subject: 'Dein Konto wurde gelöscht',
      paragraphs: [
        'Du hast dein Konto gelöscht. Eine Anmeldung ist nicht mehr möglich.',
        `Deine Daten werden am ${germanTime(erasesAtMs)} endgültig gelöscht. Bis dahin kannst du dein Konto und deine Organisationen mit diesem Link wiederherstellen.`,
      ],
      action: { label: 'Konto wiederherstellen', link },
      closing: ['Wenn du das nicht warst, stelle dein Konto wieder her und lege ein neues Passwort fest.'],
    }),
  },
};
