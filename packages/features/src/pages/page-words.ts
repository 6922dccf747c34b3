import type { Locale } from '@gatehouse/db/tables/member-tables';
import { englishTime, germanTime } from '../mail/mail-kind.js';
import { isolated } from './isolated.js';

/** The sentences of our own pages in German, by the English ones. */
const GERMAN = {
  // Pages that are refused or do not exist.
  'Page not found': 'Seite nicht gefunden',
  'This page cannot be shown': 'Diese Seite lässt sich nicht anzeigen',
  'Go to the start page': 'Zur Startseite',
  'Request ID: {id}': 'Anfrage-ID: {id}',
  // Confirming an address.
  'Confirm your email address': 'E-Mail-Adresse bestätigen',
  'Your address is confirmed': 'Deine Adresse ist bestätigt',
  'Enter the password you chose when signing up to keep using it.':
    'Gib das Passwort ein, das du bei der Registrierung gewählt hast, damit es gültig bleibt.',
  'Enter it to confirm that the account is yours, too.': 'Bestätige damit, dass auch das Konto dir gehört.',
  'Or a code from your authenticator app, or a backup code':
    'Oder ein Code aus deiner Authenticator-App oder ein Backup-Code',
  'Use {email} as the email address of {username}? Not your account? Just close this page.':
    '{email} als E-Mail-Adresse von {username} verwenden? Nicht dein Konto? Schließe einfach diese Seite.',
  "Confirm {email} for {username}? Didn't sign up? Just close this page.":
    '{email} für {username} bestätigen? Nicht du? Schließe einfach diese Seite.',
  "Two-step sign-in is on for your account, so please confirm it's you.":
    'Für dein Konto ist die Anmeldung in zwei Schritten eingeschaltet. Bestätige deshalb, dass du es bist.',
  'Confirm address': 'Adresse bestätigen',
  '{email} now belongs to your account.': '{email} gehört jetzt zu deinem Konto.',
  '{email} is already confirmed.': '{email} ist bereits bestätigt.',
  'It takes effect once you also approve the change in the email to your current address.':
    'Sie gilt, sobald du die Änderung auch in der E-Mail an deine bisherige Adresse bestätigst.',
  'Another account now has this address.': 'Diese Adresse gehört inzwischen zu einem anderen Konto.',
  'The address is not confirmed yet. Open the link again and enter the password or a code.':
    'Die Adresse ist noch nicht bestätigt. Öffne den Link erneut und gib das Passwort oder einen Code ein.',
  'The address is not confirmed yet. Open the link again and enter the correct one.':
    'Die Adresse ist noch nicht bestätigt. Öffne den Link erneut und gib das Richtige ein.',
  'The address is not confirmed yet. Open the link again and enter the code exactly as shown.':
    'Die Adresse ist noch nicht bestätigt. Öffne den Link erneut und gib den Code genau so ein, wie er angezeigt wird.',
  'The address is not confirmed yet. Open the link again later.':
    'Die Adresse ist noch nicht bestätigt. Öffne den Link später erneut.',
  'This confirmation link is no longer valid. Sign in and request a new email.':
    'Dieser Bestätigungslink ist nicht mehr gültig. Melde dich an und fordere eine neue E-Mail an.',
  // Approving a change of address.
  'Approve this email change?': 'E-Mail-Adresse ändern?',
  'Thank you': 'Danke',
  "You've already responded.": 'Du hast bereits geantwortet.',
  'Your email would change from {email} to {pending}.':
    'Deine E-Mail-Adresse würde von {email} zu {pending} geändert.',
  'This change was approved without a password. It takes effect on {time} unless you reject it.':
    'Diese Änderung wurde ohne Passwort bestätigt. Sie wird am {time} wirksam, wenn du sie nicht ablehnst.',
  'Approve change': 'Änderung bestätigen',
  'Without your password, the change takes effect in one hour.':
    'Ohne dein Passwort wird die Änderung erst in einer Stunde wirksam.',
  "Didn't request this? Reject it, and nothing will change.":
    'Das warst du nicht? Lehne ab, dann ändert sich nichts.',
  'Reject change': 'Änderung ablehnen',
  'With your password, all your devices are signed out as well.':
    'Mit deinem Passwort werden auch alle deine Geräte abgemeldet.',
  'Nothing has changed. Open the link again, and enter the correct password or none.':
    'Es hat sich nichts geändert. Öffne den Link erneut und gib das richtige Passwort ein oder keins.',
  'Nothing has changed. Open the link again, and enter no password.':
    'Es hat sich nichts geändert. Öffne den Link erneut und gib kein Passwort ein.',
  'The change was canceled, was replaced by another one, or has expired.':
    'Die Änderung wurde abgebrochen, durch eine andere ersetzt oder ist abgelaufen.',
  'You have already responded': 'Du hast bereits geantwortet',
  'Approved. The change takes effect in one hour, and an email tells you how to stop it until then':
    'Bestätigt. Die Änderung wird in einer Stunde wirksam. Eine E-Mail sagt dir, wie du sie bis dahin stoppst',
  'You approved the change': 'Du hast die Änderung bestätigt',
  'The change was rejected, and all your sessions have been signed out':
    'Die Änderung wurde abgelehnt, und du wurdest überall abgemeldet',
  'The change was rejected': 'Die Änderung wurde abgelehnt',
  // Passwords.
  'Forgot your password?': 'Passwort vergessen?',
  'Back to sign-in': 'Zurück zur Anmeldung',
  'Check your email': 'Prüfe dein Postfach',
  'If an account exists for this address, we have sent an email':
    'Falls es zu dieser Adresse ein Konto gibt, haben wir eine E-Mail gesendet',
  '{message}. It expires in 30 minutes.': '{message}. Der Link gilt 30 Minuten.',
  'Send reset link': 'Link senden',
  'Set a new password': 'Neues Passwort festlegen',
  "You've been signed out on all devices. Sign in with your new password.":
    'Du wurdest auf allen Geräten abgemeldet. Melde dich mit dem neuen Passwort an.',
  'Sign in to the console': 'In der Konsole anmelden',
  'Your password has been changed': 'Dein Passwort wurde geändert',
  'Request a new link': 'Neuen Link anfordern',
  'Each link works once and expires after 30 minutes.': 'Jeder Link gilt einmal und 30 Minuten lang.',
  'New password': 'Neues Passwort',
  'Set new password': 'Passwort speichern',
  'Choose a password': 'Passwort wählen',
  'Password (optional)': 'Passwort (optional)',
  'Your password': 'Dein Passwort',
  Password: 'Passwort',
  'At least 8 characters. Several unrelated words work well.':
    'Mindestens 8 Zeichen. Gut sind mehrere Wörter ohne Zusammenhang.',
  'Email address': 'E-Mail-Adresse',
  Username: 'Benutzername',
  'First name': 'Vorname',
  'Last name': 'Nachname',
  'First name (optional)': 'Vorname (optional)',
  'Last name (optional)': 'Nachname (optional)',
  // Restoring an account.
  'Restore your account?': 'Konto wiederherstellen?',
  'Welcome back': 'Willkommen zurück',
  'Your account has already been restored': 'Dein Konto wurde bereits wiederhergestellt',
  'Your account has been restored. You can sign in again':
    'Dein Konto ist wiederhergestellt. Du kannst dich wieder anmelden',
  'Your account will be permanently erased on {time}. Until then you can restore it, with the organizations that were closed with it.':
    'Dein Konto wird am {time} endgültig gelöscht. Bis dahin kannst du es wiederherstellen, zusammen mit den Organisationen, die mit ihm geschlossen wurden.',
  'Restore account': 'Konto wiederherstellen',
  'No password, or forgot it?': 'Kein Passwort, oder vergessen?',
  'Email me a code': 'Code per E-Mail senden',
  "We've emailed you a code.": 'Wir haben dir einen Code per E-Mail gesendet.',
  '8-digit code': '8-stelliger Code',
  'Your account is not restored yet. Open the link again.':
    'Dein Konto ist noch nicht wiederhergestellt. Öffne den Link erneut.',
  'After the date in the email, the account can no longer be restored.':
    'Nach dem Datum in der E-Mail lässt sich das Konto nicht mehr wiederherstellen.',
  // Invitations.
  'You have been invited': 'Du wurdest eingeladen',
  Someone: 'Jemand',
  'an organization': 'eine Organisation',
  '{inviter} invited {email} to join {account}, as {role}. The invitation expires on {time}.':
    '{inviter} hat {email} eingeladen. Organisation: {account}. Rolle: {role}. Die Einladung gilt bis zum {time}.',
  'a member': 'Mitglied',
  'Invitation declined': 'Einladung abgelehnt',
  'You can close this page.': 'Du kannst diese Seite schließen.',
  Welcome: 'Willkommen',
  'You joined the organization. Sign in with your email address and password.':
    'Du bist der Organisation beigetreten. Melde dich mit deiner E-Mail-Adresse und deinem Passwort an.',
  'Invitation accepted': 'Einladung angenommen',
  'You are now a member of the organization.': 'Du gehörst jetzt zu der Organisation.',
  'You deleted your account, but it can still be restored. Enter your password to restore it with your organizations, and join this one.':
    'Du hast dein Konto gelöscht, es lässt sich aber noch wiederherstellen. Gib dein Passwort ein, um es mit deinen Organisationen wiederherzustellen und dieser beizutreten.',
  'We emailed you a code to confirm your address. Then open the invitation link again.':
    'Wir haben dir einen Code gesendet, mit dem du deine Adresse bestätigst. Öffne danach den Link der Einladung erneut.',
  'We emailed you a link to set a new password. Then open the invitation link again.':
    'Wir haben dir einen Link gesendet, mit dem du ein neues Passwort festlegst. Öffne danach den Link der Einladung erneut.',
  'Open the invitation link again.': 'Öffne den Link der Einladung erneut.',
  'Ask the person who invited you to resend it.':
    'Bitte die Person, die dich eingeladen hat, die Einladung erneut zu senden.',
  'Staff access organizations from the console.': 'Das Team öffnet Organisationen in der Konsole.',
  Join: 'Beitreten',
  'Restore account and join': 'Konto wiederherstellen und beitreten',
  Accept: 'Annehmen',
  Decline: 'Ablehnen',
  // Recoveries.
  'Cancel the recovery': 'Wiederherstellung abbrechen',
  "Someone asked our support team to let you add a new second factor because the others are lost. You can add it from {time}. If you didn't request this, cancel it.":
    'Beim Support wurde für dich ein neuer zweiter Faktor beantragt, weil die anderen verloren sind. Ab dem {time} kannst du ihn hinzufügen. Wenn du das nicht warst, brich ab.',
  'Cancel recovery': 'Wiederherstellung abbrechen',
  'Recovery canceled': 'Wiederherstellung abgebrochen',
  'The recovery is canceled': 'Die Wiederherstellung ist abgebrochen',
  'It may have expired, or was already canceled.':
    'Vielleicht ist sie abgelaufen oder wurde schon abgebrochen.',
  // Registering and signing in.
  'Create your account': 'Konto erstellen',
  'Create account': 'Konto erstellen',
  'Your account has been created, {username}. You can sign in now.':
    'Dein Konto ist erstellt, {username}. Du kannst dich jetzt anmelden.',
  'We sent a link to {email}. Click it to confirm your address.':
    'Wir haben einen Link an {email} gesendet. Bestätige damit deine Adresse.',
  'Sign in with an email code': 'Mit E-Mail-Code anmelden',
  'If an account exists for this address, we have sent a code':
    'Falls es zu dieser Adresse ein Konto gibt, haben wir einen Code gesendet',
  'You are signed in': 'Du bist angemeldet',
  'You are member {id}.': 'Du bist Mitglied {id}.',
  'Your session token, which a front end keeps for you':
    'Dein Sitzungs-Token, das sonst ein Frontend für dich aufbewahrt',
  'One more step': 'Noch ein Schritt',
  '6-digit code from your authenticator app': '6-stelliger Code aus deiner Authenticator-App',
  'Or a backup code': 'Oder ein Backup-Code',
  'Sign in': 'Anmelden',
  'You opened the link from our email.': 'Du hast den Link aus unserer E-Mail geöffnet.',
  'Open this link in the browser where you requested it, or request a new code here.':
    'Öffne diesen Link in dem Browser, in dem du ihn angefordert hast, oder fordere hier einen neuen Code an.',
  // Payments.
  'Back from the payment page': 'Zurück von der Zahlungsseite',
  'Payments usually arrive within a minute. You can close this page.':
    'Zahlungen kommen meist innerhalb einer Minute an. Du kannst diese Seite schließen.',
  // Signing in with a provider.
  'Sign in with a provider': 'Mit einem Anbieter anmelden',
  'The provider confirmed your identity. This works once.':
    'Der Anbieter hat deine Identität bestätigt. Das gilt einmal.',
  '{provider} is now connected to your account.': '{provider} ist jetzt mit deinem Konto verbunden.',
  Continue: 'Weiter',
  'You can connect your {provider} account in the session where you started.':
    'Du kannst dein Konto bei {provider} in der Sitzung verbinden, in der du begonnen hast.',
  'Connect a provider': 'Anbieter verbinden',
  'Connect another provider': 'Weiteren Anbieter verbinden',
  Connect: 'Verbinden',
  'Sign in with {provider}': 'Mit {provider} anmelden',
  Connected: 'Verbunden',
  'Your provider': 'Dein Anbieter',
  '{name} can now be used to sign in.': 'Du kannst dich jetzt mit {name} anmelden.',
  'Go to the provider': 'Zum Anbieter',
  'You are {username}, member {id}.': 'Du bist {username}, Mitglied {id}.',
  'Your session token': 'Dein Sitzungs-Token',
  'Start over': 'Von vorn beginnen',
  // The deletion of what a provider told.
  'Deletion of your data': 'Löschung deiner Daten',
  'What {provider} had told us about you was deleted on {time}.':
    'Was {provider} uns über dich mitgeteilt hat, wurde am {time} gelöscht.',
  'The deletion asked for on {time} is under way.': 'Die am {time} beantragte Löschung läuft.',
  'Your confirmation code: {code}': 'Dein Bestätigungscode: {code}',
} as const;

/** Refusals, by the sentences of the service. */
const GERMAN_REFUSALS: Readonly<Record<string, string>> = {
  'The request is not valid.': 'Bitte prüfe deine Eingaben.',
  'This sign-in was not started here, or it took too long. Please start again.':
    'Diese Anmeldung begann woanders oder hat zu lange gedauert. Bitte beginne von vorn.',
  'Sign in to continue.': 'Melde dich an, um fortzufahren.',
  'The email or the password is wrong.': 'E-Mail oder Passwort ist falsch.',
  'The password is wrong.': 'Das Passwort ist falsch.',
  'The code is wrong or was already used.': 'Der Code ist falsch oder wurde schon verwendet.',
  'A second factor is required to sign in.': 'Für die Anmeldung ist ein zweiter Faktor nötig.',
  'This role cannot sign in here.': 'Mit dieser Rolle kannst du dich hier nicht anmelden.',
  'This link or token is no longer valid.': 'Dieser Link ist nicht mehr gültig.',
  'You are not permitted to do this.': 'Das darfst du nicht.',
  'Confirm that it is you, then try again.': 'Bestätige, dass du es bist, und versuche es noch einmal.',
  'This sign-in took too long, or was started elsewhere. Please start again.':
    'Diese Anmeldung hat zu lange gedauert oder begann woanders. Bitte beginne von vorn.',
  'Request a code by email, and send it with this request.':
    'Fordere einen Code per E-Mail an und gib ihn ein.',
  'Also send the password or a code of the second factor, or sign in first.':
    'Gib auch das Passwort oder einen Code des zweiten Faktors ein, oder melde dich zuerst an.',
  'Confirm the email address first: sign in with an email code, or reset the password.':
    'Bestätige zuerst deine E-Mail-Adresse: Melde dich mit einem E-Mail-Code an, oder setze dein Passwort zurück.',
  'This account requires sign-in through the identity provider of the company.':
    'Deine Organisation schreibt die Anmeldung mit dem Firmenkonto vor.',
  'The provider reports that access was not granted.': 'Die Anmeldung wurde beim Anbieter abgebrochen.',
  'The provider did not answer as expected. Please try again.':
    'Der Anbieter hat nicht wie erwartet geantwortet. Bitte versuche es noch einmal.',
  'This provider is not configured.': 'Dieser Anbieter ist hier nicht eingerichtet.',
  'This profile is connected to another member.':
    'Dieses Konto beim Anbieter ist hier mit einer anderen Person verbunden.',
  'A member with this address exists. Sign in, then connect the provider.':
    'Zu dieser Adresse gibt es schon ein Konto. Melde dich an und verbinde dann den Anbieter.',
  'Something went wrong on our side.': 'Bei uns ist etwas schiefgegangen.',
  'Not found, or you have no access.': 'Nicht gefunden, oder du hast keinen Zugriff.',
  'This username is taken.': 'Dieser Benutzername ist schon vergeben.',
  'This email address is taken.': 'Zu dieser Adresse gibt es schon ein Konto.',
  'The time to restore this is over.': 'Es ist zu spät, um das wiederherzustellen.',
  'This invitation has already been answered.': 'Diese Einladung wurde schon beantwortet.',
  'This invitation has expired.': 'Diese Einladung ist abgelaufen.',
  'This invitation was revoked.': 'Diese Einladung wurde zurückgezogen.',
  'A newer email has the link of this invitation.': 'Es gibt eine neuere E-Mail mit dieser Einladung.',
  'The sender of this invitation can no longer invite people.':
    'Die Person, die dich eingeladen hat, darf niemanden mehr einladen.',
  'This invitation is for another email address.': 'Diese Einladung ging an eine andere E-Mail-Adresse.',
  'A member with this address exists. Sign in, then accept.':
    'Zu dieser Adresse gibt es schon ein Konto. Melde dich an und nimm dann an.',
  'Too many attempts. Please wait before trying again.':
    'Zu viele Versuche. Bitte warte, bevor du es noch einmal versuchst.',
  'The service is busy. Please try again in a moment.':
    'Der Dienst ist ausgelastet. Versuche es gleich noch einmal.',
  'This password cannot be checked right now. Please try again in a few minutes.':
    'Dieses Passwort lässt sich gerade nicht prüfen. Versuche es in ein paar Minuten noch einmal.',
};

/** What is wrong with a field, by words of the service's sentence. */
const GERMAN_ISSUES: readonly (readonly [RegExp, string])[] = [
  [/at least 8 characters/, 'Zu kurz: mindestens 8 Zeichen.'],
  [/at most 72 bytes/, 'Zu lang: höchstens 72 Zeichen, mit Umlauten oder Emoji weniger.'],
  [/tried first/, 'Dieses Passwort wird zu oft verwendet.'],
  [/same few characters/, 'Zu viele Wiederholungen.'],
  [/built on the email/, 'Zu ähnlich wie deine E-Mail-Adresse.'],
  [/built on the username/, 'Zu ähnlich wie dein Name.'],
  [/built on the service/, 'Zu ähnlich wie der Name dieses Dienstes.'],
  [/must be an email address/, 'Gib eine gültige E-Mail-Adresse ein.'],
  [/must contain letters or digits/, 'Verwende Buchstaben oder Ziffern.'],
  [/invisible characters/, 'Entferne die unsichtbaren Zeichen.'],
  [/is missing|must not be empty/, 'Pflichtfeld'],
  [/an @ only if it is your own/, 'Ein @ ist nur in der eigenen E-Mail-Adresse erlaubt.'],
];

/** A sentence of our own pages, in English. */
export type Sentence = keyof typeof GERMAN;

/** The words of a page in the language of its visitor. */
export interface PageWords {
  readonly language: Locale;
  /**
   * One of our sentences.
   * @param values HTML for its `{names}`
   */
  readonly say: (english: Sentence, values?: Readonly<Record<string, string>>) => string;
  /** A message of the service, which has a sentence here or stays as it is. */
  readonly told: (english: string) => string;
  /** What is wrong with a field. `english` is the whole sentence in English. */
  readonly issue: (message: string, english: string) => string;
  readonly time: (ms: number) => string;
}

export function pageWords(language: Locale): PageWords {
  const isGerman = language === 'de';
  return {
    language,
    say: (english, values = {}) =>
      (isGerman ? GERMAN[english] : english).replaceAll(/\{(\w+)\}/g, (hole, name: string) =>
        values[name] === undefined ? hole : isolated(values[name]),
      ),
    told: (english) =>
      isGerman
        ? (GERMAN_REFUSALS[english] ?? (GERMAN as Record<string, string>)[english] ?? english)
        : english,
    issue: (message, english) =>
      isGerman
        ? (GERMAN_ISSUES.find(([pattern]) => pattern.test(message))?.[1] ?? 'Bitte prüfe diese Angabe.')
        : english,
    time: isGerman ? germanTime : englishTime,
  };
}
