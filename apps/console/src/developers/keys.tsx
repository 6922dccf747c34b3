import { Machines } from '@gatehouse/ui/developers/machines';
import type { MachineRules } from '@gatehouse/ui/developers/programs';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { type Me, useMe } from '../session/me.js';
import { DeveloperFrame } from './developer-frame.js';
import { t } from './words.js';

export const KeysScreen = inLanguage(Keys);

function Keys(): ReactElement {
  const rules = rulesFor(useMe());
  return (
    <DeveloperFrame screen="keys">
      <Machines lead={t('staffKeys.lead')} none={t('staffKeys.none')} withRules={(show) => show(rules)} />
    </DeveloperFrame>
  );
}

/** The staff permissions that let a key read something, and what it reads. */
const SCOPES = {
  'personnel.read': 'staffScope.personnelRead',
  'partner.manage': 'staffScope.partnerManage',
  'webhook.read': 'staffScope.webhookRead',
  'audit.read': 'staffScope.auditRead',
  'affiliate.read': 'staffScope.affiliateRead',
} as const;

const isScope = (name: string): name is keyof typeof SCOPES => Object.hasOwn(SCOPES, name);

/** The machines of the staff, whose keys only read. */
function rulesFor({ staffPermissions }: Me): MachineRules {
  const scopes = staffPermissions.filter(isScope).map((name) => ({ name, about: t(SCOPES[name]) }));
  return {
    words: {
      editLead: t('staffKeys.editLead'),
      removeEffect: t('staffKeys.removeEffect'),
      keyLead: t('staffKeys.keyLead'),
    },
    scopesOf: () => scopes,
    needsNoScope: true,
    save: ({ machineId, name }, signal) =>
      gatehouse.api.machine.save.mutate(machineId === undefined ? { name } : { machineId, name }, { signal }),
  };
}
