import { setupI18n } from '@lingui/core';
import type words from './en.json';

/** The catalog of the language that is shown. */
export const catalogue = setupI18n();

/** Values of a message, by their names in it. */
export type MessageValues = Readonly<Record<string, string | number | Date>>;

/** Characters that turn the direction of text, and letters that are written to the left. */
const TURNING =
  /[\p{Bidi_Control}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const ISOLATES = /[\u2066-\u2069]/g;

/** A value that does not affect the direction of the words around it, like one in a `<bdi>`. */
function isolated(value: MessageValues[string]): MessageValues[string] {
  if (typeof value !== 'string' || !TURNING.test(value)) return value;
  // Isolates within the value could end this one.
  return `\u2068${value.replace(ISOLATES, '')}\u2069`;
}

/** Says one of the messages of a set, in the language that is shown. */
export function translator<Id extends string>(): (id: Id, values?: MessageValues) => string {
  return (id, values = {}) =>
    catalogue._(
      id,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)])),
    );
}

/** Says one of the messages of the parts. */
export const t = translator<keyof typeof words>();
