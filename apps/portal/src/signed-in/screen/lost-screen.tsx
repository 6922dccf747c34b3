import { Link } from '@gatehouse/ui/parts/link';
import { Screen } from '@gatehouse/ui/screen/screen';
import type { ReactElement } from 'react';
import { SCREENS } from '../../links.js';
import { t } from '../words.js';

/** For addresses that name no screen. */
export function LostScreen(): ReactElement {
  return (
    <Screen title={t('lost.title')} tone="error" lead={t('lost.lead')}>
      <p>
        <Link href={SCREENS.home}>{t('lost.home')}</Link>
      </p>
    </Screen>
  );
}
