import type { MailKind } from '../mail-kind.js';
import { englishCount, germanCount } from '../mail-kind.js';

/** Invites a new staff member. The link sets their password and confirms the address; nobody knows the current password. */
export const staffInvitation: MailKind<{
  link: string;
  hours: number;
  /** Whether a member had the address, and every way to sign in to it has ended. */
  endedSignIns?: boolean;
  /** Where staff sign in; absent without a console. */
  console?: string;
}> = {
  countedAs: 'own',
  mostPerHour: 5,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ link, hours, endedSignIns = false, console }) => ({
      subject: 'You are now a staff member',
      paragraphs: [
        endedSignIns
          ? 'Your account with this email address is now a staff account. The address had not been confirmed before, so its password, sessions and connected providers were removed. Set a password to sign in.'
          : 'A staff account was created for this email address. Set a password to sign in.',
        `This link works once and expires in ${englishCount(hours, 'hour')}. It also confirms that the address is yours.`,
      ],
      action: { label: 'Set a password', link },
      closing: [
        ...(console === undefined ? [] : [`Then sign in to the staff console: ${console}`]),
        "If you weren't expecting this, you don't need to do anything: the account has no password yet.",
      ],
    }),
    de: ({ link, hours, endedSignIns = false, console }) => ({
      subject: 'Du gehörst jetzt zum Team',
      paragraphs: [
        endedSignIns
          ? 'Dein Konto mit dieser E-Mail-Adresse gehört jetzt zum Team. Die Adresse war vorher nicht bestätigt, deshalb wurden Passwort, Sitzungen und verbundene Anbieter entfernt. Lege ein Passwort fest, um dich anzumelden.'
          : 'Für diese E-Mail-Adresse wurde ein Konto im Team erstellt. Lege ein Passwort fest, um dich anzumelden.',
        `Dieser Link gilt einmal und ${germanCount(hours, 'Stunde')} lang. Er bestätigt auch, dass die Adresse dir gehört.`,
      ],
      action: { label: 'Passwort festlegen', link },
      closing: [
        ...(console === undefined ? [] : [`Melde dich danach in der Konsole an: ${console}`]),
        'Wenn du das nicht erwartet hast, musst du nichts tun: Das Konto hat noch kein Passwort.',
      ],
    }),
  },
};
