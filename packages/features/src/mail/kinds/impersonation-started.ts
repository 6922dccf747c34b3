import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells a member that support acts for them, until when, and how to end it. */
export const impersonationStarted: MailKind<{
  atMs: number;
  expiresAtMs: number;
  isReadOnly: boolean;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 60,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, expiresAtMs, isReadOnly, link }) => ({
      subject: 'Support started a session in your name',
      paragraphs: [
        `On ${englishTime(atMs)}, our support team started a session in your name. It ends on ${englishTime(expiresAtMs)} at the latest.`,
        isReadOnly
          ? "They see what you see, but can't change anything."
          : "They see what you see, and can make changes in your organizations. They can't change your password, your email address or how you sign in.",
        'It appears as “Support” in your list of sessions, where you can end it at any time.',
      ],
      action: { label: 'View sessions', link },
      closing: [],
    }),
    de: ({ atMs, expiresAtMs, isReadOnly, link }) => ({
      subject: 'Der Support hat eine Sitzung in deinem Namen gestartet',
      paragraphs: [
        `Am ${germanTime(atMs)} hat unser Support eine Sitzung in deinem Namen gestartet. Sie endet spätestens am ${germanTime(expiresAtMs)}.`,
        isReadOnly
          ? 'Der Support sieht, was du siehst, kann aber nichts ändern.'
          : 'Der Support sieht, was du siehst, und kann in deinen Organisationen Änderungen vornehmen. Dein Passwort, deine E-Mail-Adresse und deine Anmeldewege kann er nicht ändern.',
        'Die Sitzung erscheint als „Support“ in der Liste deiner Sitzungen. Dort kannst du sie jederzeit beenden.',
      ],
      action: { label: 'Sitzungen ansehen', link },
      closing: [],
    }),
  },
};
