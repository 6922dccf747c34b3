import type { MailKind } from '../mail-kind.js';

/** Stands for notices of which there were too many for a mail each. It names every subject, and how often it occurred. */
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
        'So much happened to your account within an hour that the rest is in this one mail:',
        ...events.map(([subject, count]) => `${count} × ${subject}`),
      ],
      closing: [`If it was not you, set a new password at once: ${link}`],
    }),
    de: ({ events, link }) => ({
      subject: `${totalOf(events)} ${totalOf(events) === 1 ? 'weiterer Hinweis' : 'weitere Hinweise'} zu deinem Zugang`,
      paragraphs: [
        'An deinem Zugang ist innerhalb einer Stunde so viel geschehen, dass der Rest in dieser einen Mail steht:',
        ...events.map(([subject, count]) => `${count} × ${subject}`),
      ],
      closing: [`Wenn du es nicht warst, setze sofort ein neues Passwort: ${link}`],
    }),
  },
};

function totalOf(events: readonly (readonly [string, number])[]): number {
  return events.reduce((sum, [, count]) => sum + count, 0);
}
