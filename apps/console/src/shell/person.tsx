import { useSending } from '@gatehouse/screens/failure/use-sending';
import { leaveTo } from '@gatehouse/screens/session/leave-to';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { LANGUAGES, rememberLanguage, showLanguage } from '@gatehouse/ui/messages/language';
import { LANGUAGE_NAMES } from '@gatehouse/ui/messages/language-names';
import { catalogue } from '@gatehouse/ui/messages/say';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { PATHS } from '../links.js';
import { useMe } from '../session/me.js';
import { shownName } from '../session/shown-name.js';
import { MESSAGES, t } from '../words.js';

/** Who is here, with the way out and the other languages. */
export function Person(): ReactElement {
  const { member } = useMe();
  const sending = useSending();
  const others = LANGUAGES.filter((each) => each !== catalogue.locale);
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
      {sending.failure === undefined ? null : <FailureNote failure={sending.failure} />}
      <div className="flex flex-wrap items-center justify-between gap-3 px-2">
        <Button
          isBusy={sending.isBusy}
          onClick={() =>
            sending.send(async () => {
              await gatehouse.signOut();
              await leaveTo(PATHS.signIn, { forGood: true });
            })
          }
        >
          {t('frame.signOut')}
        </Button>
        {others.map((language) => (
          <button
            key={language}
            type="button"
            lang={language}
            className="min-h-6 cursor-pointer text-quiet underline underline-offset-3 hover:text-ink"
            onClick={() => {
              rememberLanguage(language);
              void showLanguage(language, MESSAGES);
            }}
          >
            {LANGUAGE_NAMES[language]}
          </button>
        ))}
      </div>
    </div>
  );
}
