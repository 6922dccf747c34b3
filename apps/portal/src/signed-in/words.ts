import type { Language, LoadMessages } from '@gatehouse/ui/messages/language';
import { translator } from '@gatehouse/ui/messages/translate';
import type words from './messages/en.json';

/** Says one of the messages of the frame and of what all screens have. */
export const t = translator<keyof typeof words>();

export const MESSAGES: Readonly<Record<Language, LoadMessages>> = {
  en: () => import('./languages/en.js'),
  de: () => import('./languages/de.js'),
};
