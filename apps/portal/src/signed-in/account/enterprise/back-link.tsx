import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { usePlace } from '../account-place.js';
import { t } from './words.js';

/** Leads back to the domains and connections of the company. */
export function BackLink(): ReactElement {
  const { accountId } = usePlace();
  return (
    <p>
      <Link
        to="/a/$account/settings/directory"
        params={{ account: String(accountId) }}
        className="inline-flex min-h-6 items-center text-harbour underline decoration-1 underline-offset-3 hover:decoration-2"
      >
        {t('enterprise.title')}
      </Link>
    </p>
  );
}
