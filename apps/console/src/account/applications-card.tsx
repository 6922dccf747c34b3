import { type AdminOutputs, isGatehouseError } from '@gatehouse/client-sdk/admin';
import { applicationStatus, typeName } from '@gatehouse/ui/developers/application-words';
import { t as ofDevelopers } from '@gatehouse/ui/developers/words';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Badge } from '@gatehouse/ui/parts/badge';
import { Card } from '@gatehouse/ui/parts/card';
import { Menu } from '@gatehouse/ui/parts/menu';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { accountKey } from './account-page.js';
import { t } from './words.js';

type Application = AdminOutputs['platformApp']['list']['data'][number];

const applicationsKey = (accountId: number) => [...accountKey(accountId), 'applications'] as const;

interface OfAccount {
  readonly accountId: number;
  readonly onNotice: (notice: string) => void;
}

/** The applications that an account has registered, for staff who may stop them. Most accounts have none. */
export function ApplicationsCard(props: OfAccount): ReactElement | null {
  return mayAsStaff(useMe(), 'platformApp.manage') ? <Registered {...props} /> : null;
}

function Registered({ accountId, onNotice }: OfAccount): ReactElement | null {
  const applications = usePages<Application>(applicationsKey(accountId), (page, signal) =>
    gatehouse.api.platformApp.list.query({ accountId, ...page }, { signal }),
  );
  const [asks, setAsks] = useState<{ readonly what: 'block' | 'remove'; readonly id: number }>();
  const rows = applications.data ?? [];
  const asked = rows.find(({ id }) => id === asks?.id);
  const dialog = { accountId, onNotice, onClose: () => setAsks(undefined) };
  if (rows.length === 0) return null;
  return (
    <Card title={ofDevelopers('applications.title')}>
      <ul className="divide-y divide-line">
        {rows.map((application) => (
          <Row
            key={application.id}
            application={application}
            onAsk={(what) => setAsks({ what, id: application.id })}
          />
        ))}
      </ul>
      <More of={applications} />
      {asked === undefined ? null : asks?.what === 'block' ? (
        <BlockDialog application={asked} {...dialog} />
      ) : (
        <RemoveDialog application={asked} {...dialog} />
      )}
    </Card>
  );
}

function Row({
  application,
  onAsk,
}: {
  readonly application: Application;
  readonly onAsk: (what: 'block' | 'remove') => void;
}): ReactElement {
  const { name, type, clientId, blocked } = application;
  const { tone, title } = applicationStatus(application);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 p-3">
      <div className="min-w-0 wrap-anywhere">
        <bdi className="font-semibold">{name}</bdi>
        <p className="text-note text-quiet">
          <Badge tone={tone}>{title}</Badge> · {typeName(type)}
        </p>
        <code className="font-mono text-note text-quiet">{clientId}</code>
      </div>
      <Menu
        isRow
        label={ofTeams('team.actions', { name })}
        about={name}
        items={[
          {
            words: t(blocked ? 'application.allow' : 'application.block'),
            isGrave: !blocked,
            onClick: () => onAsk('block'),
          },
          { words: ofDevelopers('application.remove'), isGrave: true, onClick: () => onAsk('remove') },
        ]}
      />
    </li>
  );
}

interface AboutApplication extends OfAccount {
  readonly application: Application;
  readonly onClose: () => void;
}

/** Blocks an application, or allows it again. */
function BlockDialog({
  application: { id: applicationId, name, blocked },
  accountId,
  onNotice,
  onClose,
}: AboutApplication): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t(blocked ? 'application.allowTitle' : 'application.blockTitle', { name })}
      effect={t(blocked ? 'application.allowEffect' : 'application.blockEffect')}
      action={t(blocked ? 'application.allowSubmit' : 'application.blockSubmit')}
      isGrave={!blocked}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const wanted = { accountId, applicationId, blocked: !blocked };
        await withReauth(() => gatehouse.api.platformApp.block.mutate(wanted, { signal }));
        await queries.invalidateQueries({ queryKey: applicationsKey(accountId) });
        onNotice(t(blocked ? 'application.allowDone' : 'application.blockDone', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Removes an application, once its name is typed. */
function RemoveDialog({
  application: { id: applicationId, name },
  accountId,
  onNotice,
  onClose,
}: AboutApplication): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('typed');
  const once = useOnce();
  return (
    <Confirm
      title={ofDevelopers('application.removeTitle', { name })}
      effect={ofDevelopers('application.removeEffect')}
      action={ofDevelopers('application.removeSubmit')}
      typed={{ label: ofDevelopers('application.typed'), text: name }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const wanted = { accountId, applicationId };
        await once(
          async () =>
            void (await withReauth(() => gatehouse.api.platformApp.remove.mutate(wanted, { signal }))),
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        onNotice(ofDevelopers('application.removed', { name }));
        onClose();
        await queries.invalidateQueries({ queryKey: applicationsKey(accountId) });
      }}
      onClose={onClose}
    />
  );
}
