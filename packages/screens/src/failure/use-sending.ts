import { type Sending, useSend } from '@gatehouse/ui/call/use-send';
import { explainError } from './explain-error.js';

/**
 * One thing that a screen sends.
 * @param fields the names of its fields, at which issues are shown
 */
export function useSending(...fields: readonly string[]): Sending {
  return useSend((error) => explainError(error, fields));
}
