import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells a member that an application lost its access, because somebody used a copy of its token. */
export const tokenReused: MailKind<{
  /** Omitted if it looks like a link. */
  application: string | undefined;
  atMs: number;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ application = 'an app', atMs, link }) => ({
      subject: `We ended the access of ${application} to your account`,
      paragraphs: [
        `On ${englishTime(atMs)}, a key that ${application} had already replaced was used again. Someone may have copied it, so the access it belongs to ended immediately.`,
        'Your password and your other apps are not affected. You can connect the app again if you trust it.',
      ],
      action: { label: 'View connected apps', link },
      closing: [],
    }),
    de: ({ application = 'einer App', atMs, link }) => ({
      subject: `Wir haben den Zugriff von ${application} auf dein Konto beendet`,
      paragraphs: [
        `Am ${germanTime(atMs)} wurde ein Schlüssel von ${application} noch einmal verwendet, der schon ersetzt war. Jemand könnte ihn kopiert haben, deshalb endete dieser Zugriff sofort.`,
        'Dein Passwort und deine anderen Apps sind nicht betroffen. Du kannst die App wieder verbinden, wenn du ihr vertraust.',
      ],
      action: { label: 'Verbundene Apps ansehen', link },
      closing: [],
    }),
  },
};
