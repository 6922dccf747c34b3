import { LostScreen as Lost } from '@gatehouse/ui/frame/lost-screen';
import type { ReactElement } from 'react';
import { PATHS } from '../links.js';
import { t } from '../words.js';

/** For addresses without a screen. It has no frame, because nobody has asked yet who is signed in. */
export function LostScreen(): ReactElement {
  return (
    <main className="px-4 py-8 wide:px-8">
      <Lost home={PATHS.home} homeWords={t('lost.home')} />
    </main>
  );
}
