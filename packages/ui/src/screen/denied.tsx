import type { ReactElement } from 'react';
import { Banner } from '../parts/banner.js';
import { useProduct } from './product.js';
import { Screen } from './screen.js';
import { t } from './words.js';

/** Why somebody may not see something, the role they hold, and who could. */
export function Denied({
  role,
  isPart = false,
}: {
  /** The role that is held in the account; absent where that is not what decides. */
  readonly role?: string;
  readonly isPart?: boolean;
}): ReactElement {
  const { whoGivesRoles } = useProduct();
  const why = role === undefined ? t('denied.lead') : t('denied.leadRole', { role });
  if (isPart) return <Banner tone="error">{why}</Banner>;
  return (
    <Screen title={t('denied.title')} tone="error" lead={why}>
      <p>{whoGivesRoles}</p>
    </Screen>
  );
}
