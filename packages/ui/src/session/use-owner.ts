import { isGatehouseError } from '@gatehouse/client-sdk';
import { useEffect, useState } from 'react';

interface AskedWho {
  readonly data: { readonly member: { readonly id: number } } | undefined;
  readonly error: Error | null;
}

/**
 * Leaves a page when nobody is signed in, or somebody else is: the cookie may become theirs at any time, and what is on the page
 * must not.
 * @param askToSignIn goes to sign in, and comes back to where this is
 * @returns whether the page is still for whoever opened it
 */
export function useOwner(
  { data, error }: AskedWho,
  { home, askToSignIn }: { readonly home: string; readonly askToSignIn: () => void },
): boolean {
  const [ownerId, setOwnerId] = useState<number>();
  if (data !== undefined && ownerId === undefined) setOwnerId(data.member.id);
  const isNobody = data === undefined && isGatehouseError(error, 'unauthorized');
  const isTaken = data !== undefined && ownerId !== undefined && data.member.id !== ownerId;
  useEffect(() => {
    if (isNobody) askToSignIn();
    if (isTaken) location.assign(home);
  }, [isNobody, isTaken, askToSignIn, home]);
  return !isNobody && !isTaken;
}
