import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Goes to a member who deleted themselves, in place of a mail to sign in with. */
export const comeBack: MailKind<{ erasesAtMs: number; link: string }> = {
  countedAs: 'signIn',
  lifeMs: 30 * 60_000,
  compose: {
    en: ({ erasesAtMs, link }) => ({
      subject: 'Your account was deleted, but can be restored',
      paragraphs: [
        'Someone tried to sign in with this address. You deleted your account, so signing in is no longer possible.',
        `Your data is permanently erased on ${englishTime(erasesAtMs)}. Until then, you can restore your account and your organizations.`,
      ],
      action: { label: 'Restore account', link },
      closing: ["If you don't want to restore your account, you don't need to do anything."],
    }),
    de: ({ erasesAtMs, link }) => ({
      subject: 'Dein Konto wurde gelöscht und lässt sich wiederherstellen',
      paragraphs: [
        'Jemand wollte sich mit dieser Adresse anmelden. Du hast dein Konto gelöscht, deshalb ist keine Anmeldung mehr möglich.',
        `Deine Daten werden am ${germanTime(erasesAtMs)} endgültig gelöscht. Bis dahin kannst du dein Konto und deine Organisationen wiederherstellen.`,
      ],
      action: { label: 'Konto wiederherstellen', link },
      closing: ['Wenn du dein Konto nicht wiederherstellen möchtest, musst du nichts tun.'],
    }),
  },
};
