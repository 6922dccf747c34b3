import { inLanguage } from '@gatehouse/ui/screen/screen';
import { Navigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { placesOf, useMe } from '../../session/me.js';
import { NoAccount } from '../account-frame.js';
import { lastAccount } from '../account-place.js';

export const ReturnedScreen = inLanguage(Returned);

/** Providers lead back to one address for all accounts: the tab knows which one it was. */
function Returned(): ReactElement {
  const places = placesOf(useMe());
  const left = lastAccount();
  const place = places.find(({ accountId }) => accountId === left) ?? places[0];
  if (place === undefined) return <NoAccount />;
  const params = { account: String(place.accountId) };
  return <Navigate to="/a/$account/billing" params={params} search={{ returned: true }} replace />;
}
