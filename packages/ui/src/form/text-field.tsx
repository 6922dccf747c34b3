import { type ComponentProps, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { t } from '../messages/translate.js';
import { FIELD_LOOK } from './field-look.js';
import { useFieldIssue } from './form.js';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id' | 'name'> {
  /** Also the path by which an issue finds the field. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Whether what is typed already does what the hint asks for. */
  readonly isHintMet?: boolean;
  /** Content at the end of the label's line. */
  readonly aside?: ReactNode;
  /** For codes and keys, whose letters must be easy to distinguish. */
  readonly isCode?: boolean;
}

/** A labeled field that keeps its own text. It shows the issue that a refusal has with it. */
export function TextField({
  name,
  label,
  hint,
  isHintMet = false,
  aside,
  isCode = false,
  ...input
}: TextFieldProps): ReactElement {
  const id = useId();
  const issue = useFieldIssue(name);
  const isMet = isHintMet && issue === undefined;
  const notes = [
    ...(issue === undefined ? [] : [`${id}-issue`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <div className="flex max-w-[30rem] flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {aside}
      </div>
      <input
        {...input}
        id={id}
        name={name}
        aria-invalid={issue === undefined ? undefined : true}
        aria-describedby={notes.length === 0 ? undefined : notes.join(' ')}
        className={`${FIELD_LOOK} min-h-10 read-only:bg-well ${isCode ? 'font-mono tracking-widest' : ''}`}
      />
      {issue === undefined ? null : (
        <p id={`${id}-issue`} className="text-body text-brick">
          {issue}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={`text-note ${isMet ? 'text-moss' : 'text-quiet'}`}>
          {isMet ? <span aria-hidden="true">✓ </span> : null}
          {hint}
        </p>
      )}
    </div>
  );
}

/**
 * A field for an e-mail address. It is a field for text, because browsers refuse full-width letters in their own fields for
 * addresses and change what was typed; the service normalizes and checks it. Preact writes no attribute for `false`.
 */
export function AddressField(
  props: Omit<TextFieldProps, 'type' | 'inputMode' | 'autoCapitalize' | 'spellCheck'>,
): ReactElement {
  return <TextField {...props} type="text" inputMode="email" autoCapitalize="none" spellCheck="false" />;
}

/** A field for a code that is mailed or shown by an app. One field, so that it can be pasted and filled in. */
export function CodeField({
  name,
  label,
  hint,
  digits,
  isSentWhenFull = false,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** How many digits; absent if letters may be part of it. */
  readonly digits?: number;
  /** Whether the last digit sends the form, once for each code. */
  readonly isSentWhenFull?: boolean;
}): ReactElement {
  const sent = useRef('');
  const said = hint ?? (isSentWhenFull ? t('ui.codeSent') : undefined);
  return (
    <TextField
      name={name}
      label={label}
      {...(said === undefined ? {} : { hint: said })}
      isCode
      required
      autoComplete={digits === undefined ? 'off' : 'one-time-code'}
      inputMode={digits === undefined ? 'text' : 'numeric'}
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={digits === undefined ? 40 : digits * 2 + 4}
      onInput={({ currentTarget: { value, form } }) => {
        const typed = value.replace(/\D/g, '');
        if (!isSentWhenFull || typed.length !== digits || typed === sent.current) return;
        sent.current = typed;
        form?.requestSubmit();
      }}
    />
  );
}

/** The service takes no shorter password. */
export const PASSWORD_LENGTH = 8;

/** A password, which can be shown while it is typed. */
export function PasswordField({
  autoComplete,
  leastLength,
  ...field
}: Omit<TextFieldProps, 'type' | 'aside' | 'isCode' | 'isHintMet'> & {
  readonly autoComplete: 'current-password' | 'new-password';
  /** How many characters the hint asks for, if it does. */
  readonly leastLength?: number;
}): ReactElement {
  const [isShown, setShown] = useState(false);
  const [isMet, setMet] = useState(false);
  return (
    <TextField
      {...field}
      {...(leastLength === undefined
        ? {}
        : {
            isHintMet: isMet,
            onInput: ({ currentTarget: { value } }) => setMet([...value].length >= leastLength),
          })}
      type={isShown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      aside={
        <button
          type="button"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="-my-1 min-h-6 shrink-0 cursor-pointer rounded-small px-1 text-body text-harbour underline underline-offset-3 hover:decoration-2"
        >
          {t(isShown ? 'ui.password.hide' : 'ui.password.show')}
        </button>
      }
    />
  );
}
