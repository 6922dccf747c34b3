import type { Language, LoadMessages } from '@gatehouse/ui/messages/language';
import { speaker } from '@gatehouse/ui/messages/say';
import type words from './messages/en.json';

/** Says one of the messages of the screens for people who are signed in. */
export const t = speaker<keyof typeof words>();

export const MESSAGES: Readonly<Record<Language, LoadMessages>> = {
  en: () =>
    Promise.all([
      import('@gatehouse/ui/messages/en.json'),
      import('../failure/messages/en.json'),
      import('./messages/en.json'),
    ]),
  de: () =>
    Promise.all([
      import('@gatehouse/ui/messages/de.json'),
      import('../failure/messages/de.json'),
      import('./messages/de.json'),
    ]),
};
