import { Machines } from '@gatehouse/ui/developers/machines';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import type { ReactElement } from 'react';
import { DeveloperFrame } from '../developer-frame.js';
import { t } from '../words.js';
import { useMachineRules } from './machine-rules.js';

export const KeysScreen = inLanguage(Keys);

function Keys(): ReactElement {
  return (
    <DeveloperFrame permission="key.manage">
      <MachinesOfAccount />
    </DeveloperFrame>
  );
}

function MachinesOfAccount(): ReactElement {
  const rules = useMachineRules();
  return (
    <Machines
      lead={t('keys.lead')}
      none={t('keys.none')}
      withRules={(show) => (
        <QueryView answer={rules} isPart>
          {show}
        </QueryView>
      )}
    />
  );
}
