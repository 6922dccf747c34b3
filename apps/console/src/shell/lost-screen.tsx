import { Link } from '@gatehouse/ui/parts/link';
import { Screen } from '@gatehouse/ui/screen/screen';
import type { ReactElement } from 'react';
import { PATHS } from '../links.js';
import { t } from '../words.js';

/** For addresses that name no screen. It stands alone: nobody has asked who is here. */
export function LostScreen(): ReactElement {
  return (
    <main className="px-4 py-8 wide:px-8">
      <Screen title={t('lost.title')} tone="error" lead={t('lost.lead')}>
        <p>
          <Link href={PATHS.home}>{t('lost.home')}</Link>
        </p>
      </Screen>
    </main>
  );
}
