import type { Locale } from '@gatehouse/db';

/** The languages we write mails in; the first is for whoever has chosen none. */
export const LOCALES = ['en', 'de'] as const satisfies readonly Locale[];
