import type { ReactElement } from 'react';
import {
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
  type LoadMessages,
  rememberLanguage,
  showLanguage,
} from '../messages/language.js';
import { catalogue } from '../messages/translate.js';

/** Leads to the other languages, each by its own name. */
export function OtherLanguages({
  messages,
}: {
  readonly messages: Readonly<Record<Language, LoadMessages>>;
}): ReactElement {
  return (
    <>
      {LANGUAGES.filter((each) => each !== catalogue.locale).map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          className="min-h-6 cursor-pointer text-quiet underline underline-offset-3 hover:text-ink"
          onClick={() => {
            rememberLanguage(language);
            void showLanguage(language, messages);
          }}
        >
          {LANGUAGE_NAMES[language]}
        </button>
      ))}
    </>
  );
}
