import type { Language } from '@gatehouse/ui/messages/language';

/** The languages, each by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };
