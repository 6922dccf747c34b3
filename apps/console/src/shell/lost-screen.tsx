import { LostScreen as Lost } from '@gatehouse/ui/frame/lost-screen';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { PATHS } from '../links.js';
import { t } from '../words.js';

/** For addresses without a screen. */
export const LostScreen = inLanguage(() => <Lost home={PATHS.home} homeWords={t('lost.home')} />);
