import { type MutationState, useSend } from '../call/use-send.js';
import { explainError } from './explain-error.js';

/**
 * One thing that a screen sends.
 * @param fields the names of its fields, at which issues are shown
 */
export function useMutationState(...fields: readonly string[]): MutationState {
  return useSend((error) => explainError(error, fields));
}
