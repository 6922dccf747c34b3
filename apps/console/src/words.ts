import type { Language, LoadMessages } from '@gatehouse/ui/messages/language';
import { translator } from '@gatehouse/ui/messages/translate';
import type words from './messages/en.json';

/** Says one of the messages of the console. */
export const t = translator<keyof typeof words>();

/** A folder of screens has messages of its own, and a line here. */
export const MESSAGES: Readonly<Record<Language, LoadMessages>> = {
  en: () =>
    Promise.all([
      import('@gatehouse/ui/messages/en.json'),
      import('@gatehouse/ui/screen/messages/en.json'),
      import('@gatehouse/ui/proof/messages/en.json'),
      import('@gatehouse/ui/frame/messages/en.json'),
      import('@gatehouse/ui/security/messages/en.json'),
      import('@gatehouse/ui/team/messages/en.json'),
      import('@gatehouse/ui/failure/messages/en.json'),
      import('./messages/en.json'),
      import('./account/messages/en.json'),
      import('./audit/actions/messages/en.json'),
      import('./audit/messages/en.json'),
      import('./deletion/messages/en.json'),
      import('./enrol/messages/en.json'),
    ]),
  de: () =>
    Promise.all([
      import('@gatehouse/ui/messages/de.json'),
      import('@gatehouse/ui/screen/messages/de.json'),
      import('@gatehouse/ui/proof/messages/de.json'),
      import('@gatehouse/ui/frame/messages/de.json'),
      import('@gatehouse/ui/security/messages/de.json'),
      import('@gatehouse/ui/team/messages/de.json'),
      import('@gatehouse/ui/failure/messages/de.json'),
      import('./messages/de.json'),
      import('./account/messages/de.json'),
      import('./audit/actions/messages/de.json'),
      import('./audit/messages/de.json'),
      import('./deletion/messages/de.json'),
      import('./enrol/messages/de.json'),
    ]),
};
