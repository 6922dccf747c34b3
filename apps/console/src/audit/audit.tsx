import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextField } from '@gatehouse/ui/form/text-field';
import { readRows } from '@gatehouse/ui/list/ask-for-rows';
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
import { type Find, resolveName } from './find-named.js';
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
  // Back, and "clear the filters", reset the fields; otherwise what was typed stays, with the focus.
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
  const mutation = useMutationState('subject', 'actor', 'account', 'from', 'until');
  const actions = listActions();
  const isListed = action === undefined || actions.some(({ value }) => value === action);

  /** Resolves names to ids, and reports at each field what cannot be resolved or filtered by. */
  async function look(fields: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const { subject: about = '', actor: who = '', account: where = '' } = fields;
    const [person, place] = await Promise.all([
      resolveName(who, findPeople, signal),
      resolveName(where, findPlaces, signal),
    ]);
    const next = readAuditFilters({ ...fields, actor: person.id, account: place.id });
    const isLost = (day: 'from' | 'until') => (fields[day] ?? '') !== '' && next[day] === undefined;
    const issues = [
      ...(person.refusal === '' ? [] : [{ path: 'actor', message: t(person.refusal) }]),
      ...(place.refusal === '' ? [] : [{ path: 'account', message: t(place.refusal) }]),
      ...(about.trim() === '' || isSubject(about.trim())
        ? []
        : [{ path: 'subject', message: t('audit.subjectWrong') }]),
      ...(['from', 'until'] as const).filter(isLost).map((path) => ({ path, message: t('audit.dayWrong') })),
    ];
    if (issues.length > 0) mutation.fail({ message: '', issues, mayRetry: false });
    else onChange(next);
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

/** More than the members that one text can match exactly, by id, username or address; a search returns those first. */
const PEOPLE = 4;

const findPeople: Find = async (search, signal) => {
  // Without a state, a search leaves out deleted members.
  const found = await Promise.all(
    [{}, { state: 'deleting' as const }, { state: 'deleted' as const }].map((state) =>
      readRows(
        (page) => gatehouse.api.member.search.query({ search, limit: PEOPLE, ...state, ...page }, { signal }),
        2,
      ),
    ),
  );
  return found.flat().map(({ id, username, email }) => ({ id, uniqueNames: [username, email] }));
};

const findPlaces: Find = async (search, signal) => {
  const found = await Promise.all(
    (['live', 'closed'] as const).map((state) =>
      readRows(
        (page) => gatehouse.api.account.search.query({ search, limit: 2, state, ...page }, { signal }),
        2,
      ),
    ),
  );
  return found.flat().map(({ id }) => ({ id, uniqueNames: [] }));
};
