import type { Locale } from '@gatehouse/db/tables/member-tables';

/** The words of the page that asks whether an application may have what it asks for. */
export interface ConsentWords {
  readonly title: (application: string) => string;
  readonly by: (publisher: string) => string;
  /** Of an application that a document describes. */
  readonly unchecked: (host: string) => string;
  readonly as: (name: string) => string;
  readonly wants: string;
  readonly scopes: Readonly<Record<string, string>>;
  /** What the scopes of our own API let an application do. */
  readonly api: Readonly<Record<string, string>>;
  readonly mayThere: string;
  /** The same at an API of the product. */
  readonly mayAt: (name: string, origin: string) => string;
  readonly chooseScopes: string;
  readonly changed: string;
  readonly account: string;
  readonly leadsTo: (host: string) => string;
  readonly onDevice: string;
  readonly untilSignOut: string;
  readonly untilWithdrawn: string;
  readonly allow: string;
  readonly cancel: string;
  readonly choose: string;
  readonly noAccount: string;
  readonly organization: (name: string) => string;
  readonly onlyMembers: (publisher: string) => string;
  readonly higherLevel: (publisher: string) => string;
  /** The same for one organization among several. */
  readonly higherLevelThere: (organization: string) => string;
  readonly allLocked: string;
  readonly takeStep: (organization: string) => string;
  readonly signInThatWay: string;
  readonly signInFirst: string;
  readonly signInAgain: string;
  readonly over: string;
  readonly startAgain: string;
  readonly failed: string;
  readonly failedLead: string;
}

export const CONSENT_WORDS: Readonly<Record<Locale, ConsentWords>> = {
  en: {
    title: (application) => `Let ${application} use your account?`,
    by: (publisher) => `Published by ${publisher}.`,
    unchecked: (host) => `This app isn't verified. Its details were provided by ${host}.`,
    as: (name) => `You are signed in as ${name}.`,
    wants: 'The app wants to:',
    scopes: {
      openid: 'Recognize you when you sign in',
      api: 'See your identity, with your name and username',
      profile: 'See your name and username',
      email: 'See your email address',
      accounts: 'See your organizations and your role in each',
      account: 'See one organization, and your role in it',
      offline_access: 'Keep this access after you sign out',
    },
    api: {
      read: 'See everything there that you can see',
      manage: 'Change what you can change there, except what you must confirm yourself',
      'account.read': 'See the organization and its settings',
      'account.manage': 'Change the settings of the organization',
      'member.list': 'See members',
      'member.manage': 'Invite and remove members, and change their roles',
      'conversation.read': 'Read all conversations',
      'subject.remove': 'Delete subjects',
      'subscription.read': 'See the subscription',
      'billing.manage': 'Manage billing',
      'social.connect': 'Connect provider accounts',
      'knowledge.analyze': 'Analyze knowledge',
      'event.read': 'Read events of the organization',
    },
    mayThere: 'In that organization, the app may:',
    mayAt: (name, origin) => `At ${name} (${origin}), in that organization, the app may:`,
    chooseScopes: 'Choose what the app may do, or cancel',
    changed: "The app's details have changed. Please review them again",
    account: 'Organization',
    leadsTo: (host) => `You will return to ${host}.`,
    onDevice: 'You will return to an app on this device.',
    untilSignOut: 'Access ends when you sign out.',
    untilWithdrawn: 'Access lasts until you remove the app under Security.',
    allow: 'Allow',
    cancel: 'Cancel',
    choose: 'Choose an organization',
    noAccount: 'You have no organization that this app could use.',
    organization: (name) => `the organization ${name}`,
    higherLevel: (publisher) => `To use this app, ${publisher} asks you for a second step or a passkey.`,
    higherLevelThere: (organization) => `${organization} requires a second step or a passkey.`,
    allLocked: 'Your organizations require a second step or a passkey before an app can use them.',
    takeStep: (organization) => `Confirm it's you for ${organization}`,
    signInThatWay: 'Sign in again with a second step or a passkey, then go back to the app.',
    onlyMembers: (publisher) => `Only members of ${publisher} can use this app.`,
    signInFirst: 'Sign in first',
    signInAgain: "The app asks you to confirm that it's you.",
    over: 'This request has expired',
    startAgain: 'Go back to the app and start over.',
    failed: 'Something went wrong',
    failedLead: 'The app sent an invalid request. Go back to it and try again.',
  },
  de: {
    title: (application) => `${application} Zugriff auf dein Konto geben?`,
    by: (publisher) => `Herausgegeben von ${publisher}.`,
    unchecked: (host) => `Diese App ist nicht verifiziert. Die Angaben zu ihr stammen von ${host}.`,
    as: (name) => `Du bist als ${name} angemeldet.`,
    wants: 'Die App möchte:',
    scopes: {
      openid: 'dich bei der Anmeldung wiedererkennen',
      api: 'deine Identität sehen, mit Namen und Benutzernamen',
      profile: 'deinen Namen und Benutzernamen sehen',
      email: 'deine E-Mail-Adresse sehen',
      accounts: 'deine Organisationen und deine Rolle in jeder sehen',
      account: 'eine Organisation und deine Rolle darin sehen',
      offline_access: 'diesen Zugriff behalten, wenn du dich abmeldest',
    },
    api: {
      read: 'alles dort sehen, was du sehen kannst',
      manage: 'dort ändern, was du ändern kannst, außer was du selbst bestätigen musst',
      'account.read': 'die Organisation und ihre Einstellungen sehen',
      'account.manage': 'Einstellungen der Organisation ändern',
      'member.list': 'Mitglieder sehen',
      'member.manage': 'Mitglieder einladen und entfernen und ihre Rollen ändern',
      'conversation.read': 'alle Unterhaltungen lesen',
      'subject.remove': 'Themen löschen',
      'subscription.read': 'das Abonnement sehen',
      'billing.manage': 'die Abrechnung verwalten',
      'social.connect': 'Konten bei Anbietern verbinden',
      'knowledge.analyze': 'Wissen auswerten',
      'event.read': 'Ereignisse der Organisation lesen',
    },
    mayThere: 'In dieser Organisation darf die App:',
    mayAt: (name, origin) => `Bei ${name} (${origin}) darf die App in dieser Organisation:`,
    chooseScopes: 'Wähle, was die App darf, oder brich ab',
    changed: 'Die Angaben zur App haben sich geändert. Bitte prüfe sie noch einmal',
    account: 'Organisation',
    leadsTo: (host) => `Du kehrst zu ${host} zurück.`,
    onDevice: 'Du kehrst zu einer App auf diesem Gerät zurück.',
    untilSignOut: 'Der Zugriff endet, wenn du dich abmeldest.',
    untilWithdrawn: 'Der Zugriff gilt, bis du die App unter „Sicherheit“ entfernst.',
    allow: 'Erlauben',
    cancel: 'Abbrechen',
    choose: 'Wähle eine Organisation',
    noAccount: 'Du hast keine Organisation, die diese App nutzen könnte.',
    organization: (name) => `der Organisation ${name}`,
    higherLevel: (publisher) =>
      `Für diese App musst du dich laut ${publisher} mit einem zweiten Schritt oder einem Passkey anmelden.`,
    higherLevelThere: (organization) =>
      `Für ${organization} ist ein zweiter Schritt oder ein Passkey Pflicht.`,
    allLocked:
      'In deinen Organisationen ist ein zweiter Schritt oder ein Passkey Pflicht, bevor eine App sie nutzen kann.',
    takeStep: (organization) => `Für ${organization} bestätigen, dass du es bist`,
    signInThatWay:
      'Melde dich neu mit einem zweiten Schritt oder einem Passkey an und geh dann zurück zur App.',
    onlyMembers: (publisher) => `Nur Mitglieder von ${publisher} können diese App nutzen.`,
    signInFirst: 'Melde dich zuerst an',
    signInAgain: 'Die App bittet dich zu bestätigen, dass du es bist.',
    over: 'Diese Anfrage ist abgelaufen',
    startAgain: 'Geh zurück zur App und beginne neu.',
    failed: 'Etwas ist schiefgegangen',
    failedLead:
      'Die App hat eine ungültige Anfrage gesendet. Geh zurück zur App und versuche es noch einmal.',
  },
};
