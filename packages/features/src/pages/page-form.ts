import { ADDRESS_ATTRIBUTES, escapeHtml } from '@gatehouse/http/pages/html-page';
import type { PageWords } from './page-words.js';

/** One field of a page's form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /** The attributes of the input other than its names, its value and its description. */
  readonly attributes: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  /** Different from the name where another form of the page has a field of that name. */
  readonly id?: string;
}

/** An address that cannot be changed here, for password managers, which need to know whose password it is. */
export function ownAddress(
  { say }: PageWords,
  email: string,
  autocomplete: 'email' | 'username' = 'username',
): FormField {
  const attributes = `${ADDRESS_ATTRIBUTES} autocomplete="${autocomplete}" readonly`;
  return { name: 'email', label: say('Email address'), attributes, value: email };
}

const CURRENT = 'type="password" autocomplete="current-password"';

/** The password of the person. */
export function ownPassword({ say }: PageWords, field: Partial<FormField> = {}): FormField {
  return { name: 'password', label: say('Your password'), attributes: `${CURRENT} required`, ...field };
}

/** The password of a person who need not give it. */
export function optionalPassword(words: PageWords, field: Partial<FormField> = {}): FormField {
  return ownPassword(words, { attributes: CURRENT, ...field });
}

export function chosenPassword({ say }: PageWords, label: 'New password' | 'Choose a password'): FormField {
  return {
    name: 'password',
    label: say(label),
    attributes: 'type="password" autocomplete="new-password" required minlength="8"',
    hint: say('At least 8 characters. Several unrelated words work well.'),
  };
}

/**
 * A form that works without scripts.
 * @param hidden values that come back with it
 * @param lead HTML before the fields
 * @param wrong the names of the fields that the page's problem is about
 */
export function pageForm({
  action,
  hidden = {},
  lead = '',
  fields = [],
  button,
  wrong = new Set(),
}: {
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly lead?: string;
  readonly fields?: readonly FormField[];
  readonly button: string;
  readonly wrong?: ReadonlySet<string>;
}): string {
  return [
    `<form method="post" action="${action}">`,
    ...Object.entries(hidden).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
    ),
    lead,
    ...fields.map((field) => fieldHtml(field, wrong.has(field.name))),
    `<button type="submit">${escapeHtml(button)}</button>`,
    '</form>',
  ].join('\n');
}

function fieldHtml({ name, label, attributes, value, hint, id = name }: FormField, isWrong: boolean): string {
  const notes = [...(hint === undefined ? [] : [`${id}-hint`]), ...(isWrong ? ['problem'] : [])];
  return [
    `<label for="${id}">${escapeHtml(label)}</label>`,
    `<input id="${id}" name="${name}" ${attributes}`,
    notes.length === 0 ? '' : ` aria-describedby="${notes.join(' ')}"`,
    isWrong ? ' aria-invalid="true"' : '',
    value === undefined ? '' : ` value="${escapeHtml(value)}"`,
    '>',
    hint === undefined ? '' : `<p class="hint" id="${id}-hint">${escapeHtml(hint)}</p>`,
  ].join('');
}
