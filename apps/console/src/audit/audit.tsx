import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useMe } from '../session/me.js';
import { type AuditFilters, askedBy, readAuditFilters } from './audit-filters.js';
import { AuditList } from './audit-list.js';
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
    <Screen title={t('audit.title')} lead={t('audit.lead')}>
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
  const mutation = useMutationState();
  return (
    <search>
      <Form mutation={mutation} onSend={(fields) => Promise.resolve(onChange(readAuditFilters(fields)))}>
        <div className="grid gap-3 rows:grid-cols-3">
          <TextField
            name="subject"
            label={t('audit.subject')}
            defaultValue={subject ?? ''}
            placeholder="member/3"
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            name="action"
            label={t('audit.action')}
            defaultValue={action ?? ''}
            placeholder="member.banned"
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            name="actor"
            label={t('audit.actor')}
            defaultValue={actor === undefined ? '' : String(actor)}
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField
            name="account"
            label={t('audit.account')}
            defaultValue={account === undefined ? '' : String(account)}
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField name="from" type="date" label={t('audit.since')} defaultValue={from ?? ''} />
          <TextField name="until" type="date" label={t('audit.until')} defaultValue={until ?? ''} />
          <div className="rows:col-span-2">
            <TextField
              name="request"
              label={t('audit.request')}
              defaultValue={request ?? ''}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary">
            {t('audit.look')}
          </Button>
          <Button onClick={onClear}>{t('audit.clear')}</Button>
        </div>
      </Form>
    </search>
  );
}
