import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { usePlace } from '../../account-place.js';
import { DeveloperFrame } from '../developer-frame.js';
import { t } from '../words.js';
import { MachineCard } from './machine-card.js';
import { MachineDialog } from './machine-dialogs.js';
import { useMachineRoles } from './machine-roles.js';

export const KeysScreen = inLanguage(Keys);

function Keys(): ReactElement {
  return (
    <DeveloperFrame permission="key.manage">
      <Machines />
    </DeveloperFrame>
  );
}

/** The machines of the account, each with its keys. */
function Machines(): ReactElement {
  const { api, key } = usePlace();
  const machines = usePages([...key, 'machines'], (page, signal) => api.machine.list.query(page, { signal }));
  const roles = useMachineRoles();
  const [isAdding, setAdding] = useState(false);
  const [notice, setNotice] = useState<string>();
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('machine.add')}
    </Button>
  );
  return (
    <QueryView answer={machines}>
      {(rows) => (
        <Screen title={t('keys.title')} lead={t('keys.lead')} actions={rows.length === 0 ? undefined : add}>
          <Notice text={notice} onClose={setNotice} />
          {rows.length === 0 ? (
            <Card title={t('keys.noneTitle')}>
              <div className="flex flex-col items-start gap-4 p-3">
                <p className="max-w-prose">{t('keys.none')}</p>
                {add}
              </div>
            </Card>
          ) : null}
          <QueryView answer={roles} isPart>
            {(known) => (
              <>
                {rows.map((machine) => (
                  <MachineCard key={machine.id} machine={machine} roles={known} onNotice={setNotice} />
                ))}
                {isAdding ? (
                  <MachineDialog roles={known} onNotice={setNotice} onClose={() => setAdding(false)} />
                ) : null}
              </>
            )}
          </QueryView>
          <More of={machines} />
        </Screen>
      )}
    </QueryView>
  );
}
