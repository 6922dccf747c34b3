import { Navigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { usePlace } from './place.js';

/** Leads to the first screen of an account that its member may open. */
export function AccountIndex(): ReactElement {
  const { accountId, maySee } = usePlace();
  const params = { account: String(accountId) };
  return (
    <Navigate
      to={maySee('member.list') ? '/a/$account/team' : '/a/$account/billing'}
      params={params}
      replace
    />
  );
}
