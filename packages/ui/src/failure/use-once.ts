import { useRef } from 'react';
import { isUnsure } from './is-unsure.js';

/**
 * Does something once, though the answer to an earlier try may have been lost: a refusal stands only if it is not done.
 * @returns takes the work, and what reads whether it is done; that is asked after a refusal that follows an unsure try
 */
export function useOnce(): (
  work: () => Promise<void>,
  isDone: (refusal: unknown) => boolean | Promise<boolean>,
) => Promise<void> {
  const mayBeDone = useRef(false);
  return async (work, isDone) => {
    try {
      await work();
    } catch (error) {
      if (isUnsure(error)) mayBeDone.current = true;
      else if (mayBeDone.current && (await isDone(error))) return;
      throw error;
    }
  };
}
