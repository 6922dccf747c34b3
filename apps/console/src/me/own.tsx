import { Banner } from '@gatehouse/ui/parts/banner';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { useMe } from '../session/me.js';
import { shownName } from '../session/shown-name.js';
import { t } from '../words.js';
import { FactorsCard } from './factors-card.js';
import { NamesCard } from './names-card.js';
import { OwnSessionsCard } from './own-sessions-card.js';
import { PasswordCard } from './password-card.js';
import { ReachCard } from './reach-card.js';

export const OwnScreen = inLanguage(Own);

/** Who is signed in: what they may do here, what proves that it is them, and where else they are. */
function Own(): ReactElement {
  const { member, allAccounts, grants } = useMe();
  const [notice, setNotice] = useState<string>();
  const name = shownName(member);
  return (
    <Screen
      title={
        allAccounts ? t('staff.worksEverywhere', { name }) : t('staff.works', { name, count: grants.length })
      }
      tone={allAccounts || grants.length > 0 ? 'ok' : 'pending'}
      lead={t('own.lead', { role: member.role })}
    >
      {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
      <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <OwnSessionsCard onNotice={setNotice} />
          <NamesCard onNotice={setNotice} />
          {member.hasPassword ? <PasswordCard onNotice={setNotice} /> : null}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <FactorsCard />
          <ReachCard />
        </div>
      </div>
    </Screen>
  );
}
