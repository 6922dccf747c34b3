import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextField } from '@gatehouse/ui/form/text-field';
import { askForRows } from '@gatehouse/ui/list/ask-for-rows';
import { Button } from '@gatehouse/ui/parts/button';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { useMe } from '../session/me.js';
import { listActions } from './actions/action-words.js';
import { type AuditFilters, askedBy, isSubject, readAuditFilters } from './audit-filters.js';
import { AuditList } from './audit-list.js';
import { ExportAudit } from './export-audit.js';
import { t } from './words.js';

export const AuditScreen = inLanguage(Audit);

const route = getRouteApi('/frame/audit');

function Audit(): ReactElement {
  return useMe().staffPermissions.includes('audit.read') ? <Log /> : <Denied />;
}

function Log(): ReactElement {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const named = JSON.stringify(filters);
  const typed = useRef(named);
  const [shown, setShown] = useState(0);
  // Back, and "clear the filters", change the fields; what was typed into them stays, with the focus.
  useEffect(() => {
    if (typed.current === named) return;
    typed.current = named;
    setShown((times) => times + 1);
  }, [named]);
  return (
    <Screen
      title={t('audit.title')}
      lead={t('audit.lead')}
      actions={<ExportAudit asked={askedBy(filters)} />}
    >
      <Filters
        key={shown}
        filters={filters}
        onChange={(next) => {
          typed.current = JSON.stringify(next);
          void navigate({ search: next });
        }}
        onClear={() => void navigate({ search: {} })}
      />
      <AuditList asked={askedBy(filters)} />
    </Screen>
  );
}

function Filters({
  filters: { subject, actor, account, action, request, from, until },
  onChange,
  onClear,
}: {
  readonly filters: AuditFilters;
  readonly onChange: (next: AuditFilters) => void;
  readonly onClear: () => void;
}): ReactElement {
  const mutation = useMutationState('subject', 'actor', 'account');
  const actions = listActions();
  const isListed = action === undefined || actions.some(({ value }) => value === action);

  /** Finds who is meant by a name, and refuses at its field what the log cannot be filtered by. */
  async function look(fields: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const { subject: about = '', actor: who = '', account: where = '' } = fields;
    const [person, place] = await Promise.all([
      idOf(who, findPeople, signal),
      idOf(where, findPlaces, signal),
    ]);
    const issues = [
      { path: 'actor', message: person.refusal },
      { path: 'account', message: place.refusal },
      {
        path: 'subject',
        message: about.trim() === '' || isSubject(about.trim()) ? '' : t('audit.subjectWrong'),
      },
    ].filter(({ message }) => message !== '');
    if (issues.length > 0) mutation.fail({ message: '', issues, mayRetry: false });
    else onChange(readAuditFilters({ ...fields, actor: person.id, account: place.id }));
  }

  return (
    <search>
      <Form mutation={mutation} onSend={look}>
        <div className="grid gap-3 rows:grid-cols-3">
          <SelectField
            name="action"
            label={t('audit.action')}
            choices={[
              { value: '', label: t('audit.anyAction') },
              ...(isListed ? [] : [{ value: action, label: action }]),
              ...actions,
            ]}
            defaultValue={action ?? ''}
          />
          <TextField
            name="actor"
            label={t('audit.actor')}
            hint={t('audit.actorHint')}
            defaultValue={actor === undefined ? '' : `#${actor}`}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            name="account"
            label={t('audit.account')}
            hint={t('audit.accountHint')}
            defaultValue={account === undefined ? '' : `#${account}`}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            name="subject"
            label={t('audit.subject')}
            hint={t('audit.subjectHint')}
            defaultValue={subject ?? ''}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField name="from" type="date" label={t('audit.since')} defaultValue={from ?? ''} />
          <TextField name="until" type="date" label={t('audit.until')} defaultValue={until ?? ''} />
          <div className="rows:col-span-2">
            <TextField
              name="request"
              label={t('audit.request')}
              defaultValue={request ?? ''}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {t('audit.look')}
          </Button>
          <Button onClick={onClear}>{t('audit.clear')}</Button>
        </div>
      </Form>
    </search>
  );
}

type Find = (search: string, signal: AbortSignal) => Promise<readonly { readonly id: number }[]>;

const findPeople: Find = async (search, signal) =>
  (await askForRows((page) => gatehouse.api.member.search.query({ search, limit: 2, ...page }, { signal })))
    .data;

const findPlaces: Find = async (search, signal) =>
  (await askForRows((page) => gatehouse.api.account.search.query({ search, limit: 2, ...page }, { signal })))
    .data;

/** The id that a field means: `#42`, or the only one that a name or an address fits. */
async function idOf(
  typed: string,
  find: Find,
  signal: AbortSignal,
): Promise<{ readonly id?: number; readonly refusal: string }> {
  const text = typed.trim();
  if (text === '') return { refusal: '' };
  if (/^#?\d+$/.test(text)) return { id: Number(text.replace('#', '')), refusal: '' };
  const [found, other] = await find(text, signal);
  if (found === undefined) return { refusal: t('audit.nobody') };
  return other === undefined ? { id: found.id, refusal: '' } : { refusal: t('audit.several') };
}
