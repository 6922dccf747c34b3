import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { Mark } from '@gatehouse/ui/parts/icons';
import { OtherLanguages } from '@gatehouse/ui/parts/other-languages';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { Link, type LinkProps, useRouterState } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { PATHS } from '../links.js';
import { mayAnywhere, mayAsStaff, shownName, useMe } from '../session/me.js';
import { MESSAGES, t } from '../words.js';
import { Palette } from './palette.js';

/** Who is here, with the way out and the other languages. */
function Person(): ReactElement {
  const { member } = useMe();
  const mutation = useMutationState();
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <p className="px-2">
        <Link
          to="/me"
          className="font-semibold underline decoration-line underline-offset-4 hover:decoration-current"
        >
          <bdi>{shownName(member)}</bdi>
        </Link>
        <span className="block text-note text-quiet">
          <bdi>{member.role}</bdi>
        </span>
      </p>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div className="flex flex-wrap items-center justify-between gap-3 px-2">
        <Button
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async () => {
              await gatehouse.signOut();
              await leaveTo(PATHS.signIn, { forGood: true });
            })
          }
        >
          {t('frame.signOut')}
        </Button>
        <OtherLanguages messages={MESSAGES} />
      </div>
    </div>
  );
}

/** The way to everything that one may see, and who is here. On a phone it opens from a bar at the top. */
export function Side(): ReactElement {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isOpen, setOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setFinding(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <header className="border-b border-line bg-well wide:sticky wide:top-0 wide:flex wide:h-dvh wide:flex-col wide:overflow-y-auto wide:border-e wide:border-b-0">
      <a href="#main" className="sr-only focus-visible:not-sr-only focus-visible:block focus-visible:p-3">
        {t('frame.skip')}
      </a>
      <div className="flex items-center justify-between gap-3 px-4 py-2.5 wide:px-3 wide:py-4">
        <Link to="/" className="flex min-h-8 min-w-0 items-center gap-2.5 text-lead font-bold">
          <Mark />
          <span>
            {t('frame.name')} <span className="text-note font-normal text-quiet">{t('frame.kind')}</span>
          </span>
        </Link>
        <span className="wide:hidden">
          <Button aria-expanded={isOpen} aria-controls="side" onClick={() => setOpen(!isOpen)}>
            {t('frame.menu')}
          </Button>
        </span>
      </div>
      <div
        id="side"
        className={`${isOpen ? 'flex' : 'hidden'} flex-col gap-6 px-3 pb-4 wide:flex wide:flex-1 wide:justify-between`}
      >
        <div className="flex flex-col gap-5">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K"
            onClick={() => setFinding(true)}
            className="flex min-h-8 cursor-pointer items-center justify-between gap-2 rounded-small border border-edge bg-card px-2 text-quiet hover:text-ink"
          >
            {t('palette.open')}
            <span className="font-mono text-note" aria-hidden="true">
              Ctrl K
            </span>
          </button>
          <Navigation />
        </div>
        <Person />
      </div>
      {isFinding ? <Palette onClose={() => setFinding(false)} /> : null}
    </header>
  );
}

/** Where one can go. What is not permitted is not there. */
function Navigation(): ReactElement {
  const me = useMe();
  const seesMembers = mayAnywhere(me, 'member.list');
  return (
    <nav aria-label={t('frame.navigation')}>
      <ul>
        {mayAsStaff(me, 'audit.read') ? <Entry to="/">{t('frame.overview')}</Entry> : null}
        {seesMembers ? <Entry to="/members">{t('frame.members')}</Entry> : null}
        {mayAnywhere(me, 'account.read') ? <Entry to="/accounts">{t('frame.accounts')}</Entry> : null}
        {seesMembers ? <Entry to="/mail">{t('frame.mail')}</Entry> : null}
        {me.staffPermissions.includes('audit.read') ? <Entry to="/audit">{t('frame.audit')}</Entry> : null}
        {me.allAccounts ? <Entry to="/deleted">{t('frame.deleted')}</Entry> : null}
        {mayAsStaff(me, 'personnel.read') ? <Entry to="/staff">{t('frame.staff')}</Entry> : null}
        {mayAsStaff(me, 'partner.manage') ? <Entry to="/partners">{t('frame.partners')}</Entry> : null}
        {mayAsStaff(me, 'affiliate.read') ? <Entry to="/affiliates">{t('frame.affiliates')}</Entry> : null}
        {mayAsStaff(me, 'webhook.read') ? <Entry to="/webhooks">{t('frame.webhooks')}</Entry> : null}
      </ul>
    </nav>
  );
}

function Entry({
  children,
  to,
}: {
  readonly to: NonNullable<LinkProps['to']>;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ includeSearch: false, exact: to === '/' }}
        className="flex min-h-10 items-center border-s-3 px-2 wide:min-h-8"
        activeProps={{ className: 'border-harbour bg-card font-semibold', 'aria-current': 'page' }}
        inactiveProps={{ className: 'border-transparent hover:bg-card' }}
      >
        {children}
      </Link>
    </li>
  );
}
