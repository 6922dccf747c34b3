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
      const whose = isForStaff ? ', by which staff sign in,' : ` of ${account}`;
      const connection = connectionName === undefined ? '' : ` “${connectionName}”`;
      return {
        subject: 'A certificate of your identity provider ends soon',
        paragraphs: [
          `The certificate with which the identity provider${connection}${whose} signs ends on ${englishTime(endsAtMs)}.`,
          'Sign-in goes on working here. Your identity provider may change its certificate by then: a connection with an address for its metadata learns of that by itself, any other needs the new metadata.',
        ],
        closing: [
          isForStaff
            ? `You see the connection in the console: ${link}`
            : `You see the connection in the settings of the organization: ${link}`,
        ],
      };
    },
    de: ({ isForStaff, accountName, connectionName, endsAtMs, link }) => {
      const account = accountName === undefined ? 'deiner Organisation' : `der Organisation „${accountName}“`;
      const whose = isForStaff ? ', über den sich das Team anmeldet,' : ` ${account}`;
      const connection = connectionName === undefined ? '' : ` „${connectionName}“`;
      return {
        subject: 'Ein Zertifikat deines Identity Providers läuft bald ab',
        paragraphs: [
          `Das Zertifikat, mit dem der Identity Provider${connection}${whose} signiert, läuft am ${germanTime(endsAtMs)} ab.`,
          'Die Anmeldung funktioniert hier weiterhin. Vielleicht wechselt dein Identity Provider bis dahin sein Zertifikat: Eine Verbindung mit einer Adresse für ihre Metadaten erfährt das von selbst, jede andere braucht die neuen Metadaten.',
        ],
        closing: [
          isForStaff
            ? `Die Verbindung findest du in der Konsole: ${link}`
            : `Die Verbindung findest du in den Einstellungen der Organisation: ${link}`,
        ],
      };
    },
  },
};
