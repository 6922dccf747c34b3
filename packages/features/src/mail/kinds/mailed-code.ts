import type { MailKind } from '../mail-kind.js';
import { englishCount, germanCount } from '../mail-kind.js';

/** A code that proves the mailbox, in the body only: locked screens show subjects. */
export const mailedCode: MailKind<{ code: string; minutes: number }> = {
  countedAs: 'codes',
  mostPerHour: 10,
  lifeMs: 10 * 60_000,
  compose: {
    en: ({ code, minutes }) => ({
      subject: 'Your code',
      paragraphs: [`Enter this code within ${englishCount(minutes, 'minute')} to confirm that it's you.`],
      code,
      closing: [
        'It works once, and only where you requested it. We will never ask you for this code.',
        "If you didn't request it, someone may know your password: set a new one.",
      ],
    }),
    de: ({ code, minutes }) => ({
      subject: 'Dein Code',
      paragraphs: [
        `Gib diesen Code innerhalb von ${germanCount(minutes, 'Minute')} ein, um zu bestätigen, dass du es bist.`,
      ],
      code,
      closing: [
        'Er gilt einmal und nur dort, wo du ihn angefordert hast. Wir werden dich nie nach diesem Code fragen.',
        'Wenn du ihn nicht angefordert hast, kennt vielleicht jemand dein Passwort: Lege ein neues fest.',
      ],
    }),
  },
};
