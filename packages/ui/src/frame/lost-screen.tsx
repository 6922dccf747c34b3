import type { ReactElement } from 'react';
import { Link } from '../parts/link.js';
import { Screen } from '../screen/screen.js';
import { t } from './words.js';

/** For addresses that name no screen. */
export function LostScreen({
  home,
  homeWords,
}: {
  readonly home: string;
  /** The name of the first screen. */
  readonly homeWords: string;
}): ReactElement {
  return (
    <Screen title={t('lost.title')} tone="error" lead={t('lost.lead')}>
      <p>
        <Link href={home}>{homeWords}</Link>
      </p>
    </Screen>
  );
}
