import { translator } from '@gatehouse/ui/messages/translate';
import type words from './messages/en.json';

/** Says one of the messages about the identity providers of accounts. */
export const t = translator<keyof typeof words>();
