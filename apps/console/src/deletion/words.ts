import { translator } from '@gatehouse/ui/messages/translate';
import type words from './messages/en.json';

/** A message about deleted and restored members and accounts. */
export const t = translator<keyof typeof words>();
