import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Menu } from '@gatehouse/ui/parts/menu';
import { Notice } from '@gatehouse/ui/parts/notice';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { DEPLOYMENT_KEY, DeveloperFrame } from './developer-frame.js';
import {
  lifeText,
  type Machine,
  RESOURCES_KEY,
  RemoveResourceDialog,
  type Resource,
  ResourceDialog,
} from './resource-dialogs.js';
import { t } from './words.js';

export const ResourcesScreen = inLanguage(Resources);

function Resources(): ReactElement {
  return (
    <DeveloperFrame screen="apis">
      <Listed />
    </DeveloperFrame>
  );
}

/** A page size above the maximum that the staff can have. */
const ALL_MACHINES = 200;

/** The APIs that take access tokens, and the machines that may introspect them. */
function Listed(): ReactElement {
  const { machine, resource } = gatehouse.api;
  const resources = usePages<Resource>(RESOURCES_KEY, (page, signal) =>
    resource.list.query(page, { signal }),
  );
  const machines = useQuery({
    queryKey: [...DEPLOYMENT_KEY, 'machines', 'all'],
    queryFn: async ({ signal }) => (await machine.list.query({ limit: ALL_MACHINES }, { signal })).data,
  });
  const [isAdding, setAdding] = useState(false);
  const [notice, setNotice] = useState<string>();
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('resource.add')}
    </Button>
  );
  return (
    <QueryView answer={resources} title={t('resources.title')}>
      {(rows) => (
        <Screen
          title={t('resources.title')}
          lead={t('resources.lead')}
          actions={rows.length === 0 ? undefined : add}
        >
          <Notice text={notice} onClose={setNotice} />
          {rows.length === 0 ? (
            <Card title={t('resources.noneTitle')}>
              <div className="flex flex-col items-start gap-4 p-3">
                <p className="max-w-prose">{t('resources.none')}</p>
                {add}
              </div>
            </Card>
          ) : null}
          <QueryView answer={machines} isPart>
            {(known) => (
              <>
                {rows.length === 0 ? null : (
                  <Card title={t('resources.title')}>
                    <ul className="divide-y divide-line">
                      {rows.map((each) => (
                        <Row key={each.id} resource={each} machines={known} onNotice={setNotice} />
                      ))}
                    </ul>
                    <More of={resources} />
                  </Card>
                )}
                {isAdding ? (
                  <ResourceDialog machines={known} onNotice={setNotice} onClose={() => setAdding(false)} />
                ) : null}
              </>
            )}
          </QueryView>
        </Screen>
      )}
    </QueryView>
  );
}

function Row({
  resource,
  machines,
  onNotice,
}: {
  readonly resource: Resource;
  readonly machines: readonly Machine[];
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { name, origin, ttlSeconds, machineId, createdAt } = resource;
  const [asking, setAsking] = useState<'edit' | 'remove'>();
  const close = (): void => setAsking(undefined);
  const machine = machines.find(({ id }) => id === machineId)?.name ?? t('resource.machineGone');
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 px-3 py-2.5">
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <bdi className="font-semibold">{name}</bdi>
        <bdi className="font-mono">{origin}</bdi>
        <p className="text-note text-quiet">
          {t('resource.lasts', { time: lifeText(ttlSeconds) })}
          {machineId === null ? null : (
            <>
              {' · '}
              <bdi>{t('resource.introspectedBy', { machine })}</bdi>
            </>
          )}
          {' · '}
          {t('resource.since', { day: shownDay(createdAt) })}
        </p>
      </div>
      <Menu
        isRow
        label={ofTeams('team.actions', { name })}
        about={name}
        items={[
          { words: t('resource.edit'), onClick: () => setAsking('edit') },
          { words: t('resource.remove'), isGrave: true, onClick: () => setAsking('remove') },
        ]}
      />
      {asking === 'edit' ? (
        <ResourceDialog resource={resource} machines={machines} onNotice={onNotice} onClose={close} />
      ) : null}
      {asking === 'remove' ? (
        <RemoveResourceDialog resource={resource} onNotice={onNotice} onClose={close} />
      ) : null}
    </li>
  );
}
