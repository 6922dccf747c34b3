import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Goes to a member who deleted themselves, in place of what lets others sign in. */
export const comeBack: MailKind<{ erasesAtMs: number; link: string }> = {
  countedAs: 'signIn',
  lifeMs: 30 * 60_000,
  compose: {
    en: ({ erasesAtMs, link }) => ({
      subject: 'You are deleted, and can come back',
      paragraphs: [
        'Somebody wants to sign in with this address. Its sign-in was deleted, as you asked.',
        `What we know of you is erased on ${englishTime(erasesAtMs)}. Until then you can come back, with your accounts.`,
      ],
      action: { label: 'Come back', link },
      closing: ['If you want to stay deleted, do nothing.'],
    }),
    de: ({ erasesAtMs, link }) => ({
      subject: 'Du bist gelöscht und kannst zurückkommen',
      paragraphs: [
        'Jemand möchte sich mit dieser Adresse anmelden. Dein Zugang wurde gelöscht, wie du es verlangt hast.',
        `Was wir über dich wissen, wird am ${germanTime(erasesAtMs)} endgültig gelöscht. Bis dahin kannst du mit deinen Konten zurückkommen.`,
      ],
      action: { label: 'Zurückkommen', link },
      closing: ['Wenn du gelöscht bleiben möchtest, tu nichts.'],
    }),
  },
};
