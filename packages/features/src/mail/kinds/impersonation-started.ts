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
      subject: 'Support is looking at your account',
      paragraphs: [
        `On ${englishTime(atMs)} somebody of our support team opened a session in your name. It ends by ${englishTime(expiresAtMs)}.`,
        isReadOnly
          ? 'They see what you see, and can change nothing.'
          : 'They see what you see, and can change what belongs to your work. Your password, your address and your ways to sign in stay out of reach.',
        'It stands as “Support” in the list of your sessions, where you can end it at any time.',
      ],
      closing: [`Your sessions: ${link}`],
    }),
    de: ({ atMs, expiresAtMs, isReadOnly, link }) => ({
      subject: 'Der Support sieht sich deinen Zugang an',
      paragraphs: [
        `Am ${germanTime(atMs)} hat jemand aus unserem Support eine Sitzung in deinem Namen geöffnet. Sie endet spätestens am ${germanTime(expiresAtMs)}.`,
        isReadOnly
          ? 'Diese Person sieht, was du siehst, und kann nichts ändern.'
          : 'Diese Person sieht, was du siehst, und kann ändern, was zu deiner Arbeit gehört. Dein Passwort, deine Adresse und deine Anmeldewege bleiben unerreichbar.',
        'Die Sitzung steht als „Support“ in der Liste deiner Sitzungen. Dort kannst du sie jederzeit beenden.',
      ],
      closing: [`Deine Sitzungen: ${link}`],
    }),
  },
};
