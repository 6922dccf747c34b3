import { translator } from '@gatehouse/ui/messages/translate';
import type words from './messages/en.json';

/** A message about signing in. */
export const t = translator<keyof typeof words>();
