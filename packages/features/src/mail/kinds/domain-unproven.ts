import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells owners that the DNS record of a verified domain was not found. */
export const domainUnproven: MailKind<{
  /** Omitted if it looks like a link. */
  accountName: string | undefined;
  domain: string;
  /** When the domain lapses; null for one that has lapsed. */
  lapsesAtMs: number | null;
  /** Whether its name servers did not answer, rather than answered without the record. */
  isSilent: boolean;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, domain, lapsesAtMs, isSilent, link }) => {
      const account = accountName === undefined ? 'your organization' : `the organization “${accountName}”`;
      return lapsesAtMs === null
        ? {
            subject: `${domain} is no longer verified`,
            paragraphs: [
              isSilent
                ? `The name servers of ${domain} gave no answer for 30 days, so we could not look for the DNS record that verifies it for ${account}.`
                : `The DNS record that verifies ${domain} for ${account} was not found for seven days.`,
              'New people with addresses in this domain can no longer join with their company account. Where company sign-in is required, people with such addresses can use passwords and register again, but not open the organization until they sign in with their company account.',
              'Restore the record, then verify the domain again.',
            ],
            action: { label: 'Open settings', link },
            closing: [],
          }
        : {
            subject: isSilent
              ? `The name servers of ${domain} do not answer`
              : `The DNS record of ${domain} is missing`,
            paragraphs: isSilent
              ? [
                  `The name servers of ${domain} do not answer, so we cannot look for the DNS record that verifies it for ${account}.`,
                  `If there is still no answer on ${englishTime(lapsesAtMs)}, the domain is no longer verified.`,
                ]
              : [
                  `We could not find the DNS record that verifies ${domain} for ${account}.`,
                  `If it is still missing on ${englishTime(lapsesAtMs)}, the domain is no longer verified.`,
                ],
            action: { label: 'View the record', link },
            closing: [],
          };
    },
    de: ({ accountName, domain, lapsesAtMs, isSilent, link }) => {
      const account = accountName === undefined ? 'deine Organisation' : `die Organisation „${accountName}“`;
      return lapsesAtMs === null
        ? {
            subject: `${domain} ist nicht mehr bestätigt`,
            paragraphs: [
              isSilent
                ? `Die Nameserver von ${domain} haben 30 Tage lang nicht geantwortet. Den DNS-Eintrag, der die Domain für ${account} bestätigt, konnten wir deshalb nicht prüfen.`
                : `Der DNS-Eintrag, der ${domain} für ${account} bestätigt, war sieben Tage lang nicht zu finden.`,
              'Neue Personen mit Adressen dieser Domain können nicht mehr mit ihrem Firmenkonto beitreten. Ist die Firmenanmeldung Pflicht, können sich Personen mit solchen Adressen wieder mit Passwort anmelden und registrieren. Die Organisation können sie aber erst öffnen, wenn sie sich mit ihrem Firmenkonto anmelden.',
              'Stelle den Eintrag wieder her und bestätige die Domain dann erneut.',
            ],
            action: { label: 'Einstellungen öffnen', link },
            closing: [],
          }
        : {
            subject: isSilent
              ? `Die Nameserver von ${domain} antworten nicht`
              : `Der DNS-Eintrag von ${domain} fehlt`,
            paragraphs: isSilent
              ? [
                  `Die Nameserver von ${domain} antworten nicht. Den DNS-Eintrag, der die Domain für ${account} bestätigt, können wir deshalb nicht prüfen.`,
                  `Antworten sie am ${germanTime(lapsesAtMs)} immer noch nicht, gilt die Domain nicht mehr als bestätigt.`,
                ]
              : [
                  `Der DNS-Eintrag, der ${domain} für ${account} bestätigt, war nicht zu finden.`,
                  `Fehlt er am ${germanTime(lapsesAtMs)} immer noch, gilt die Domain nicht mehr als bestätigt.`,
                ],
            action: { label: 'Eintrag ansehen', link },
            closing: [],
          };
    },
  },
};
