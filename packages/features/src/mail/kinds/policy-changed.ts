import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

const EN = ['', 'Two-step sign-in is optional', 'A second factor is required', 'A passkey is required'];
const DE = [
  '',
  'Die Anmeldung in zwei Schritten ist optional',
  'Ein zweiter Faktor ist Pflicht',
  'Ein Passkey ist Pflicht',
];

/** Tells owners which level of authentication their account requires from now on. */
export const policyChanged: MailKind<{
  /** Omitted if it looks like a link. */
  accountName: string | undefined;
  level: number;
  fromMs: number;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, level, fromMs, link }) => {
      const account = accountName === undefined ? 'your organization' : `the organization “${accountName}”`;
      return {
        subject: `Sign-in requirements of ${account} changed`,
        paragraphs: [
          `${EN[level]} for all members of ${account}.`,
          `This takes effect on ${englishTime(fromMs)}.`,
          "If you weren't expecting this change, check the members of the organization.",
        ],
        action: { label: 'View members', link },
        closing: [],
      };
    },
    de: ({ accountName, level, fromMs, link }) => {
      const account = accountName === undefined ? 'deiner Organisation' : `der Organisation „${accountName}“`;
      return {
        subject: `Anmelderegeln ${account} geändert`,
        paragraphs: [
          `Für alle Mitglieder ${account} gilt: ${DE[level]}.`,
          `Das gilt ab dem ${germanTime(fromMs)}.`,
          'Wenn du diese Änderung nicht erwartet hast, prüfe die Mitglieder der Organisation.',
        ],
        action: { label: 'Mitglieder ansehen', link },
        closing: [],
      };
    },
  },
};
