import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { readRows } from '@gatehouse/ui/list/ask-for-rows';
import { FilterSelect } from '@gatehouse/ui/list/filter-select';
import { RowAction } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Chevron } from '@gatehouse/ui/parts/icons';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownDay, showsUtc } from '@gatehouse/ui/screen/shown-time';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { useMe } from '../session/me.js';
import { listActions } from './actions/action-words.js';
import { type AuditFilters, askedBy, isSubject, type RANGES, readAuditFilters } from './audit-filters.js';
import { AuditList, useEntries } from './audit-list.js';
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
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLElement>(null);
  const focus = (selector: string) => place.current?.querySelector<HTMLElement>(selector)?.focus();
  const focusOpener = () => focus('[aria-expanded]');
  function show(next: AuditFilters): void {
    typed.current = JSON.stringify(next);
    void navigate({ search: next });
  }
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
      actions={<ExportAudit ask={() => askedBy(filters)} />}
    >
      <div className="flex flex-col gap-4">
        <search ref={place} className="flex flex-col gap-3">
          <QuickFilters
            filters={filters}
            isOpen={isOpen}
            onOpen={setOpen}
            onDays={() => {
              setOpen(true);
              requestAnimationFrame(() => focus('[name=from]'));
            }}
            onChange={show}
            onClear={() => {
              focusOpener();
              void navigate({ search: {} });
            }}
          />
          {isOpen ? <Filters key={shown} filters={filters} onChange={show} /> : null}
          <Chips filters={filters} onChange={show} onLast={focusOpener} />
        </search>
        <AuditList filters={filters} />
      </div>
    </Screen>
  );
}

/** The range in the list that stands for days of one's own. */
const OWN = 'own';

const RANGE_WORDS = {
  hour: 'audit.lastHour',
  day: 'audit.lastDay',
  week: 'audit.lastWeek',
  month: 'audit.lastMonth',
} as const satisfies Record<keyof typeof RANGES, string>;

/** The filters that are chosen from lists, and the button that opens the others. */
function QuickFilters({
  filters,
  isOpen,
  onOpen,
  onDays,
  onChange,
  onClear,
}: {
  readonly filters: AuditFilters;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  /** Called for days of one's own, which are typed. */
  readonly onDays: () => void;
  readonly onChange: (next: AuditFilters) => void;
  readonly onClear: () => void;
}): ReactElement {
  const { action, last, from, until } = filters;
  const actions = listActions();
  const isListed = action === undefined || actions.some(({ value }) => value === action);
  const hasDays = from !== undefined || until !== undefined;
  return (
    <div className="grid grid-cols-2 items-end gap-3 rows:grid-cols-[12rem_minmax(0,20rem)_auto]">
      <FilterSelect
        label={t('audit.range')}
        value={hasDays ? OWN : (last ?? '')}
        choices={[
          { value: '', label: t('audit.anyTime') },
          ...(['hour', 'day', 'week', 'month'] as const).map((value) => ({
            value,
            label: t(RANGE_WORDS[value]),
          })),
          { value: OWN, label: t('audit.ownRange') },
        ]}
        onChange={(next) => {
          if (next === OWN) onDays();
          else onChange(readAuditFilters({ ...filters, last: next, from: '', until: '' }));
        }}
      />
      <FilterSelect
        label={t('audit.action')}
        value={action ?? ''}
        choices={[
          { value: '', label: t('audit.anyAction') },
          ...(isListed ? [] : [{ value: action, label: action }]),
          ...actions,
        ]}
        onChange={(next) => onChange(readAuditFilters({ ...filters, action: next }))}
      />
      <div className="col-span-full flex flex-wrap items-center gap-3 rows:col-span-1">
        <Button aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          {t('audit.more')}
          <Chevron isOpen={isOpen} />
        </Button>
        {Object.keys(filters).length === 0 ? null : (
          <RowAction onClick={onClear}>{t('audit.clear')}</RowAction>
        )}
      </div>
    </div>
  );
}

/** The filters that are typed. */
function Filters({
  filters,
  onChange,
}: {
  readonly filters: AuditFilters;
  readonly onChange: (next: AuditFilters) => void;
}): ReactElement {
  const { subject, actor, account, request, from, until } = filters;
  const mutation = useMutationState('subject', 'actor', 'account', 'from', 'until');
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(filters);
  // A filter that is taken away outside the form empties its field; what is typed in the others stays.
  useEffect(() => {
    for (const field of place.current?.querySelectorAll('input') ?? [])
      if (field.name in before.current && !(field.name in filters)) field.value = '';
    before.current = filters;
  }, [filters]);

  /** Resolves names to ids, and reports at each field what cannot be resolved or filtered by. */
  async function look(fields: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const { subject: about = '', actor: who = '', account: where = '' } = fields;
    // A kind alone is only in addresses that were kept.
    const isItem = about.includes('/') || about.trim() === subject;
    const [person, place, affected] = await Promise.all([
      resolveName(who, findPeople, signal),
      resolveName(where, findPlaces, signal),
      resolveName(isItem ? '' : about, findPeople, signal),
    ]);
    const next = readAuditFilters({
      ...filters,
      ...fields,
      actor: person.id,
      account: place.id,
      subject: affected.id === undefined ? about : `member/${affected.id}`,
    });
    const isLost = (day: 'from' | 'until') => (fields[day] ?? '') !== '' && next[day] === undefined;
    const refusals = { actor: person.refusal, account: place.refusal, subject: affected.refusal };
    const issues = [
      ...Object.entries(refusals).flatMap(([path, refusal]) =>
        refusal === '' ? [] : [{ path, message: t(refusal) }],
      ),
      ...(isItem && !isSubject(about.trim()) ? [{ path: 'subject', message: t('audit.subjectWrong') }] : []),
      ...(['from', 'until'] as const).filter(isLost).map((path) => ({ path, message: t('audit.dayWrong') })),
    ];
    if (issues.length > 0) mutation.fail({ message: '', issues, mayRetry: false });
    else onChange(next);
  }

  return (
    <div ref={place} className="border-t-2 border-ink bg-card p-3">
      <Form mutation={mutation} onSend={look}>
        <div className="grid gap-3 rows:grid-cols-3">
          <TextField
            name="actor"
            label={t('audit.actor')}
            hint={t('audit.actorHint')}
            defaultValue={actor === undefined ? '' : `#${actor}`}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            name="subject"
            label={t('audit.subject')}
            hint={t('audit.affectedHint')}
            defaultValue={subject ?? ''}
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
          <TextField name="from" type="date" label={t('audit.since')} defaultValue={from ?? ''} />
          <TextField name="until" type="date" label={t('audit.until')} defaultValue={until ?? ''} />
          <TextField
            name="request"
            label={t('audit.request')}
            defaultValue={request ?? ''}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <div>
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {t('audit.look')}
          </Button>
        </div>
      </Form>
    </div>
  );
}

/** The typed filters in use, each with a cross that takes it away. */
function Chips({
  filters,
  onChange,
  onLast,
}: {
  readonly filters: AuditFilters;
  readonly onChange: (next: AuditFilters) => void;
  /** Called when no other chip can take the focus. */
  readonly onLast: () => void;
}): ReactElement | null {
  const entries = useEntries(filters).data ?? [];
  const { subject, actor, account, request, from, until } = filters;
  const nameOf = (id: number) => entries.find(({ actorId }) => actorId === id)?.actorName ?? `#${id}`;
  const subjectName = () => {
    const named = entries.find(
      ({ subjectKind, subjectId }) =>
        subject?.startsWith('member/') && `${subjectKind}/${subjectId}` === subject,
    );
    return named?.subjectName ?? subject ?? '';
  };
  const placeName = (id: number) =>
    entries.find(({ accountId, accountName }) => accountId === id && accountName !== null)?.accountName ??
    `#${id}`;
  const chips: readonly (readonly [keyof AuditFilters, string, string])[] = [
    ...(from === undefined ? [] : [['from', t('audit.since'), shownNoon(from)] as const]),
    ...(until === undefined ? [] : [['until', t('audit.until'), shownNoon(until)] as const]),
    ...(actor === undefined ? [] : [['actor', t('audit.actor'), nameOf(actor)] as const]),
    ...(subject === undefined ? [] : [['subject', t('audit.subject'), subjectName()] as const]),
    ...(account === undefined ? [] : [['account', t('audit.account'), placeName(account)] as const]),
    ...(request === undefined ? [] : [['request', t('audit.request'), request] as const]),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="flex flex-wrap items-center gap-2 print:hidden">
      {chips.map(([name, label, words]) => (
        <li key={name}>
          <button
            type="button"
            onClick={({ currentTarget: { parentElement: chip } }) => {
              const near = chip?.nextElementSibling ?? chip?.previousElementSibling;
              if (near) near.querySelector('button')?.focus();
              else onLast();
              onChange(readAuditFilters({ ...filters, [name]: undefined }));
            }}
            className="flex min-h-8 cursor-pointer items-center gap-2 rounded-full border border-edge bg-card px-3 text-start wrap-anywhere hover:bg-well"
          >
            <span>
              <span className="text-quiet">{label}:</span> <bdi>{words}</bdi>
            </span>
            <span aria-hidden="true">×</span>
            <span className="sr-only">{t('audit.remove')}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A day as words: its noon is the same day in the zone of the shown times. */
const shownNoon = (day: string) => shownDay(`${day}T12:00${showsUtc() ? 'Z' : ''}`);

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
