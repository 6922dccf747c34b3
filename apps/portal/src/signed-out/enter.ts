import { isSecondFactorRequired } from '@gatehouse/client-sdk';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { keepingNext, nextScreen, SCREENS } from '../links.js';
import { keepStep } from './kept-step.js';

/**
 * Signs in and goes on: to where the address says or, where one is due, to the second step.
 * @throws what signing in threw
 */
export async function enter(signIn: () => Promise<unknown>): Promise<void> {
  await withStep(signIn);
  return leaveTo(nextScreen());
}

/** Signs in, and goes to the second step where one is due. */
export async function withStep(signIn: () => Promise<unknown>): Promise<void> {
  try {
    await signIn();
  } catch (error) {
    if (!isSecondFactorRequired(error)) throw error;
    const { challenge, methods, emailWithheldUntil } = error.data;
    keepStep({ challenge, methods, emailWithheldUntil });
    return leaveTo(keepingNext(SCREENS.stepUp));
  }
}
