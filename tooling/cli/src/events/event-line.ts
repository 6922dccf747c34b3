import { printable } from '../printable.js';

/** The parts of an event that a line shows. */
interface Told {
  readonly type: string;
  readonly subject: string;
  readonly subjectVersion: number;
  readonly timestamp: string;
  readonly actor: { readonly kind: string; readonly id?: number };
  readonly data: object;
}

/** An event in one line: when, what, of which subject in which version, by whom, and its data. */
export function eventLine({ type, subject, subjectVersion, timestamp, actor, data }: Told): string {
  const time = `${timestamp.slice(11, 19)}Z`;
  const by = actor.id === undefined ? actor.kind : `${actor.kind} ${actor.id}`;
  const what = `${type.padEnd(24)} ${`${subject} v${subjectVersion}`.padEnd(18)} by ${by.padEnd(10)}`;
  return printable(`${time}  ${what} ${JSON.stringify(data)}`);
}
