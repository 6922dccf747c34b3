import type { MailKind } from '../mail-kind.js';
import { englishCount, germanCount } from '../mail-kind.js';

/** A code and a link that sign in, in the browser that asked for them. Locked screens show subjects, so neither is in it. */
export const signInCode: MailKind<{ code: string; link: string; minutes: number }> = {
  countedAs: 'signIn',
  lifeMs: 10 * 60_000,
  compose: {
    en: ({ code, link, minutes }) => ({
      subject: 'Your sign-in code',
      paragraphs: [
        `Enter this code within ${englishCount(minutes, 'minute')} in the browser where you're signing in.`,
      ],
      code,
      action: { label: 'Sign in', link },
      closing: [
        'The code and the link work once, and only in the browser where you requested them. We will never ask you for this code.',
        "If you didn't request them, you don't need to do anything.",
      ],
    }),
    de: ({ code, link, minutes }) => ({
      subject: 'Dein Anmeldecode',
      paragraphs: [
        `Gib diesen Code innerhalb von ${germanCount(minutes, 'Minute')} in dem Browser ein, in dem du dich anmeldest.`,
      ],
      code,
      action: { label: 'Anmelden', link },
      closing: [
        'Code und Link gelten einmal und nur in dem Browser, in dem du sie angefordert hast. Wir werden dich nie nach diesem Code fragen.',
        'Wenn du sie nicht angefordert hast, musst du nichts tun.',
      ],
    }),
  },
};
