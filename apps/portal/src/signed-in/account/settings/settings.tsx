import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Form } from '@gatehouse/ui/form/form';
import { SaveButton } from '@gatehouse/ui/form/save-button';
import { TextField } from '@gatehouse/ui/form/text-field';
import { BUTTON_LOOK, Button } from '@gatehouse/ui/parts/button';
import { Card, Columns } from '@gatehouse/ui/parts/card';
import { CopyButton } from '@gatehouse/ui/parts/copy-button';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { roleName } from '@gatehouse/ui/team/role-name';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { useSettings } from '../../../signed-out/settings.js';
import { useIsPrimaryOwner, usePlace } from '../account-place.js';
import { t } from '../words.js';
import { ConnectedAppsCard } from './connected-apps-card.js';
import { AgentsCard, PolicyCard, usePolicy } from './policy-card.js';
import { RolesCard } from './roles-card.js';

const RUNNING = ['active', 'past_due', 'paused'];

/** Closes the account, which its primary owner can restore for some weeks. */
export function CloseCard(): ReactElement {
  const [isAsking, setAsking] = useState(false);
  const { restorableDays } = useSettings();
  return (
    <Card title={t('close.title')}>
      <div className="flex flex-wrap items-center justify-between gap-3 p-3">
        <p className="min-w-0 flex-1 basis-60">{t('close.lead', { days: restorableDays.account })}</p>
        <Button kind="grave" onClick={() => setAsking(true)}>
          {t('close.open')}
        </Button>
      </div>
      {isAsking ? <CloseDialog onClose={() => setAsking(false)} /> : null}
    </Card>
  );
}

function CloseDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { api, accountId, accountName, subscription } = usePlace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutationState('typed');
  const once = useOnce();
  const isPaid = RUNNING.includes(subscription.state);
  return (
    <Confirm
      title={t('close.question', { account: accountName })}
      effect={t(isPaid ? 'close.effectPaid' : 'close.effect')}
      action={t('close.submit')}
      typed={{ label: t('leave.typed'), text: accountName }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const closing = { name: accountName, cancelSubscription: isPaid };
        await once(
          async () => {
            await withReauth(() => api.account.close.mutate(closing, { signal }));
          },
          async () => {
            const { data } = await gatehouse.api.account.listMine.query({ limit: 200 }, { signal });
            return data.some(({ id, state }) => id === accountId && state === 'closed');
          },
        );
        await navigate({ to: '/' });
        await queries.invalidateQueries();
      }}
      onClose={onClose}
    />
  );
}

/** Gives the account another name. */
export function NameCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { api, accountId, accountName } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('name');
  return (
    <Card title={t('name.title')}>
      <div className="grid items-start gap-x-8 gap-y-5 p-3 *:min-w-0 wide:grid-cols-2">
        <Form
          mutation={mutation}
          onSend={async ({ name = '' }, signal) => {
            const { data } = await api.account.rename.mutate({ name: name.trim() }, { signal });
            await queries.invalidateQueries();
            onNotice(t('name.done', { name: data.name }));
          }}
        >
          <TextField
            name="name"
            label={t('name.field')}
            defaultValue={accountName}
            autoComplete="organization"
            required
          />
          <SaveButton about={t('name.title')} isBusy={mutation.isBusy} />
        </Form>
        <div className="flex flex-col gap-1.5">
          <p className="font-semibold">{t('name.id')}</p>
          <div className="flex flex-wrap items-center bg-well">
            <p className="min-w-0 flex-1 px-3 font-mono text-lead" translate="no">
              {accountId}
            </p>
            <CopyButton text={String(accountId)} label={t('name.copyId')} isIcon />
          </div>
        </div>
      </div>
    </Card>
  );
}

/** Leads to the screen about the directory of the company. */
function DirectoryCard(): ReactElement {
  const { accountId } = usePlace();
  return (
    <Card title={t('directory.title')}>
      <div className="flex flex-col items-start gap-5 p-3">
        <p>{t('directory.lead')}</p>
        <Link
          to="/a/$account/settings/directory"
          params={{ account: String(accountId) }}
          className={BUTTON_LOOK}
        >
          {t('directory.open')}
        </Link>
      </div>
    </Card>
  );
}

export const SettingsScreen = inLanguage(Settings);

function Settings(): ReactElement {
  const { accountId, maySee, mayDo, roleLabel } = usePlace();
  const isPrimaryOwner = useIsPrimaryOwner(accountId);
  const policy = usePolicy();
  const [notice, setNotice] = useState<string>();
  if (!maySee('account.manage')) return <Denied role={roleName(roleLabel)} />;
  const lead = t(isPrimaryOwner === true ? 'settings.leadOwner' : 'settings.lead');
  return (
    <Screen title={t('settings.title')} lead={lead}>
      <Notice text={notice} onClose={setNotice} />
      {mayDo('account.manage') ? <NameCard onNotice={setNotice} /> : null}
      <PolicyCard onNotice={setNotice} />
      {/* Not shown before the content above has its height. */}
      <div className={policy.isLoading ? 'hidden' : 'contents'}>
        {mayDo('account.manage') || mayDo('sso.manage') ? (
          <Columns>
            {mayDo('account.manage') ? <AgentsCard onNotice={setNotice} /> : null}
            {mayDo('sso.manage') ? <DirectoryCard /> : null}
          </Columns>
        ) : null}
        {mayDo('app.manage') ? <ConnectedAppsCard onNotice={setNotice} /> : null}
        {mayDo('account.manage') && maySee('member.list') ? <RolesCard onNotice={setNotice} /> : null}
        {mayDo('account.manage') && isPrimaryOwner === true ? <CloseCard /> : null}
      </div>
    </Screen>
  );
}
