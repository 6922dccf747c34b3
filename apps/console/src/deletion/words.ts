import { speaker } from '@gatehouse/ui/messages/say';
import type words from './messages/en.json';

/** Says one of the messages about what is deleted, and brought back. */
export const t = speaker<keyof typeof words>();
