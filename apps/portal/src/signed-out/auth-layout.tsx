import { type AuthPage, AuthLayout as Layout } from '@gatehouse/ui/parts/auth-layout';
import { Link } from '@gatehouse/ui/parts/link';
import type { ReactElement } from 'react';
import { BrandLinks, BrandName } from '../brand.js';
import { SCREENS } from '../links.js';
import { useSettings } from './settings.js';
import { MESSAGES, t } from './words.js';

/** The frame of the portal's screens for people who are not signed in. */
export function AuthLayout({
  isHelp = false,
  ...page
}: AuthPage & {
  /** Whether this is the target of the link in the footer. */
  readonly isHelp?: boolean;
}): ReactElement {
  const { brand } = useSettings();
  return (
    <Layout
      {...page}
      product={brand.name}
      brand={<BrandName />}
      messages={MESSAGES}
      help={isHelp ? null : <Link href={SCREENS.help}>{t('foot.help')}</Link>}
      links={
        <>
          {brand.home === undefined ? null : (
            <Link href={brand.home}>{t('foot.back', { product: brand.name })}</Link>
          )}
          <BrandLinks />
        </>
      }
    />
  );
}
