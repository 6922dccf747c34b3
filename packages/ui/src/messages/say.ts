import { setupI18n } from '@lingui/core';
import type words from './en.json';

/** The catalogue of the language that is shown. */
export const catalogue = setupI18n();

/** Values of a message, by their names in it. */
export type MessageValues = Readonly<Record<string, string | number | Date>>;

/** Says one of the messages of a set, in the language that is shown. */
export function speaker<Id extends string>(): (id: Id, values?: MessageValues) => string {
  return (id, values) => catalogue._(id, values);
}

/** Says one of the messages of the parts. */
export const say = speaker<keyof typeof words>();
