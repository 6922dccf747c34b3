import { LostScreen as Lost } from '@gatehouse/ui/frame/lost-screen';
import type { ReactElement } from 'react';
import { SCREENS } from '../../links.js';
import { t } from '../words.js';

/** For addresses that name no screen of the portal. */
export function LostScreen(): ReactElement {
  return <Lost home={SCREENS.home} homeWords={t('lost.home')} />;
}
