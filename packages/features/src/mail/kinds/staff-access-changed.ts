import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells a member that what they may do as staff has changed. */
export const staffAccessChanged: MailKind<{
  /** Their role as staff from now on; null if they are no staff any more. */
  role: string | null;
  atMs: number;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ role, atMs }) => ({
      subject: 'Your access as staff was changed',
      paragraphs: [
        role === null
          ? `Your access as staff ended on ${englishTime(atMs)}.`
          : `Your access as staff was changed on ${englishTime(atMs)}. Your role is ${role}.`,
        'You were signed out everywhere.',
      ],
      closing: ['If that surprises you, ask a colleague.'],
    }),
    de: ({ role, atMs }) => ({
      subject: 'Dein Zugang zum Team wurde geändert',
      paragraphs: [
        role === null
          ? `Dein Zugang zum Team ist am ${germanTime(atMs)} beendet worden.`
          : `Dein Zugang zum Team wurde am ${germanTime(atMs)} geändert. Deine Rolle ist ${role}.`,
        'Du wurdest überall abgemeldet.',
      ],
      closing: ['Wenn dich das überrascht, frage jemanden aus dem Team.'],
    }),
  },
};
