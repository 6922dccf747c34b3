import { speaker } from '@gatehouse/ui/messages/say';
import type words from './messages/en.json';

/** Says one of the messages about connections. */
export const t = speaker<keyof typeof words>();
