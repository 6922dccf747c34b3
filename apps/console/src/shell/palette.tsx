import type { Member } from '@gatehouse/client-sdk/admin';
import { explainError } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Initials } from '@gatehouse/ui/parts/initials';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { useQuery } from '@tanstack/react-query';
import { useMatchRoute, useNavigate } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { mayAnywhere, mayAsStaff, useMe } from '../session/me.js';
import { t } from '../words.js';
import { isOfPerson, visits } from './breadcrumbs.js';
import {
  findAnything,
  hasWords,
  type Job,
  jobsFor,
  readPaletteText,
  requestIdIn,
} from './palette-results.js';
import { readViews } from './saved-views.js';

/** The pause in typing after which the service is called. */
const QUIET_MS = 120;

const NOTHING = { members: [], accounts: [], partners: [] } as const;

interface Choice {
  readonly key: string;
  readonly group: string;
  readonly words: string;
  readonly aside: string;
  readonly isPerson?: boolean;
  open(): void;
}

/** Finds people, pages, actions and saved views from anywhere: letters, arrows, Enter; Esc closes it. */
export function Palette({
  onClose,
  onSignOut,
}: {
  readonly onClose: () => void;
  readonly onSignOut: () => void;
}): ReactElement {
  const id = useId();
  const me = useMe();
  const navigate = useNavigate();
  const isHere = useMatchRoute();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [isAwaited, setAwaited] = useState(false);
  const quiet = useQuiet(text.trim());
  const asked = readPaletteText(quiet);
  const seesMembers = mayAnywhere(me, 'member.list');
  const may = {
    members: seesMembers,
    accounts: mayAnywhere(me, 'account.read'),
    partners: me.staffPermissions.includes('partner.manage'),
  };

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);

  const found = useQuery({
    queryKey: ['palette', asked],
    queryFn: ({ signal }) => findAnything(asked, may, signal),
    enabled: asked.text !== '',
    placeholderData: (before) => before,
  });

  function go(open: () => void): void {
    onClose();
    open();
  }

  const { members, accounts, partners } = (asked.text === '' ? undefined : found.data) ?? NOTHING;
  const views = seesMembers ? readViews(me.member.id).filter(({ name }) => hasWords(name, text.trim())) : [];
  const request = mayAsStaff(me, 'audit.read') ? requestIdIn(text) : undefined;
  const seen =
    text.trim() === '' ? visits.filter(({ main }) => isHere({ ...main, fuzzy: true }) === false) : [];
  const choices: readonly Choice[] = [
    ...seen.map(({ name, id: seenId, main }) => ({
      key: `${main.to} ${seenId}`,
      group: t('palette.recent'),
      words: name,
      aside: `#${seenId}`,
      isPerson: isOfPerson(main),
      open: () => void navigate(main),
    })),
    ...members.map((member) => ({
      key: `m${member.id}`,
      group: t('frame.members'),
      words: shownName(member),
      aside: asideOf(member),
      isPerson: true,
      open: () => void navigate({ to: '/members/$memberId', params: { memberId: String(member.id) } }),
    })),
    ...accounts.map(({ id: accountId, name }) => ({
      key: `a${accountId}`,
      group: t('frame.accounts'),
      words: name,
      aside: `#${accountId}`,
      open: () => void navigate({ to: '/accounts/$accountId', params: { accountId: String(accountId) } }),
    })),
    ...partners.map(({ id: partnerId, name }) => ({
      key: `p${partnerId}`,
      group: t('frame.partners'),
      words: name,
      aside: `#${partnerId}`,
      open: () => void navigate({ to: '/partners/$partnerId', params: { partnerId: String(partnerId) } }),
    })),
    ...(request === undefined
      ? []
      : [
          {
            key: 'request',
            group: t('palette.requests'),
            words: t('palette.request'),
            aside: request,
            open: () => void navigate({ to: '/audit', search: { request } }),
          },
        ]),
    ...jobsFor(me, text).map((job: Job) => ({
      key: job.words,
      group: t('palette.jobs'),
      words: t(job.words),
      aside: '',
      open: () => (job.to === undefined ? onSignOut() : void navigate(job.to)),
    })),
    ...views.map((view) => ({
      key: `v${view.name}`,
      group: t('views.label'),
      words: view.name,
      aside: '',
      open: () => void navigate({ to: '/members', search: view.filters }),
    })),
  ];
  const current = Math.min(chosen, choices.length - 1);
  const choice = choices[current];
  // Enter waits for the answer to the typed letters; an older answer may show another person.
  const isSettled = quiet === text.trim() && !found.isPlaceholderData && !found.isLoading;
  useEffect(() => {
    if (isAwaited && isSettled && choice !== undefined) go(choice.open);
  });
  useEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && choices.length > 0) {
      event.preventDefault();
      setChosen((current + step + choices.length) % choices.length);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    // A result chosen with the arrows is the one on the screen.
    if (chosen > 0 && choice !== undefined) go(choice.open);
    else setAwaited(true);
  }

  const failure = found.error === null ? undefined : explainError(found.error);
  const isNothing = asked.text !== '' && found.isSuccess && choices.length === 0;
  return (
    <dialog
      ref={dialog}
      aria-label={t('palette.open')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
      className="mx-auto mt-[12dvh] max-h-[76dvh] w-[calc(100%-2rem)] max-w-xl border-t-4 border-ink bg-card text-ink shadow-2xl backdrop:bg-[oklch(0_0_0/0.5)]"
    >
      <label htmlFor={`${id}-text`} className="sr-only">
        {t('palette.open')}
      </label>
      <input
        id={`${id}-text`}
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-busy={found.isFetching}
        {...(current < 0 ? {} : { 'aria-activedescendant': `${id}-${current}` })}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('palette.hint')}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value);
          setChosen(0);
          setAwaited(false);
        }}
        onKeyDown={onKeyDown}
        className="min-h-12 w-full border-b border-line bg-card px-4 text-lead placeholder:text-quiet focus-visible:outline-none"
      />
      {failure === undefined ? null : <FailureNote failure={failure} />}
      <p role="status" className="px-4 text-quiet empty:hidden">
        {isNothing ? t('palette.nothing') : ''}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.open')} className="py-2">
        {[...new Set(choices.map(({ group }) => group))].map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options in a list is not a fieldset
          <div key={group} role="group" aria-label={group}>
            <p aria-hidden="true" className="px-4 pt-2 pb-1 text-note text-quiet">
              {group}
            </p>
            {choices.map((choice, index) =>
              choice.group === group ? (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option by aria-activedescendant
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the field
                <div
                  key={choice.key}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === current}
                  onClick={() => go(choice.open)}
                  className="flex min-h-9 cursor-pointer flex-wrap items-center gap-x-2 border-s-3 border-transparent px-4 py-1 wrap-anywhere hover:bg-well aria-selected:border-harbour aria-selected:bg-well"
                >
                  {choice.isPerson ? <Initials of={choice.words} isSmall /> : null}
                  <bdi className="font-semibold">{choice.words}</bdi>
                  <bdi className="text-quiet">{choice.aside}</bdi>
                </div>
              ) : null,
            )}
          </div>
        ))}
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 border-t border-line px-4 py-2 text-note text-quiet">
        <span>{t('palette.keys')}</span>
        <span>{t('palette.narrow')}</span>
      </p>
    </dialog>
  );
}

function asideOf({ email, id }: Member): string {
  return email === null ? `#${id}` : `${shownAddress(email)} #${id}`;
}

/** A text once it has not changed for a moment. */
function useQuiet(text: string): string {
  const [quiet, setQuiet] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return quiet;
}
