import { Link } from '@gatehouse/ui/parts/link';
import { Screen } from '@gatehouse/ui/screen/screen';
import type { ReactElement } from 'react';
import { SCREENS } from '../../links.js';
import { t } from './words.js';

/** For accounts that are not one's own, closed or not there, which all look alike. */
export function NoAccount(): ReactElement {
  return (
    <Screen title={t('none.title')} tone="error" lead={t('none.lead')}>
      <p>
        <Link href={SCREENS.home}>{t('none.home')}</Link>
      </p>
    </Screen>
  );
}
