import { type AuthPage, AuthLayout as Layout } from '@gatehouse/ui/parts/auth-layout';
import { Mark } from '@gatehouse/ui/parts/icons';
import type { ReactElement } from 'react';
import { MESSAGES, t } from '../words.js';

/** The frame of what staff see before they are signed in. */
export function AuthLayout(page: AuthPage): ReactElement {
  const brand = (
    <>
      <Mark />
      {t('product')}
    </>
  );
  return <Layout {...page} product={t('product')} brand={brand} messages={MESSAGES} />;
}
