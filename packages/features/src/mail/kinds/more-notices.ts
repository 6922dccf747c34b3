import type { MailKind } from '../mail-kind.js';
import { NEW_PASSWORD } from '../mail-kind.js';

/** Replaces notices that were too many for a mail each. It names every subject, and how often it occurred. */
export const moreNotices: MailKind<{
  events: readonly (readonly [subject: string, count: number])[];
  link: string;
}> = {
  countedAs: 'own',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ events, link }) => ({
      subject: `${totalOf(events)} more ${totalOf(events) === 1 ? 'notice' : 'notices'} about your account`,
      paragraphs: [
        'A lot happened in your account within an hour, so we put the rest in one email:',
        ...events.map(([subject, count]) => `${count} × ${subject}`),
        "If this wasn't you, set a new password now.",
      ],
      action: NEW_PASSWORD.en(link),
      closing: [],
    }),
    de: ({ events, link }) => ({
      subject: `${totalOf(events)} ${totalOf(events) === 1 ? 'weiterer Hinweis' : 'weitere Hinweise'} zu deinem Konto`,
      paragraphs: [
        'In deinem Konto ist innerhalb einer Stunde viel passiert, deshalb steht der Rest in einer einzigen E-Mail:',
        ...events.map(([subject, count]) => `${count} × ${subject}`),
        'Wenn du das nicht warst, lege sofort ein neues Passwort fest.',
      ],
      action: NEW_PASSWORD.de(link),
      closing: [],
    }),
  },
};

function totalOf(events: readonly (readonly [string, number])[]): number {
  return events.reduce((sum, [, count]) => sum + count, 0);
}
