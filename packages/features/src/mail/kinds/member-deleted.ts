import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Notifies a member who deleted themselves until when they can come back, and how. */
export const memberDeleted: MailKind<{ erasesAtMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ erasesAtMs, link }) => ({
      subject: 'You are deleted',
      paragraphs: [
        'Your sign-in was deleted, as you asked. Nobody can use it any more.',
        `What we know of you is erased on ${englishTime(erasesAtMs)}. Until then this link brings you back, with your accounts.`,
      ],
      action: { label: 'Come back', link },
      closing: ['If it was not you, come back and set a new password.'],
    }),
    de: ({ erasesAtMs, link }) => ({
      subject: 'Dein Zugang ist gelöscht',
      paragraphs: [
        'Dein Zugang wurde gelöscht, wie du es verlangt hast. Niemand kann ihn mehr benutzen.',
        `Was wir über dich wissen, wird am ${germanTime(erasesAtMs)} endgültig gelöscht. Bis dahin holt dieser Link dich und deine Konten zurück.`,
      ],
      action: { label: 'Zurückkommen', link },
      closing: ['Wenn du es nicht warst, komm zurück und setze ein neues Passwort.'],
    }),
  },
};
