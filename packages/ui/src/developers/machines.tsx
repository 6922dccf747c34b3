import { type ReactElement, type ReactNode, useState } from 'react';
import { More, usePages } from '../list/paged-list.js';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import { Notice } from '../parts/notice.js';
import { QueryView } from '../screen/asked.js';
import { Screen } from '../screen/screen.js';
import { MachineCard } from './machine-card.js';
import { MachineDialog } from './machine-dialogs.js';
import { type Machine, type MachineRules, usePrograms } from './programs.js';
import { t } from './words.js';

/** The machines of an account or of the staff, each with its keys. */
export function Machines({
  lead,
  none,
  withRules,
}: {
  readonly lead: string;
  /** An explanation of machines, shown while there are none. */
  readonly none: string;
  /** Shows something that depends on the rules for machines, once they are known. */
  readonly withRules: (show: (rules: MachineRules) => ReactNode) => ReactNode;
}): ReactElement {
  const { api, key } = usePrograms();
  const machines = usePages<Machine>([...key, 'machines'], (page, signal) =>
    api.machine.list.query(page, { signal }),
  );
  const [isAdding, setAdding] = useState(false);
  const [notice, setNotice] = useState<string>();
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('machine.add')}
    </Button>
  );
  return (
    <QueryView answer={machines} title={t('keys.title')}>
      {(rows) => (
        <Screen title={t('keys.title')} lead={lead} actions={rows.length === 0 ? undefined : add}>
          <Notice text={notice} onClose={setNotice} />
          {rows.length === 0 ? (
            <Card title={t('keys.noneTitle')}>
              <div className="flex flex-col items-start gap-4 p-3">
                <p className="max-w-prose">{none}</p>
                {add}
              </div>
            </Card>
          ) : null}
          {withRules((rules) => (
            <>
              {rows.map((machine) => (
                <MachineCard key={machine.id} machine={machine} rules={rules} onNotice={setNotice} />
              ))}
              {isAdding ? (
                <MachineDialog rules={rules} onNotice={setNotice} onClose={() => setAdding(false)} />
              ) : null}
            </>
          ))}
          <More of={machines} />
        </Screen>
      )}
    </QueryView>
  );
}
