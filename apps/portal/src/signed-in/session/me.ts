import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { withNext } from '@gatehouse/ui/session/next-path';
import { whoIsHere } from '@gatehouse/ui/session/who-is-here';
import { gatehouse } from '../../client.js';
import { keepFlow } from '../../kept-flow.js';
import { SCREENS } from '../../links.js';

export type Me = MainOutputs['session']['me'];

/** An account as its member sees it, with what they may do there. */
export type OwnPlace = Me['memberships'][number];

/** Who is signed in, and where they belong. Every screen is shown only once this is known. */
export const { meQuery, MeContext, useMe, askAhead } = whoIsHere<Me>((signal) =>
  gatehouse.api.session.me.query(undefined, { signal }),
);

/** All accounts that the member may act in. */
export function placesOf({ memberships, grants }: Me): readonly OwnPlace[] {
  return [...memberships, ...grants];
}

/** Staff who act for a member, and members signed in by a partner, read and change nothing. */
export function isReadOnly({ actor, partner }: Me): boolean {
  return actor !== null || partner !== null;
}

/**
 * Does what requires a proven address. If the service mailed a code instead, because the address is not proven, the member goes
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
    return leaveTo(withNext(SCREENS.code, location.pathname));
  }
}
