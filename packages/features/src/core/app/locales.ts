import type { Locale } from '@gatehouse/db';

/** The languages of our mails. The first is the default. */
export const LOCALES = ['en', 'de'] as const satisfies readonly Locale[];
