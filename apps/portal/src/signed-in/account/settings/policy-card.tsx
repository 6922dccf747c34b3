import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { CheckLine } from '@gatehouse/ui/form/check-group';
import { Form } from '@gatehouse/ui/form/form';
import { LinesField, lineNames, linesIn } from '@gatehouse/ui/form/lines-field';
import { SaveButton } from '@gatehouse/ui/form/save-button';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { Card } from '@gatehouse/ui/parts/card';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { PolicyStatus, policyWords } from '@gatehouse/ui/team/policy-status';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useSettings } from '../../../signed-out/settings.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';

type Policy = MainOutputs['accountPolicy']['get']['data'];

const GRACE_DAYS = [0, 7, 14, 30];

/** The level that the account requires. */
export function usePolicy() {
  const { api, key } = usePlace();
  return useQuery({
    queryKey: [...key, 'policy'],
    queryFn: ({ signal }) => api.accountPolicy.get.query(undefined, { signal }),
  });
}

/** The level that the account requires, and how many members do not reach it yet. */
export function PolicyCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { mayDo } = usePlace();
  const policy = usePolicy();
  return (
    <Card title={ofTeams('policy.title')}>
      <QueryView answer={policy} isPart>
        {({ data }) => (
          <div className="flex flex-col gap-5 p-3">
            <PolicyStatus policy={data} isChosen={mayDo('account.manage')} />
            {mayDo('account.manage') ? <Change policy={data} onNotice={onNotice} /> : null}
          </div>
        )}
      </QueryView>
    </Card>
  );
}

const LEVELS = [1, 2, 3];

/** Level 3 requires a passkey. */
const LEVEL_OF_PASSKEYS = 3;

function Change({
  policy,
  onNotice,
}: {
  readonly policy: Policy;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('level', 'graceDays');
  const { passkeys } = useSettings();
  const levels = LEVELS.filter((level) => level < LEVEL_OF_PASSKEYS || passkeys || level === policy.level);
  return (
    <Form
      mutation={mutation}
      onSend={async ({ level = '1', graceDays = '0' }, signal) => {
        const wanted = { level: Number(level), graceDays: Number(graceDays) };
        const { data } = await withReauth(() => api.accountPolicy.set.mutate(wanted, { signal }));
        queries.setQueryData([...key, 'policy'], { data });
        await queries.invalidateQueries({ queryKey: ['me'] });
        onNotice(t('policy.done', { level: policyWords(data.level) }));
      }}
    >
      <div className="grid gap-5 rows:grid-cols-2">
        <SelectField
          name="level"
          label={t('policy.field')}
          choices={levels.map((level) => ({ value: String(level), label: policyWords(level) }))}
          defaultValue={String(policy.level)}
        />
        <SelectField
          name="graceDays"
          label={t('policy.grace')}
          hint={t('policy.graceHint')}
          choices={GRACE_DAYS.map((days) => ({
            value: String(days),
            label: t('policy.days', { count: days }),
          }))}
          defaultValue="0"
        />
      </div>
      {mutation.failure?.issues.some(({ path }) => path === 'level') === true ? (
        <p>
          <Link to="/you/security" className="text-harbour underline decoration-1 underline-offset-3">
            {t('policy.addFactor')}
          </Link>
        </p>
      ) : null}
      <SaveButton about={ofTeams('policy.title')} isBusy={mutation.isBusy} />
    </Form>
  );
}

/** Whether members may let apps and agents act in the organization. */
export function AgentsCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const policy = usePolicy();
  return (
    <Card title={t('agents.title')}>
      <QueryView answer={policy} isPart>
        {({ data }) => (
          <div className="p-3">
            <Agents policy={data} onNotice={onNotice} />
          </div>
        )}
      </QueryView>
    </Card>
  );
}

function Agents({
  policy: { allowsAgents, blockedClientHosts, clientDocuments },
  onNotice,
}: {
  readonly policy: Policy;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('allowsAgents', ...lineNames('blockedClientHosts'));
  const [sent, setSent] = useState<string>();
  const hasHosts = clientDocuments || blockedClientHosts.length > 0;
  return (
    <Form
      mutation={mutation}
      onSend={async (fields, signal) => {
        const hosts = fields['blockedClientHosts'];
        setSent(hosts);
        const wanted = {
          allowsAgents: fields['allowsAgents'] !== undefined,
          ...(hasHosts ? { blockedClientHosts: linesIn(hosts).map(({ line }) => line) } : {}),
        };
        const { data } = await withReauth(() => api.accountPolicy.set.mutate(wanted, { signal }));
        queries.setQueryData([...key, 'policy'], { data });
        onNotice(t(data.allowsAgents ? 'agents.allowed' : 'agents.forbidden'));
      }}
    >
      <CheckLine
        label={t('agents.allow')}
        about={t('agents.about')}
        box={{ name: 'allowsAgents', defaultChecked: allowsAgents }}
      />
      {hasHosts ? (
        <LinesField
          name="blockedClientHosts"
          label={t('agents.hosts')}
          hint={t('agents.hostsHint')}
          rows={2}
          defaultValue={blockedClientHosts}
          sent={sent}
        />
      ) : null}
      <SaveButton about={t('agents.title')} isBusy={mutation.isBusy} />
    </Form>
  );
}
