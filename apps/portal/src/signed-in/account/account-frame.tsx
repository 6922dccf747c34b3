import { Outlet, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { placesOf, useMe } from '../session/me.js';
import { recordAccount } from './last-account.js';
import { LevelScreen } from './level-screen.js';
import { NoAccount } from './no-account.js';
import { PlaceContext } from './place.js';

/** Shows the screens of the account that the path names, or why there are none. */
export function AccountFrame(): ReactElement {
  const { account } = useParams({ strict: false });
  const place = placesOf(useMe()).find(({ accountId }) => String(accountId) === account);
  const accountId = place?.accountId;
  useEffect(() => {
    if (accountId !== undefined) recordAccount(accountId);
  }, [accountId]);
  if (place === undefined) return <NoAccount />;
  return (
    <PlaceContext key={place.accountId} value={place}>
      {place.requires === null ? <Outlet /> : <LevelScreen place={place} level={place.requires.level} />}
    </PlaceContext>
  );
}
