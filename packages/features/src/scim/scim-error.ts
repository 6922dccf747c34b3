/** The kinds of refusals of RFC 7644, table 9, and `sole_owner`. */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'sole_owner'
  | 'tooMany'
  | 'uniqueness';

/** A refusal in the form of SCIM: no part of the directory's request is done. */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** The refusal of a value: 400 `invalidValue`. */
export function invalidValue(detail: string): ScimError {
  return new ScimError(400, 'invalidValue', detail);
}
