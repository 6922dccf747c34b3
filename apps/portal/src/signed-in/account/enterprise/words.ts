import { translator } from '@gatehouse/ui/messages/translate';
import type words from './messages/en.json';

/** Says one of the messages of the screen about the company behind an account. */
export const t = translator<keyof typeof words>();
