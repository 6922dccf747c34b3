import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { CheckGroup, checkedIn } from '@gatehouse/ui/form/check-group';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { domainsIn, type Sso, useSso, useSsoKey } from './sso-data.js';
import { t } from './words.js';

const MAX_EXEMPT = 3;

interface Told {
  readonly onNotice: (notice: string) => void;
}

/** Whether members must use the company sign-in, and who is exempt. */
export function RequireCard({ onNotice }: Told): ReactElement {
  const answer = useSso();
  const [asked, setAsked] = useState<'require' | 'exempt' | 'undo'>();
  const close = (): void => setAsked(undefined);
  return (
    <Card title={t('require.title')}>
      <QueryView answer={answer} isPart>
        {({ data: sso }) => (
          <div className="flex flex-col items-start gap-4 p-3">
            <Standing sso={sso} />
            {sso.required ? (
              <div className="flex flex-wrap gap-3">
                <Button onClick={() => setAsked('exempt')}>{t('require.changeExempt')}</Button>
                <Button onClick={() => setAsked('undo')}>{t('require.undo')}</Button>
              </div>
            ) : isReady(sso) ? (
              <Button onClick={() => setAsked('require')}>{t('require.open')}</Button>
            ) : null}
            {asked === 'undo' ? <UndoDialog onNotice={onNotice} onClose={close} /> : null}
            {asked === 'require' || asked === 'exempt' ? (
              <RequireDialog sso={sso} onNotice={onNotice} onClose={close} />
            ) : null}
          </div>
        )}
      </QueryView>
    </Card>
  );
}

const isReady = (sso: Sso): boolean => domainsIn(sso) !== '' && sso.connections.some(({ active }) => active);

function Standing({ sso }: { readonly sso: Sso }): ReactElement {
  if (!sso.required)
    return <p className="max-w-[44rem] text-quiet">{t(isReady(sso) ? 'require.off' : 'require.notReady')}</p>;
  const exempt = sso.owners.filter(({ id }) => sso.exempt.includes(id));
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-start gap-3">
        <span className="pt-0.5">
          <StatusIcon tone="ok" />
        </span>
        {t('require.on')}
      </p>
      {exempt.length === 0 ? null : (
        <p className="text-quiet">
          {t('require.exemptAre')}{' '}
          <bdi className="font-semibold text-ink">{exempt.map(shownName).join(', ')}</bdi>
        </p>
      )}
    </div>
  );
}

/** Requires the company sign-in, and chooses who is exempt. It explains the effects on people first. */
function RequireDialog({
  sso,
  onNotice,
  onClose,
}: Told & { readonly sso: Sso; readonly onClose: () => void }): ReactElement {
  const { api, accountName } = usePlace();
  const { member: me } = useMe();
  const queries = useQueryClient();
  const queryKey = useSsoKey();
  const mutation = useMutationState('exempt');
  const { required, exempt, owners } = sso;
  const fail = (message: string): void =>
    mutation.fail({ message: '', issues: [{ path: 'exempt', message }], mayRetry: false });
  return (
    <Confirm
      title={required ? t('require.changeExempt') : t('require.question', { account: accountName })}
      effect={
        required ? (
          <p>{t('require.exemptLead')}</p>
        ) : (
          <ul className="flex list-disc flex-col gap-2 ps-5">
            <li>{t('require.effectSessions')}</li>
            <li>{t('require.effectPasswords', { domains: domainsIn(sso) })}</li>
            <li>{t('require.effectOutside')}</li>
            <li>{t('require.effectAgents')}</li>
          </ul>
        )
      }
      action={t(required ? 'require.saveExempt' : 'require.submit')}
      isGrave={!required}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const chosen = checkedIn(fields, 'exempt').map(Number);
        if (chosen.length === 0 || chosen.length > MAX_EXEMPT) return fail(t('require.exemptCount'));
        try {
          await withReauth(() => api.sso.setPolicy.mutate({ required: true, exempt: chosen }, { signal }));
        } catch (error) {
          const own = ownWords(error);
          if (own === undefined) throw error;
          return fail(own);
        }
        await queries.invalidateQueries({ queryKey });
        onNotice(t(required ? 'require.exemptSaved' : 'require.done'));
        onClose();
      }}
      onClose={onClose}
    >
      <CheckGroup
        name="exempt"
        label={t('require.exempt')}
        hint={t('require.exemptHint')}
        choices={owners.map((person) => ({
          value: String(person.id),
          label: <bdi>{shownName(person)}</bdi>,
          about: person.id === me.id ? t('require.you') : undefined,
          isChecked: exempt.length === 0 ? person.id === me.id : exempt.includes(person.id),
        }))}
      />
    </Confirm>
  );
}

/** Why the service refuses the chosen people, in the words of this screen. */
function ownWords(error: unknown): string | undefined {
  if (isGatehouseError(error, 'policy_excludes_you')) return t('require.excludesYou');
  if (isGatehouseError(error, 'not_tested')) return t('require.notReady');
  if (!isGatehouseError(error, 'invalid_input')) return undefined;
  const { issues = [] } = error.data;
  if (issues.some(({ path }) => path.startsWith('exempt'))) return t('require.cannotOtherwise');
  return issues.some(({ path }) => path === 'required') ? t('require.notReady') : undefined;
}

/** Lets members sign in as they like again. */
function UndoDialog({ onNotice, onClose }: Told & { readonly onClose: () => void }): ReactElement {
  const { api } = usePlace();
  const queries = useQueryClient();
  const queryKey = useSsoKey();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('require.undoQuestion')}
      effect={t('require.undoEffect')}
      action={t('require.undo')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => api.sso.setPolicy.mutate({ required: false }, { signal }));
        await queries.invalidateQueries({ queryKey });
        onNotice(t('require.undone'));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
