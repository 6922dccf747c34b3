import { isGatehouseError } from '@gatehouse/client-sdk';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { keepFlow } from '../../kept-flow.js';
import { SCREENS } from '../../links.js';

/**
 * Does what takes a proven address. If the service mailed a code instead, because the address is not proven, the member goes
 * to the screen that takes the code, and from there back to this one.
 * @param email the member's own address
 */
export async function provingAddress<Result>(
  email: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const flow = isGatehouseError(error, 'unconfirmed') ? error.data.flow : undefined;
    if (flow === undefined || email === null) throw error;
    keepFlow({ flow, email });
    return leaveTo(`${SCREENS.code}?${new URLSearchParams({ next: location.pathname }).toString()}`);
  }
}
