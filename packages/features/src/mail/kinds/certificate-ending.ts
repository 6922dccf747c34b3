import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells owners that a certificate of their identity provider ends soon, or staff that one of the provider they sign in by does. */
export const certificateEnding: MailKind<{
  isForStaff: boolean;
  /** Omitted if it looks like a link. */
  accountName: string | undefined;
  connectionName: string | undefined;
  endsAtMs: number;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ isForStaff, accountName, connectionName, endsAtMs, link }) => {
      const account = accountName === undefined ? 'your organization' : `the organization “${accountName}”`;
      const whose = isForStaff ? ', which staff sign in with,' : ` of ${account}`;
      const connection = connectionName === undefined ? '' : ` “${connectionName}”`;
      return {
        subject: 'A certificate of your identity provider expires soon',
        paragraphs: [
          `The signing certificate of the identity provider${connection}${whose} expires on ${englishTime(endsAtMs)}.`,
          'Sign-in still works here. When your identity provider changes its certificate, a connection with a metadata address picks up the new one automatically. Otherwise, enter the new metadata.',
        ],
        action: { label: 'View connection', link },
        closing: [],
      };
    },
    de: ({ isForStaff, accountName, connectionName, endsAtMs, link }) => {
      const account = accountName === undefined ? 'deiner Organisation' : `der Organisation „${accountName}“`;
      const whose = isForStaff ? ', über den sich das Team anmeldet,' : ` ${account}`;
      const connection = connectionName === undefined ? '' : ` „${connectionName}“`;
      return {
        subject: 'Ein Zertifikat deines Identitätsanbieters läuft bald ab',
        paragraphs: [
          `Das Signaturzertifikat des Identitätsanbieters${connection}${whose} läuft am ${germanTime(endsAtMs)} ab.`,
          'Die Anmeldung funktioniert hier weiterhin. Wechselt dein Identitätsanbieter sein Zertifikat, übernimmt eine Verbindung mit Metadaten-Adresse das neue automatisch. Andernfalls gib die neuen Metadaten ein.',
        ],
        action: { label: 'Verbindung ansehen', link },
        closing: [],
      };
    },
  },
};
