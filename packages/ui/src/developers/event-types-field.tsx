import { type ReactElement, useState } from 'react';
import { CheckLine, CheckSet } from '../form/check-group.js';
import { t } from './words.js';

/** The kinds of events, by the beginning of their types. Kinds of a later release have no words here. */
const KINDS = {
  member: 'eventKind.member',
  membership: 'eventKind.membership',
  account: 'eventKind.account',
  subscription: 'eventKind.subscription',
  invitation: 'eventKind.invitation',
  endpoint: 'eventKind.endpoint',
  key: 'eventKind.key',
  session: 'eventKind.session',
  consent: 'eventKind.consent',
} as const;

const isKnown = (kind: string): kind is keyof typeof KINDS => Object.hasOwn(KINDS, kind);

const kindOf = (type: string): string => type.split('.')[0] ?? type;

const isChosenBy = (type: string, names: readonly string[]): boolean =>
  names.includes(type) || names.includes(`${kindOf(type)}.*`);

/** The types of events that an endpoint gets, as boxes in groups. A group that is checked gets later types too. */
export function EventTypesField({
  all,
  chosen: before,
}: {
  /** The types that there are. */
  readonly all: readonly string[];
  /** Names of types, or `member.*` for all of a kind. */
  readonly chosen: readonly string[];
}): ReactElement {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(all.filter((type) => isChosenBy(type, before))),
  );
  const kinds = [...new Set(all.map(kindOf))].map((kind) => ({
    kind,
    types: all.filter((type) => kindOf(type) === kind),
  }));
  const change = (types: readonly string[]): void => {
    const next = new Set(chosen);
    const isFull = types.every((type) => chosen.has(type));
    for (const type of types)
      if (isFull) next.delete(type);
      else next.add(type);
    setChosen(next);
  };
  /** What one box for several types shows. */
  const boxOf = (types: readonly string[]) => {
    const many = types.filter((type) => chosen.has(type)).length;
    return {
      checked: many === types.length,
      onChange: () => change(types),
      ref: (element: HTMLInputElement | null) => {
        if (element !== null) element.indeterminate = many > 0 && many < types.length;
      },
    };
  };
  const names = kinds.flatMap(({ kind, types }) =>
    types.every((type) => chosen.has(type)) ? [`${kind}.*`] : types.filter((type) => chosen.has(type)),
  );
  return (
    <CheckSet name="types" label={t('types.label')} hint={t('types.hint')}>
      {(hasIssue) => (
        <>
          {names.map((name) => (
            <input key={name} type="hidden" name={`types.${name}`} value="on" />
          ))}
          <CheckLine
            label={<span className="font-semibold">{t('types.all')}</span>}
            box={{ ...boxOf(all), ...(hasIssue ? { 'aria-invalid': true } : {}) }}
          />
          {kinds.map(({ kind, types }) => (
            <div key={kind} className="border-t border-line">
              <CheckLine label={isKnown(kind) ? t(KINDS[kind]) : kind} box={boxOf(types)} />
              <details className="ps-6.5 pb-1.5">
                <summary className="flex min-h-6 w-fit cursor-pointer items-center text-note text-quiet underline underline-offset-3">
                  {t('types.count', {
                    chosen: types.filter((type) => chosen.has(type)).length,
                    count: types.length,
                  })}
                  <span className="sr-only"> {isKnown(kind) ? t(KINDS[kind]) : kind}</span>
                </summary>
                {types.map((type) => (
                  <CheckLine
                    key={type}
                    label={<code className="font-mono">{type}</code>}
                    box={boxOf([type])}
                  />
                ))}
              </details>
            </div>
          ))}
        </>
      )}
    </CheckSet>
  );
}
