import { speaker } from '@gatehouse/ui/messages/say';
import type words from './messages/en.json';

/** Says one of the messages of the screens about what happened. */
export const t = speaker<keyof typeof words>();
