import { translator } from '@gatehouse/ui/messages/translate';
import type words from './messages/en.json';

/** Says one of the messages of the screens about programs. */
export const t = translator<keyof typeof words>();
