import type { Locale } from '@gatehouse/db/tables/member-tables';

/** The words of the page that lets a device in, besides those of consent. */
interface DeviceWords {
  readonly enter: string;
  readonly enterLead: string;
  readonly code: string;
  readonly go: string;
  readonly wrong: string;
  readonly tooMany: string;
  readonly onlyYours: string;
  readonly notSent: string;
  readonly connected: (application: string) => string;
  readonly backToDevice: string;
  readonly notConnected: string;
  readonly close: string;
}

export const DEVICE_WORDS: Readonly<Record<Locale, DeviceWords>> = {
  en: {
    enter: 'Connect a device',
    enterLead: 'Enter the code that your device shows.',
    code: 'Code',
    go: 'Continue',
    wrong: 'This code is wrong or has expired. Check it on your device, or start over there.',
    tooMany: 'Too many wrong codes. Try again later.',
    onlyYours: 'Allow this only if you started it on your own device, and it shows this code now:',
    notSent: 'Did someone send you the code or this link? Then cancel: they would get into your account.',
    connected: (application) => `${application} is connected`,
    backToDevice: 'Go back to your device. You can close this page.',
    notConnected: 'Nothing was connected',
    close: 'You can close this page.',
  },
  de: {
    enter: 'Gerät verbinden',
    enterLead: 'Gib den Code ein, den dein Gerät anzeigt.',
    code: 'Code',
    go: 'Weiter',
    wrong: 'Dieser Code ist falsch oder abgelaufen. Prüfe ihn auf deinem Gerät oder beginne dort neu.',
    tooMany: 'Zu viele falsche Codes. Versuche es später noch einmal.',
    onlyYours:
      'Erlaube es nur, wenn du auf deinem eigenen Gerät damit begonnen hast und es jetzt diesen Code anzeigt:',
    notSent:
      'Hat dir jemand den Code oder diesen Link geschickt? Dann brich ab: Sonst gibst du fremden Geräten Zugriff auf dein Konto.',
    connected: (application) => `${application} ist verbunden`,
    backToDevice: 'Geh zurück zu deinem Gerät. Du kannst diese Seite schließen.',
    notConnected: 'Nichts wurde verbunden',
    close: 'Du kannst diese Seite schließen.',
  },
};
