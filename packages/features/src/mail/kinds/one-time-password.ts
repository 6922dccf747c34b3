import type { MailKind } from '../mail-kind.js';
import { englishCount, germanCount } from '../mail-kind.js';

/** An administrator's one-time password, in the body only, because lock screens show subjects. */
export const oneTimePassword: MailKind<{ password: string; minutes: number }> = {
  countedAs: 'signIn',
  lifeMs: 10 * 60_000,
  compose: {
    en: ({ password, minutes }) => ({
      subject: 'Your one-time password',
      paragraphs: [`Use this one-time password within ${englishCount(minutes, 'minute')} to sign in.`],
      code: password,
      closing: [
        'It works once, and a newer one replaces it. We will never ask you for this password.',
        "If you didn't request it, you don't need to do anything.",
      ],
    }),
    de: ({ password, minutes }) => ({
      subject: 'Dein Einmalpasswort',
      paragraphs: [
        `Melde dich innerhalb von ${germanCount(minutes, 'Minute')} mit diesem Einmalpasswort an.`,
      ],
      code: password,
      closing: [
        'Es gilt einmal, und ein neueres ersetzt es. Wir werden dich nie nach diesem Passwort fragen.',
        'Wenn du es nicht angefordert hast, musst du nichts tun.',
      ],
    }),
  },
};
