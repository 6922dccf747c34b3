import { Banner } from '@gatehouse/ui/parts/banner';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { useMe } from '../session/me.js';
import { shownName } from '../session/shown-name.js';
import { t } from '../words.js';
import { FactorsSheet } from './factors-sheet.js';
import { NamesSheet } from './names-sheet.js';
import { OwnSessionsSheet } from './own-sessions-sheet.js';
import { PasswordSheet } from './password-sheet.js';
import { ReachSheet } from './reach-sheet.js';

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
      state={allAccounts || grants.length > 0 ? 'open' : 'ajar'}
      lead={t('own.lead', { role: member.role })}
    >
      {notice === undefined ? null : <Banner state="open">{notice}</Banner>}
      <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <OwnSessionsSheet onNotice={setNotice} />
          <NamesSheet onNotice={setNotice} />
          {member.hasPassword ? <PasswordSheet onNotice={setNotice} /> : null}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <FactorsSheet />
          <ReachSheet />
        </div>
      </div>
    </Screen>
  );
}
