import { isList, isRecord, type Json, textOf } from '../record/json.js';
import type { OldEndpoint } from './old-endpoints.js';
import type { PlayedAnswer, SentRequest } from './send-played.js';

/** A request that both systems got, and their answers. */
export interface PlayedExchange {
  readonly endpoint: OldEndpoint;
  readonly request: SentRequest;
  /** The body of the request; the fields of a form as an object. */
  readonly body: Json | undefined;
  readonly old: PlayedAnswer | undefined;
  readonly new: PlayedAnswer | undefined;
  /** The session with which it was sent. */
  readonly session: {
    readonly token: string | undefined;
    readonly bearer: string | undefined;
    /** The token is that of a login URL. */
    readonly isOfLoginUrl: boolean;
    /** It signed out before. */
    readonly hasEnded: boolean;
    /** Its member was deleted or archived before. */
    readonly isOfRemoved: boolean;
  };
}

/** A field of the request's body. */
export function sentField({ body }: PlayedExchange, name: string): Json | undefined {
  return isRecord(body) ? body[name] : undefined;
}

/** Whether the request succeeded at the old system. */
export function didAsAsked({ old }: PlayedExchange): boolean {
  if (old === undefined || old.status >= 400) return false;
  return !isRecord(old.body) || old.body['status'] !== false;
}

/** The code with which the new system refuses; `unauthorized` for its plain text. */
export function refusalOf({ new: answer }: PlayedExchange): string | undefined {
  if (answer?.status === 401 && answer.text === 'unauthorized access') return 'unauthorized';
  const error = isRecord(answer?.body) ? answer.body['error'] : undefined;
  const code = isRecord(error) ? error['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Which fields of the request the new system complains about. */
export function issuesOf({ new: answer }: PlayedExchange): readonly string[] {
  const error = isRecord(answer?.body) ? answer.body['error'] : undefined;
  const issues = isRecord(error) ? error['issues'] : undefined;
  if (!isList(issues)) return [];
  return issues.flatMap((issue: Json) => (isRecord(issue) ? [textOf(issue['path'])] : []));
}
