import { Sheet } from '@gatehouse/ui/parts/sheet';
import type { ReactElement } from 'react';
import { inLanguage } from '../screen/in-language.js';
import { Screen } from '../screen/screen.js';
import { useMe } from '../session/me.js';
import { t } from './words.js';

export const ProfileScreen = inLanguage(Profile);

function Profile(): ReactElement {
  const { member } = useMe();
  return (
    <Screen title={t('profile.title', { name: member.username })}>
      <Sheet title={t('profile.facts')}>
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-2 p-3">
          <dt className="text-quiet">{t('profile.username')}</dt>
          <dd>
            <bdi>{member.username}</bdi>
          </dd>
          <dt className="text-quiet">{t('profile.email')}</dt>
          <dd>
            <bdi>{member.email ?? t('profile.noEmail')}</bdi>
          </dd>
        </dl>
      </Sheet>
    </Screen>
  );
}
