import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';
import { roleName } from '../role-names.js';

/** Tells a member that what they may do as staff has changed. */
export const staffAccessChanged: MailKind<{
  /** The label of their role as staff from now on; null if they are no longer staff. */
  role: string | null;
  atMs: number;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ role, atMs }) => ({
      subject: 'Your staff access was changed',
      paragraphs: [
        role === null
          ? `Your staff access ended on ${englishTime(atMs)}.`
          : `Your staff access was changed on ${englishTime(atMs)}. Your role is ${roleName(role, 'en')}.`,
        'You were signed out everywhere.',
      ],
      closing: ["If you weren't expecting this, ask your team."],
    }),
    de: ({ role, atMs }) => ({
      subject: 'Dein Zugriff als Teammitglied wurde geändert',
      paragraphs: [
        role === null
          ? `Dein Zugriff als Teammitglied ist am ${germanTime(atMs)} beendet worden.`
          : `Dein Zugriff als Teammitglied wurde am ${germanTime(atMs)} geändert. Deine Rolle ist ${roleName(role, 'de')}.`,
        'Du wurdest überall abgemeldet.',
      ],
      closing: ['Wenn du das nicht erwartet hast, frage dein Team.'],
    }),
  },
};
