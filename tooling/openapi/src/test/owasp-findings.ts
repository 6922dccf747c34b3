import type { OpenApiDocument } from '@gatehouse/http/openapi/document';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';

export interface OwaspFinding {
  readonly rule: string;
  /** Such as `post /login`; empty outside operations. */
  readonly operation: string;
  readonly message: string;
}

const ERROR = 0;

/** The errors Spectral's OWASP rules find in a document. */
export async function owaspFindings(document: OpenApiDocument): Promise<OwaspFinding[]> {
  const spectral = new Spectral();
  // Loaders represent the default export of a CommonJS module differently.
  const rules: RulesetDefinition = 'default' in owasp ? owasp.default : owasp;
  const ruleset: RulesetDefinition = { extends: [[rules, 'all']] };
  spectral.setRuleset(ruleset);
  const results = await spectral.run(document as unknown as Record<string, unknown>);
  return results
    .filter(({ severity }) => Number(severity) === ERROR)
    .map(({ code, path: [root, path, method], message }) => ({
      rule: String(code),
      operation: root === 'paths' ? `${String(method)} ${String(path)}` : '',
      message,
    }));
}
